"""What a page may execute: its own scripts, and nothing that came to be markup on it.

`new_context` fails each journey in which a page did what its policy forbids; this is its control.
"""

import re
from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse
from playwright.sync_api import BrowserContext, Page, expect

from tests.factories import CampaignFactory, UserFactory
from tests.journeys.conftest import refused_by_policy
from winoplatform.http import responses
from workers.models import User

PLANTED = (
    '<script>document.title = "planted"</script>'
    '<script src="/static/frontend/desk.js?planted"></script>'
    '<img src="data:," onerror="document.title = \'planted\'">'
    '<p id="bare" style="color: rgb(1, 2, 3)">x</p>'
)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each page contain what an attacker would put there."""
    answer = responses.ContentSecurityPolicy.__call__

    def infected(self: responses.ContentSecurityPolicy, request: HttpRequest) -> HttpResponse:
        response = answer(self, request)
        if response.get("Content-Type", "").startswith("text/html"):
            response.content = response.content.replace(b"</body>", PLANTED.encode() + b"</body>")
            response["Content-Length"] = str(len(response.content))
        return response

    monkeypatch.setattr(responses.ContentSecurityPolicy, "__call__", infected)


@pytest.fixture
def refusals() -> list[str]:
    return []


@pytest.fixture
def page_of(
    browser: object, live_server: object, refusals: list[str], transactional_db: None
) -> Callable[[User], Page]:
    """Give a page outside of `new_context`, which would fail at the first refusal."""
    from django.test import Client

    def of(user: User) -> Page:
        context: BrowserContext = browser.new_context(base_url=str(live_server))  # type: ignore[attr-defined]
        context.on("console", lambda said: refusals.extend(refused_by_policy(said.text)))
        client = Client()
        client.force_login(user)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
        context.add_cookies([{**cookie, "domain": "localhost", "path": "/"}])  # type: ignore[list-item]
        return context.new_page()

    return of


@pytest.mark.parametrize("address", ["/", "/admin/", "/api/docs/"])
def test_a_planted_script_does_not_run(
    planted: None, page_of: Callable[[User], Page], refusals: list[str], address: str
) -> None:
    page = page_of(UserFactory(curator=True, is_staff=True, is_superuser=True))
    page.goto(address, wait_until="networkidle")
    expect(page.locator("#bare")).not_to_have_css("color", "rgb(1, 2, 3)")
    assert page.title() != "planted"
    kinds = {found for said in refusals for found in re.findall(r"(script|style)-src", said)}
    assert kinds == {"script", "style"}


def test_without_the_policy_the_planted_script_runs(
    planted: None, page_of: Callable[[User], Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "HEADER", "X-No-Policy")
    page = page_of(UserFactory(curator=True))
    page.goto("/", wait_until="networkidle")
    assert page.title() == "planted"


def test_the_pages_of_admins_work(sign_in: Callable[..., Page]) -> None:
    admin = UserFactory(curator=True, is_staff=True, is_superuser=True)
    campaign = CampaignFactory()
    page = sign_in(admin)
    for address in (
        "/admin/", "/admin/workers/user/", f"/admin/workers/user/{admin.pk}/change/",
        f"/admin/collection/campaign/{campaign.pk}/change/",
    ):  # fmt: skip
        response = page.goto(address, wait_until="networkidle")
        assert response is not None
        assert response.status in (200, 403)
