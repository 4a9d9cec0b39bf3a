"""Accounts in a browser: a passkey, a forgotten password, a stolen cookie, an institution."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from playwright.sync_api import BrowserContext, Page, expect

from tests.factories import CampaignFactory, UserFactory
from tests.frontend.institutions import OLD_CALLS, provider
from workers.models import User
from workers.services import invite

pytestmark = pytest.mark.long
PASSWORD = "a long pass phrase"
NEW = "quite another phrase"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(autouse=True)
def counted_from_nothing(transactional_db: None) -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    return new_context().new_page()


def add_authenticator(page: Page) -> None:
    """Give the browser an authenticator that holds no passkey yet."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})


def with_password(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/sign-in/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def test_from_an_invitation_to_a_sign_in_with_a_passkey(page: Page) -> None:
    _, code = invite(role="curator", by=UserFactory(admin=True))
    add_authenticator(page)
    page.goto(f"/invitation/#{code}")
    page.get_by_label("User name").fill("erin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name="Your account: erin").click()
    page.get_by_role("link", name="Second factor").click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("link", name="Your account: erin")).to_be_visible()
    page.goto("/account/passkeys/")
    expect(page.get_by_role("row", name=re.compile("Passkey 1"))).to_contain_text("yes")


def test_an_owner_invites_a_reviewer_who_sees_that_campaign_and_no_pay(page: Page) -> None:
    UserFactory(username="dana", password=PASSWORD, curator=True)
    for name in ("Kitchen", "Garden"):
        CampaignFactory(slug=name.lower(), name=name)
    with_password(page, "dana")
    page.goto("/campaigns/kitchen/members/")
    page.locator("form[action$='/invite/']").get_by_label("Role").select_option("reviewer")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#invitation-link").inner_text()
    page.get_by_role("button", name="Sign out").click()
    page.goto(link)
    page.get_by_label("User name").fill("erin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.get_by_role("link", name="Kitchen").first.click()
    tabs = page.get_by_role("navigation", name="Campaign")
    expect(tabs).to_contain_text("Review")
    assert "Garden" not in page.goto("/").text()  # type: ignore[union-attr]
    for address, status in (("kitchen/pay", 403), ("kitchen/review", 200), ("garden", 404)):
        response = page.goto(f"/campaigns/{address}/")
        assert response is not None
        assert response.status == status, address


def test_a_browser_without_a_passkey_says_so(page: Page) -> None:
    add_authenticator(page)
    page.goto("/sign-in/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert").filter(has_text="did not use a passkey")).to_be_visible()


def test_a_forgotten_password(page: Page) -> None:
    UserFactory(username="erin", password=PASSWORD, email="erin@example.org")
    page.goto("/sign-in/")
    page.get_by_role("link", name="Forgotten password?").click()
    page.get_by_label("Email").fill("erin@example.org")
    page.get_by_role("button", name="Send the link").click()
    expect(page.get_by_role("heading", name="Look into your mail")).to_be_visible()
    link = re.search(r"\S+/new-password/\S+", mail.outbox[-1].body)
    page.goto(link[0])  # type: ignore[index]
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_label("New password (again)").fill(NEW)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_role("link", name="Your account: erin")).to_be_visible()
    assert User.objects.get().check_password(NEW)


def test_a_stolen_cookie_is_ended_from_the_list_of_sessions(
    page: Page, new_context: Callable[..., BrowserContext]
) -> None:
    UserFactory(username="erin", password=PASSWORD)
    thief = new_context().new_page()
    for each in (thief, page):
        with_password(each, "erin")
        expect(each.get_by_role("link", name="Your account: erin")).to_be_visible()
    page.goto("/account/sessions/")
    expect(page.get_by_role("row")).to_have_count(3)
    page.get_by_role("button", name="End all others").click()
    expect(page.get_by_role("row")).to_have_count(2)
    thief.goto("/my-work/")
    expect(thief.get_by_role("heading", name="Sign in")).to_be_visible()


@pytest.mark.filterwarnings(OLD_CALLS)
def test_sign_in_with_an_institution(page: Page, settings: Any) -> None:
    UserFactory(username="erin", password=PASSWORD)
    with provider(settings):
        with_password(page, "erin")
        page.get_by_role("link", name="Your account: erin").click()
        page.get_by_role("link", name="Sign-in with your institution").click()
        page.get_by_role("button", name="Connect with Example University").click()
        page.get_by_role("button", name="erin-at-home").click()
        expect(page.get_by_text("Connected,")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("button", name="Sign in with Example University").click()
        page.get_by_role("button", name="erin-at-home").first.click()
        expect(page.get_by_role("link", name="Your account: erin")).to_be_visible()
