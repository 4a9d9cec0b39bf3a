"""axe finds nothing on any page, in light and in dark, wide and narrow."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

from collection.models import Campaign
from tests.factories import (
    SENTENCES,
    ApiTokenFactory,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    EvaluationFactory,
    FilterRunFactory,
    LedgerEntryFactory,
    PhaseFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from winoplatform.runs.models import RunStatus
from workers.models import User

pytestmark = pytest.mark.journey

WIDE = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
NARROW = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
VIEWS = pytest.mark.parametrize("view", [WIDE, NARROW], ids=["wide-light", "narrow-dark"])


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", guidelines="# Write\n\n- *well*")
    return ArticleFactory(campaign=campaign).campaign


@pytest.fixture
def worker(campaign: Campaign) -> User:
    """Somebody who has a bit of everything."""
    worker = UserFactory(username="alice")
    for question in TwinFactory(author=worker, campaign=campaign).questions.all():
        VoteFactory(question=question)
    VerdictFactory(question=question, reasons=["local"])
    VoteFactory(worker=worker)
    LedgerEntryFactory(worker=worker)
    ApiTokenFactory(user=worker)
    return worker


def assert_clean(page: Page) -> None:
    """Nothing for axe, in light and in dark, and nothing wider than the window."""
    # A page without its stylesheet yet would be judged by the browser's own colours.
    page.wait_for_load_state("load")
    assert_no_violation(page)
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if is_dark else "dark")
    assert_no_violation(page, runOnly=["color-contrast"])  # the rest has no colour
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) <= 0, page.url


def assert_no_violation(page: Page, **options: Any) -> None:
    found = Axe().run(page, options=options)
    assert found.violations_count == 0, found.generate_report()


@VIEWS
def test_pages_of_workers(
    view: dict[str, Any], worker: User, campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(worker, **view)
    start = reverse("author", args=["kitchen"])
    for path in ("/", "/my-work/", "/tokens/", start, "/campaigns/kitchen/judge/", "/nowhere/"):
        page.goto(path)
        assert_clean(page)
    page.goto(reverse("campaign", args=["kitchen"]))
    assert_clean(page)
    page.goto(reverse("receipt", args=[worker.twins.get().public_id]))
    assert_clean(page)


@VIEWS
def test_the_sign_in_page(
    view: dict[str, Any], campaign: Campaign, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(**view).new_page()
    page.goto("/sign-in/")
    assert_clean(page)
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    assert_clean(page)


@VIEWS
def test_writing_with_a_mistake(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    worker = UserFactory()
    AssignmentFactory(worker=worker, campaign=campaign, article=campaign.articles.get())
    page = sign_in(worker, **view)
    page.goto(reverse("author", args=["kitchen"]))
    page.get_by_role("button", name="Suitcase", exact=True).click()
    page.get_by_label("Sentence 1").fill(SENTENCES[0])
    page.get_by_label("Sentence 2").fill("Too short.")
    page.locator(".reading mark").first.wait_for()
    assert_clean(page)
    page.get_by_role("button", name="Submit the twin").click()
    page.get_by_text("Choose what the twin is about.").wait_for()
    assert_clean(page)


@VIEWS
def test_both_steps_of_judging(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    worker = UserFactory()
    SeatFactory(worker=worker, question=TwinFactory(campaign=campaign).questions.first())
    page = sign_in(worker, **view)
    page.goto(reverse("judge", args=["kitchen"]))
    assert_clean(page)
    page.keyboard.press("0")
    page.get_by_text("Step 2 of 2").wait_for()
    page.wait_for_selector("#question:not([data-settling])")
    page.keyboard.press("1")
    assert_clean(page)
    page.keyboard.press("c")
    page.get_by_text("Nothing to judge right now").wait_for()
    assert_clean(page)


@VIEWS
def test_pages_of_curators(
    view: dict[str, Any], worker: User, campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    run = FilterRunFactory(encoding__snapshot__campaign=campaign, status=RunStatus.RUNNING)
    for number in (1, 2):
        PhaseFactory(run=run, number=number)
    waiting = ReleaseFactory(filter_run=run)
    release = ReleaseFactory(finished=True)
    ReleaseFileFactory(release=release)
    EvaluationFactory(release=release, finished=True)
    page = sign_in(UserFactory(curator=True), **view)
    for path in (
        "/",
        "/tokens/",
        reverse("campaign", args=["kitchen"]),
        reverse("filter-run", args=[run.public_id]),
        reverse("release", args=[release.name]),
        reverse("release", args=[waiting.name]),
    ):
        page.goto(path)
        assert_clean(page)
