"""What was typed is not lost: an ended session, Back, a killed browser, a killed server."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect

from collection.models import Assignment, Campaign, Draft, Twin
from tests.factories import (
    SENTENCES,
    AssignmentFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import typed
from tests.journeys.conftest import FLAGS, chromium
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit, type_twin
from tests.journeys.servers import Server
from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.validation.deciding import give
from validation.models import Appeal
from workers.models import User


def fill(page: Page, without: str = "") -> None:
    """Type a whole twin but for one field."""
    fields = typed()
    for name in ("anchor", "option1", "option2", "sentence1", "sentence2"):
        page.locator(f"[name={name}]").fill("" if name == without else fields[name])
    for name in ("domain", "answer1"):
        if name != without:
            page.locator(f"[name={name}][value='{fields[name]}']").check()


@pytest.mark.long
@pytest.mark.parametrize("missing", ["option1", "sentence2", "domain"])
@VIEWS
def test_one_missing_field_is_said_and_has_the_focus(
    view: dict[str, Any], missing: str, campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    held = AssignmentFactory(campaign=campaign, worker=UserFactory())
    page = sign_in(held.worker, **view)
    page.goto(reverse("author", args=["kitchen"]))
    fill(page, without=missing)
    page.locator("#submit").click()
    alert = page.locator("main [role=alert][data-focus-now]")
    expect(alert).to_be_visible()
    page.wait_for_timeout(1500)  # the checks have answered by then
    expect(alert).to_be_visible()
    expect(alert).to_be_focused()
    assert_clean(page)


@pytest.mark.long
def test_a_text_outlives_the_session_and_a_sign_in_in_another_tab(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    alice: User = UserFactory(username="alice", password="long-enough-7")
    question = TwinFactory(campaign=campaign, author=alice, seats=3).questions.get(number=1)
    give(question, False, False, False)
    page = sign_in(alice)
    page.goto(reverse("make-appeal", args=["question", question.public_id]))
    text = "They read it too fast.\nPlease look again."
    page.get_by_label("Why you appeal").fill(text)
    Session.objects.all().delete()
    page.locator("main form button").last.click()
    page.get_by_role("heading", name="Nothing was saved yet: your text is here").wait_for()
    assert page.get_by_label("Text").input_value() == text
    assert_clean(page)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in (opens in a new tab)").click()
    other = opened.value
    other.get_by_label("User name").fill("alice")
    other.get_by_label("Password").fill("long-enough-7")
    other.get_by_role("button", name="Sign in").click()
    other.get_by_role("link", name="My work").first.wait_for()
    page.get_by_role("button", name="Submit again").click()
    page.get_by_text("If this is your text, submit it again as alice.").wait_for()
    assert page.get_by_label("Text").input_value() == text
    page.get_by_role("button", name="Submit again").click()
    page.get_by_text("waiting for an answer").wait_for()
    assert Appeal.objects.get().text == text


@pytest.mark.long
def test_back_after_a_submission_is_no_form_of_the_finished_article(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    held = AssignmentFactory(campaign=campaign, worker=UserFactory())
    page = sign_in(held.worker)
    page.goto(reverse("author", args=["kitchen"]))
    fill(page)
    page.locator("#submit").click()
    page.get_by_role("heading", name="Your twin is submitted").wait_for()
    page.go_back()
    page.get_by_role("button", name="Get an article").wait_for()
    assert page.locator("form[data-desk]").count() == 0
    assert Assignment.objects.get().status == "submitted"


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    return AssignmentFactory(worker=UserFactory(username="alice"))


def sign(context: BrowserContext, user: User) -> Page:
    client = Client()
    client.force_login(user)
    value = client.cookies["sessionid"].value
    cookie = {"name": "sessionid", "value": value, "domain": "localhost", "path": "/"}
    context.add_cookies([cookie])
    return context.pages[0] if context.pages else context.new_page()


# -- the browser -----------------------------------------------------------------------------------


class KilledBrowser:
    """A Chromium with a profile of its own, that can be killed as by a power cut."""

    def __init__(self, browser: Browser, profile: Path, address: str) -> None:
        self.start = lambda: browser.browser_type.launch_persistent_context(
            str(profile), executable_path=chromium(), headless=True, args=FLAGS, base_url=address
        )
        self.profile = str(profile)

    def kill(self) -> None:
        # Whose parents hold the profile; the test's own Chromium has another one.
        for process in psutil.process_iter(["cmdline"]):
            if any(self.profile in part for part in process.info["cmdline"] or []):
                process.send_signal(signal.SIGKILL)


@pytest.fixture
def chrome(
    browser: Browser, tmp_path: Path, live_server: object, transactional_db: None
) -> Iterator[KilledBrowser]:
    chrome = KilledBrowser(browser, tmp_path / "profile", str(live_server))
    yield chrome
    chrome.kill()


@pytest.mark.long
def test_a_killed_browser_finds_the_text_in_its_own_profile(
    assignment: Assignment, chrome: KilledBrowser
) -> None:
    context = chrome.start()
    page = sign(context, assignment.worker)
    page.route("**/draft/", lambda route: route.abort())  # the server hears nothing
    type_twin(page, assignment)
    page.wait_for_timeout(7_000)  # Chromium writes its storage to disk after five seconds
    chrome.kill()
    page = sign(chrome.start(), assignment.worker)
    open_desk(page, assignment)
    expect(page.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    expect(page.get_by_text("Your earlier text was restored.")).to_be_visible()
    is_saved(page)
    assert Draft.objects.get().fields["sentence2"] == SENTENCES[1]


@pytest.mark.long
def test_a_killed_browser_whose_profile_is_gone_has_the_servers_draft(
    assignment: Assignment, chrome: KilledBrowser, sign_in: Callable[..., Page]
) -> None:
    page = sign(chrome.start(), assignment.worker)
    type_twin(page, assignment)
    is_saved(page)
    chrome.kill()
    page = sign_in(assignment.worker)
    open_desk(page, assignment)
    expect(page.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()


# -- the server ------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_killed_server_is_said_the_text_is_kept_and_saved_on_its_return(
    assignment: Assignment, server: Server, new_context: Callable[..., BrowserContext]
) -> None:
    page = sign(new_context(), assignment.worker)
    page.goto(f"{server.address}/campaigns/{assignment.campaign.slug}/write/")
    fill_twin(page, SENTENCES[0], "The trophy did not")
    is_saved(page)
    server.kill()
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.get_by_text("The server does not respond.")).to_be_visible()
    submit(page)
    expect(page.get_by_text("Not submitted")).to_be_visible()
    expect(page.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    server.start()
    expect(page.locator("#desk-banner")).to_be_hidden(timeout=40_000)
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    assert Draft.objects.get().fields["sentence2"] == SENTENCES[1]
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert Twin.objects.count() == 1
