"""A real Chromium on a live server; nothing outside this machine is ever asked."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.urls import resolve
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.frontend.conftest import signed_in_now
from tests.journeys.servers import Server
from tests.journeys.timers import QUICK_TIMERS
from tests.served.conftest import site  # noqa: F401  (a fixture)
from workers.models import User

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Refused by the browser itself: were each request shown to the test, nothing would be cached.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]

PATIENCE = 20_000  # milliseconds; several processes share the cores

# The first draws no windows: it takes half the time of the other.
INSTALLED = ("chromium-headless-shell", "chromium")


def chromium() -> str:
    """Return the path of Chromium, or fail with the way to get it."""
    found = [os.environ.get("CHROMIUM") or "", *map(shutil.which, INSTALLED)]
    path = next(filter(None, found), "")
    if not Path(path).is_file():
        pytest.fail(
            "The browser journeys need Chromium: run `make chromium`, which installs Debian's "
            "package, or name another one in the environment variable CHROMIUM."
        )
    return path


expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)
        yield started
        started.close()


def refused_by_policy(said: str) -> list[str]:
    """Return what the browser said if a page did what its Content-Security-Policy forbids.

    That another site may not frame a page is no fault of the page.
    """
    is_refused = "Content Security Policy" in said and not said.startswith("Framing")
    return [said] if is_refused else []


@pytest.fixture
def new_context(
    browser: Browser, live_server: object, transactional_db: None
) -> Iterator[Callable[..., BrowserContext]]:
    """Give a separate browser window, as if on another machine, and check it at the end."""
    opened: list[BrowserContext] = []
    faults: list[str] = []
    # Imports every page's code, in this process: a browser's patience is not for that.
    resolve("/")

    def make(*, quick: bool = True, **options: object) -> BrowserContext:
        context = browser.new_context(base_url=str(live_server), locale="en-GB", **options)
        context.set_default_timeout(PATIENCE)
        if quick:
            context.add_init_script(QUICK_TIMERS)
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("console", lambda said: faults.extend(refused_by_policy(said.text)))
        opened.append(context)
        return context

    yield make
    for context in opened:
        context.close()
    assert not faults, f"A page's script failed: {faults}"


@pytest.fixture
def sign_in(new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Return a page on which *user* has signed in (the form itself has a journey of its own)."""

    def signed_in(user: User, **options: object) -> Page:
        client = signed_in_now(user)
        context = new_context(**options)
        context.add_cookies(
            [
                {
                    "name": "sessionid",
                    "value": client.cookies["sessionid"].value,
                    "domain": "localhost",
                    "path": "/",
                }
            ]
        )
        return context.new_page()

    return signed_in


@pytest.fixture
def server(tmp_path: Path, transactional_db: None) -> Iterator[Server]:
    """The platform in a process of its own, to be killed."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()
