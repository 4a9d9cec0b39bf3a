"""The browser is killed, the server is killed: what was typed is there again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect

from collection.models import Assignment, Draft, Twin
from tests.factories import SENTENCES, AssignmentFactory, UserFactory
from tests.journeys.conftest import FLAGS, chromium
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit, type_twin
from tests.races.processes import database_url
from workers.models import User

pytestmark = pytest.mark.journey
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60


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
    expect(page.get_by_text("Your text from before is back.")).to_be_visible()
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


class Server:
    """The platform behind gunicorn, on this test's database, in a process group of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.address = f"http://localhost:{self.port}"

    def start(self) -> None:
        command = [
            *(sys.executable, "-m", "gunicorn", "winoplatform.wsgi:application"),
            *("--bind", f"127.0.0.1:{self.port}", "--threads", "4", "--log-level", "warning"),
        ]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self._environment(), stdout=log, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline, (self.folder / "server.log").read_text()
            time.sleep(0.1)

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "DATABASE_URL": database_url(),
            "VAR_DIR": str(self.folder),
            "SECRET_KEY": settings.SECRET_KEY,
            "PUBLIC_URL": self.address,
        }

    def _answers(self) -> bool:
        # A port that listens is not yet a worker that answers.
        try:
            with urlopen(f"{self.address}/sign-in/", timeout=PATIENCE) as answer:
                return bool(answer.status == HTTPStatus.OK)
        except OSError:
            return False

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@pytest.fixture
def server(tmp_path: Path, transactional_db: None) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


def test_a_killed_server_is_said_the_text_is_kept_and_saved_on_its_return(
    assignment: Assignment, server: Server, new_context: Callable[..., BrowserContext]
) -> None:
    page = sign(new_context(), assignment.worker)
    page.goto(f"{server.address}/campaigns/{assignment.campaign.slug}/write/")
    fill_twin(page, SENTENCES[0], "The trophy did not")
    is_saved(page)
    server.kill()
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.get_by_text("The server does not answer.")).to_be_visible()
    submit(page)
    expect(page.get_by_text("Nothing was submitted yet")).to_be_visible()
    expect(page.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    server.start()
    expect(page.locator("#desk-banner")).to_be_hidden(timeout=40_000)
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    assert Draft.objects.get().fields["sentence2"] == SENTENCES[1]
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert Twin.objects.count() == 1
