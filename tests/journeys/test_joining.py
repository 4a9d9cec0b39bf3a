"""Joining a campaign by keyboard alone; the curators' pages around it, looked at by axe."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from collection import services
from collection.models import Campaign, ExerciseItem, Provenance
from collection.selectors.exercise import order_shown
from collection.services.campaigns.attributes import default_attributes
from tests.factories import (
    ArticleFactory,
    CampaignFactory,
    PauseFactory,
    QualificationFactory,
    TwinFactory,
    UserFactory,
)
from tests.journeys.test_accessibility import VIEWS, assert_clean
from workers.models import Attempt, User

ITEMS = [
    services.ItemText(
        f"A draft:\n\n> The rug did not fit, because the _ was too **{word}**.\n\nIs it good?",
        ("Yes, as it is.", "No: both options are plausible.", "No: the answer is given away."),
        2,
        "Nothing says *which* of them was measured.",
    )
    for word in ("wide", "narrow")
]


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    ArticleFactory(campaign=campaign)
    services.publish_guideline(
        campaign=campaign, text="## Write\n\n- *well*\n", aids_policy="Spell checkers only."
    )
    services.set_exercise(campaign=campaign, items=ITEMS)
    services.set_attributes(campaign=campaign, rows=default_attributes())
    return campaign


def press_until(page: Page, name: str, role: str = "button") -> None:
    """Go on with Tab until the element of that name has the focus, and press it."""
    wanted = page.get_by_role(role, name=name)
    wanted.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Enter")
            return
    pytest.fail(f"“{name}” cannot be reached by keyboard")


def answer_all(page: Page, worker: User, campaign: Campaign, *, right: bool) -> None:
    """Choose in each group with the arrow keys."""
    for item in ExerciseItem.objects.current(campaign, "write"):
        place = order_shown(item, worker).index(item.answer if right else 1)
        page.locator(f"input[name='item-{item.public_id}']").first.focus()
        page.keyboard.press("Space")
        for _ in range(place):
            page.keyboard.press("ArrowDown")


@VIEWS
def test_from_the_start_page_to_an_article_by_keyboard_alone(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    worker = UserFactory()
    page = sign_in(worker, **view)
    page.goto("/")
    press_until(page, "Write · Kitchen", role="link")
    page.get_by_text("Before you write").wait_for()
    assert_clean(page)
    press_until(page, "I have read them and accept")
    page.get_by_text("$0.50, once, if you pass.").wait_for()
    assert_clean(page)
    press_until(page, "Submit test")
    page.get_by_text("Choose an answer.").first.wait_for()
    assert_clean(page)
    answer_all(page, worker, campaign, right=False)
    press_until(page, "Submit test")
    page.get_by_text("Attempt 1 explained").wait_for()
    assert_clean(page)
    press_until(page, "Try again", role="link")
    page.get_by_text("Attempt 2 of 2.").wait_for()
    answer_all(page, worker, campaign, right=True)
    press_until(page, "Submit test")
    page.get_by_text("You have passed").wait_for()
    assert_clean(page)
    press_until(page, "Start writing")
    page.get_by_label("Sentence 1").wait_for()
    assert Attempt.objects.count() == 2


@pytest.mark.long
@VIEWS
def test_the_curators_pages_are_clean(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    twin = TwinFactory(campaign=campaign)
    Provenance.objects.create(twin=twin, typed_characters=3, pasted_characters=180)
    QualificationFactory(worker=twin.author, campaign=campaign, passed=True)
    paused = PauseFactory().worker
    page = sign_in(UserFactory(curator=True), **view)
    for path in (
        reverse("campaign-guidelines", args=["kitchen"]) + "?version=1",
        reverse("campaign-exercise", args=["kitchen"]) + "?skill=validate&part=training",
        *(reverse("person", args=[who.public_id]) for who in (twin.author, paused)),
    ):
        page.goto(path)
        assert_clean(page)


@pytest.mark.long
@VIEWS
def test_a_curators_mistakes_are_shown_cleanly(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True), **view)
    page.goto(reverse("campaign-settings", args=["kitchen"]))
    page.get_by_label("Maximum words").fill("2")
    page.get_by_label("Currency").fill("usd")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Nothing was saved").wait_for()
    assert_clean(page)
    page.goto(reverse("campaign-attributes", args=["kitchen"]))
    page.get_by_label("Attributes (").fill("weight | moral | a / b")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Please fix:").wait_for()
    assert_clean(page)


@pytest.mark.long
def test_a_paused_worker_reads_why(campaign: Campaign, sign_in: Callable[..., Page]) -> None:
    worker = PauseFactory(reason="Please read the guidelines again.").worker
    page = sign_in(worker)
    page.goto("/")
    page.get_by_text("Please read the guidelines again.").wait_for()
    assert_clean(page)
