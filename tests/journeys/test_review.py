"""The review queue by keyboard, from the list to a decision and on to the next question."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection.models import Campaign
from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.validation.deciding import give
from validation.models import Verdict


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    for _ in range(3):
        give(TwinFactory(campaign=campaign, seats=3).questions.get(number=1), True, True, False)
    return campaign


def test_a_curator_goes_through_the_queue_by_keyboard(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True))
    page.goto(reverse("review-queue", args=["kitchen"]) + "?domain=physical")
    page.keyboard.press("j")
    page.wait_for_url("**/review/*?domain=physical")
    position = page.locator(".review-position")
    expect(position).to_contain_text("1 of 3")
    page.keyboard.press("j")
    expect(position).to_contain_text("2 of 3")
    page.keyboard.press("n")
    problem = page.get_by_text("Choose at least one reason why it is not valid.")
    expect(problem).to_be_in_viewport()
    expect(page.locator("[name=reasons]").first).to_be_focused()
    page.get_by_role("textbox", name="Note").fill("Both fit.")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Enter")  # decides nothing
    page.get_by_role("textbox", name="Note").focus()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Your decision is saved: the question is not valid.")).to_be_visible()
    expect(position).to_contain_text("2 of 2")
    assert Verdict.objects.get(decided_by__isnull=False).valid is False


@pytest.mark.long
def test_the_theme_is_kept_and_a_success_goes_when_the_form_changes(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True), color_scheme="light")
    page.goto(reverse("campaign-settings", args=["kitchen"]))
    page.get_by_role("button", name="dark").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Kitchens")
    page.get_by_role("button", name="Save").click()
    saved = page.get_by_text("The settings were saved.")
    expect(saved).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("textbox", name="Name", exact=True).fill("Kitchen")
    expect(saved).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=["phone", "desk"])
def test_no_decision_takes_two_lines(
    size: tuple[int, int], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    width, height = size
    page = sign_in(UserFactory(curator=True), viewport={"width": width, "height": height})
    page.goto(reverse("review-queue", args=["kitchen"]))
    page.keyboard.press("j")
    page.wait_for_url("**/review/*")
    page.locator(".review-buttons [value=swap_answers]").wait_for()
    buttons = page.locator(".review-buttons .button").all()
    heights = {button.evaluate("one => one.clientHeight") for button in buttons}
    assert len(buttons) >= 4
    assert len(heights) == 1
