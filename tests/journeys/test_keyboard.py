"""Validating with the keys that are printed on the buttons, and writing without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from collection.models import Campaign
from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import begin, kitchen, settled
from validation.models import PassedSeat, Vote
from workers.models import User


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen")
    for _ in range(2):
        TwinFactory(campaign=campaign, seats=3)
    return campaign


@pytest.fixture
def page(campaign: Campaign, sign_in: Callable[..., Page]) -> Page:
    """Where a validator begins."""
    page = sign_in(UserFactory())
    page.goto("/campaigns/kitchen/validate/")
    return page


def test_two_questions_are_validated_with_nothing_but_keys(page: Page) -> None:
    page.keyboard.press("n")
    for key in ("c", "b"):
        expect(page.get_by_text("Step 1 of 2")).to_be_visible()
        expect(page.locator("h1")).to_be_focused()
        settled(page)
        page.keyboard.press("0")
        expect(page.get_by_text("Step 2 of 2")).to_be_visible()
        settled(page)
        page.keyboard.press("2")
        expect(page.locator("input[value='2']")).to_be_checked()
        page.keyboard.press(key)
    expect(page.get_by_text("Nothing to validate at the moment")).to_be_visible()
    votes = Vote.objects.order_by("pk")
    assert [vote.ambiguous for vote in votes] == [False, True]
    assert [vote.local_option for vote in votes] == [None, None]


def test_a_vote_without_an_option_is_not_sent(page: Page) -> None:
    for key, then in (("n", "Step 1 of 2"), ("1", "Step 2 of 2")):
        page.keyboard.press(key)
        expect(page.get_by_text(then)).to_be_visible()
        settled(page)
    page.keyboard.press("c")
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    assert not Vote.objects.exists()


def test_a_key_pressed_twice_does_not_answer_the_next_step(page: Page) -> None:
    page.keyboard.press("n")
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    settled(page)
    # The second press comes in the very moment at which the new step is there.
    page.evaluate(
        """document.addEventListener("htmx:afterSettle", () => document.body.dispatchEvent(
            new KeyboardEvent("keydown", {key: "1", bubbles: true})), {once: true})"""
    )
    page.keyboard.press("1")
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    settled(page)
    expect(page.locator("input[name=option]:checked")).to_have_count(0)


def test_a_key_held_with_control_is_the_browsers_own(page: Page) -> None:
    page.keyboard.press("n")
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    settled(page)
    page.keyboard.press("Control+c")
    page.keyboard.press("r")
    expect(page.get_by_text("Skipped.")).to_be_visible()
    assert PassedSeat.objects.count() == 1


def test_a_question_is_validated_without_scripts(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(), java_script_enabled=False)
    page.goto("/campaigns/kitchen/validate/")
    page.get_by_role("button", name="Get a question").click()
    page.get_by_role("button", name="Cannot tell").click()
    page.locator("input[name=option]").first.check()
    page.get_by_role("button", name="Yes, both plausible").click()
    expect(page.get_by_role("status").filter(has_text="Your vote is recorded.")).to_be_visible()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    assert Vote.objects.get().ambiguous


def test_the_page_skips_to_its_content_with_the_first_tab(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory())
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_keys_are_changed_and_switched_off(bob: User, sign_in: Callable[..., Page]) -> None:
    kitchen(2)
    page = begin(sign_in, bob)
    settled(page)
    choice = page.locator("[data-keys]")
    page.get_by_role("button", name="Keyboard shortcuts").click()
    unsure = choice.get_by_label("Cannot tell")
    expect(unsure).to_have_value("0")
    assert_clean(page)
    unsure.fill("q")
    unsure.press("Enter")
    page.keyboard.press("Escape")
    printed = page.get_by_role("button", name="Cannot tell").locator("kbd")
    expect(printed).to_have_text("Q")
    page.reload()
    expect(printed).to_have_text("Q")
    page.locator("h1").focus()
    page.keyboard.press("0")
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    page.keyboard.press("q")
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    choice.get_by_label("Single letters, digits and ? press buttons").uncheck()
    expect(choice.get_by_text("shows this list")).to_be_hidden()
    choice.get_by_role("button", name="Close").click()
    expect(page.locator("#vote kbd").first).to_be_hidden()
    page.locator("h1").focus()
    page.keyboard.press("1")
    expect(page.locator("input[name=option][value='1']")).not_to_be_checked()
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Keyboard shortcuts").click()
    choice.get_by_role("button", name="Use the original keys").click()
    expect(choice.get_by_text("shows this list")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("h1").focus()
    page.keyboard.press("1")
    expect(page.locator("input[name=option][value='1']")).to_be_checked()
