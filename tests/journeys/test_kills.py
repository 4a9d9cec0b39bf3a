"""The browser is killed, the server is killed: what was typed is there again."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from collection.models import Assignment, Draft, Twin
from tests.factories import SENTENCES, AssignmentFactory, UserFactory
from tests.journeys.conftest import FLAGS, chromium
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit, type_twin
from tests.journeys.servers import Server
from workers.models import User


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
