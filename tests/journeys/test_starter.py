"""The first page while the starter campaign is loaded: before one has signed in, and after."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Request, expect

from evaluation.models import StarterLoad
from tests.factories import CampaignFactory, StarterLoadFactory, UserFactory
from tests.journeys.timers import wait
from winoplatform.runs.models import RunStatus

WIDTHS = (390, pytest.param(1440, marks=pytest.mark.long))
DONE = {"status": RunStatus.DONE, "ended_at": timezone.now(), "done": 1392, "leased_until": None}


@pytest.fixture
def load(transactional_db: None) -> StarterLoad:
    return StarterLoadFactory(
        status=RunStatus.RUNNING,
        started_at=timezone.now(),
        done=57,
        total=1392,
        activity="57 of 204 twins written",
    )


def watched(page: Page) -> list[str]:
    """Note each time that the page asks how far it is."""
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/starter/"):
            asked.append(request.url)

    page.on("request", note)
    return asked


@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_watched_from_the_sign_in_page_on_while_one_types_and_then_the_asking_ends(
    width: int, load: StarterLoad, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(viewport={"width": width, "height": 800}).new_page()
    asked = watched(page)
    page.goto("/")
    expect(page.get_by_text("57 of 204 twins written")).to_be_visible()
    page.get_by_label("User name").fill("curator")
    StarterLoad.objects.update(done=700, activity="496 of 1,188 votes given")
    expect(page.get_by_text("496 of 1,188 votes given")).to_be_visible()
    bar = page.get_by_role("progressbar", name="The starter campaign is being loaded")
    expect(bar).to_have_js_property("value", 0.5029)
    assert Axe().run(page).violations_count == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    StarterLoad.objects.update(campaign=CampaignFactory(slug="starter"), **DONE)
    expect(page.get_by_text("The starter campaign is loaded.")).to_be_visible()
    expect(page.get_by_label("User name")).to_have_value("curator")
    wait(page, 2_000)  # one more may have been on its way
    already = len(asked)
    wait(page, 5_000)
    assert len(asked) == already >= 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("curator", [False, True])
def test_after_signing_in_it_leads_to_what_was_loaded(
    width: int, curator: bool, load: StarterLoad, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=curator), viewport={"width": width, "height": 800})
    page.goto("/")
    notice = page.locator("#starter")
    expect(notice.get_by_text("57 of 204 twins written")).to_be_visible()
    assert Axe().run(page).violations_count == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    campaign = CampaignFactory(slug="starter", name="Everyday things")
    StarterLoad.objects.update(campaign=campaign, **DONE)
    notice.get_by_role("link", name="Show campaign").click()
    expect(page.get_by_text("Everyday things").first).to_be_visible()
    expect(notice).to_have_count(0)


def test_without_javascript_a_reload_shows_how_far_it_is(
    load: StarterLoad, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto("/sign-in/")
    expect(page.get_by_text("57 of 204 twins written")).to_be_visible()
    StarterLoad.objects.update(activity="58 of 204 twins written")
    page.reload()
    expect(page.get_by_text("58 of 204 twins written")).to_be_visible()
