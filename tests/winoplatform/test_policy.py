"""What holds for every answer: its policy, who may store it, its cookies, its errors."""

import re
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.test import Client

from tests.access.routes import ADMIN, API, every_route
from tests.access.samples import addresses, samples
from tests.api.calls import client_of
from tests.blind import build, undone
from tests.data_dir import ROOT
from tests.factories import CampaignFactory, UserFactory
from winoplatform.db import connections, versions
from winoplatform.http.cookies import BACKSLASHES, COOKIE_BYTES, limited

HEADER = "Content-Security-Policy"
TEMPLATES = sorted(ROOT.glob("*/templates/**/*.html"))
HANDLER = r"\son(?:click|load|error|submit|change|input|key|focus)\w*="
WITHOUT_NONCE = r"<script(?![^>]*\snonce=\"{{ csp_nonce }}\")"
INLINE = re.compile(rf"<style|\sstyle=|javascript:|{HANDLER}|{WITHOUT_NONCE}")


def directives(policy: str) -> dict[str, str]:
    return dict(part.strip().partition(" ")[::2] for part in policy.split(";"))


def test_no_template_has_an_inline_style_or_handler_or_a_script_without_nonce() -> None:
    found = {path.name: INLINE.findall(path.read_text()) for path in TEMPLATES}
    assert len(found) > 100
    assert not {name: inline for name, inline in found.items() if inline}


@pytest.mark.parametrize(
    "address",
    ["/sign-in/", "/none/", "/admin/login/", "/api/docs/", "/api/v1/me/", "/api/schema/",
     "/health/", "/live/", "/metrics/", "/static/frontend/app.js", "/favicon.ico"],
)  # fmt: skip
def test_every_kind_of_response_has_a_strict_policy(address: str) -> None:
    found = directives(Client().get(address)[HEADER])
    assert found["default-src"] == found["base-uri"] == found["frame-ancestors"] == "'none'"
    assert "unsafe" not in str(found)
    if address.startswith(("/api/v1/", "/api/schema/", "/health/", "/live/", "/metrics/")):
        assert "script-src" not in found  # so default-src forbids all, and nothing is random
        return
    expected = r"'self'" if address.startswith("/admin/") else r"'nonce-[\w-]{20,}'"
    assert re.fullmatch(expected, found["script-src"])


@pytest.mark.parametrize("address", ["/sign-in/", "/api/docs/"])
def test_each_page_has_a_nonce_of_its_own_on_all_its_scripts(address: str) -> None:
    seen = set()
    for _ in range(2):
        response = Client().get(address)
        text = response.content.decode()
        [nonce] = set(re.findall(r"<script[^>]* nonce=\"([^\"]*)\"", text))
        assert text.count("<script") == text.count(f'nonce="{nonce}"') > 0
        assert directives(response[HEADER])["script-src"] == f"'nonce-{nonce}'"
        seen.add(nonce)
    assert len(seen) == 2


def test_only_a_page_with_pictures_allows_what_plotly_needs() -> None:
    client, campaign = Client(), CampaignFactory()
    client.force_login(UserFactory(curator=True))
    plain = directives(client.get(f"/campaigns/{campaign.slug}/")[HEADER])
    pictures = directives(client.get(f"/campaigns/{campaign.slug}/progress/")[HEADER])
    assert "unsafe" not in str(plain)
    assert pictures["style-src"] == "'self' 'unsafe-inline'"
    assert re.fullmatch(r"'nonce-[\w-]+' 'unsafe-eval'", pictures["script-src"])


pytestmark = pytest.mark.usefixtures("noon")
PRIVATE = "private, no-store"


@pytest.mark.long
def test_no_answer_to_a_signed_in_reader_is_stored() -> None:
    known, curator = samples(build()), UserFactory(curator=True)
    api, browser = client_of(curator), Client(raise_request_exception=False)
    api.raise_request_exception = False
    browser.force_login(curator)
    session = browser.cookies.output().replace("Set-Cookie: ", "")
    stored = []
    for route in every_route():
        client = api if route.path.startswith(API) else browser
        for address, _ in [] if route.path.startswith(ADMIN) else addresses(route, known):
            browser.cookies.load(session)  # one address signs out
            with undone():
                answer = client.get(address)
            if answer.get("Cache-Control") != PRIVATE:
                stored.append(route.path)
    assert stored == []


def test_signing_in_and_the_admin_site_are_not_stored() -> None:
    UserFactory(username="erin", password="long-enough-7")
    answer = Client().post("/sign-in/", {"login": "erin", "password": "long-enough-7"})
    assert answer["Cache-Control"] == PRIVATE
    client = Client()
    client.force_login(UserFactory(admin=True))
    assert client.get("/admin/")["Cache-Control"] == PRIVATE


def test_public_answers_may_be_stored() -> None:
    assert "no-store" not in Client().get("/api/schema/")["Cache-Control"]


def ask(cookies: str) -> tuple[str, list[str]]:
    """Return the status, and the cookies that the application has read."""
    status, read = [], []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        read.append(environ["HTTP_COOKIE"])
        start_response("200 OK", [])
        return [b""]

    list(limited(application)({"HTTP_COOKIE": cookies}, lambda line, _: status.append(line)))
    return status[0][:3], read


@pytest.mark.parametrize(
    "cookies", ['a="' + '\\"' * 4_000 + '"', "a=" + "b" * COOKIE_BYTES, "\\" * (BACKSLASHES + 1)]
)
def test_cookies_that_take_long_are_refused_unread(cookies: str) -> None:
    assert ask(cookies) == ("431", [])


def test_what_we_set_passes() -> None:
    ours = SimpleCookie({"messages": '["a, b; c"]', "sessionid": "x" * 32})
    cookies = "; ".join(f"{name}={each.coded_value}" for name, each in ours.items())
    assert "\\" in cookies
    assert ask(cookies) == ("200", [cookies])


def test_the_web_application_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    # To import it limits the statements of its process and lets it refuse databases of other
    # versions, and the process serves other tests as well.
    monkeypatch.setattr(connections, "SESSION_SETTINGS", dict(connections.SESSION_SETTINGS))
    monkeypatch.setattr(versions, "_watching", [])
    from winoplatform.wsgi import application

    status: list[str] = []
    list(application({"HTTP_COOKIE": "\\" * 5_000}, lambda line, _: status.append(line)))
    assert status == ["431 Request Header Fields Too Large"]
