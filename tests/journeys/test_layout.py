"""How pages are laid out, where only a browser knows it."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection import services
from collection.models import Assignment, Campaign
from tests.factories import AssignmentFactory, SnapshotFactory, UserFactory
from tests.filtering.evidence_made import assessed_run
from tests.journeys.desk import open_desk
from tests.journeys.validating import PHONE

WIDE = {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture
def assignment(campaign: Campaign) -> Assignment:
    return AssignmentFactory(campaign=campaign, worker=UserFactory(username="alice"))


def test_the_current_tab_of_a_campaign_is_in_sight_on_a_phone(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), **PHONE)
    page.goto(reverse("golds", args=[campaign.slug]))
    expect(page.locator(".sub-nav [aria-current]")).to_be_in_viewport(ratio=0.9)
    tabs = page.locator(".sub-nav")
    assert "linear-gradient" in tabs.evaluate("one => getComputedStyle(one).backgroundImage")


def test_the_inputs_of_the_settings_line_up_beside_a_label_of_two_lines(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), **WIDE)
    page.goto(reverse("campaign-settings", args=[campaign.slug]))
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".settings-fields")].map((group) => {
            const tops = {};
            for (const field of group.querySelectorAll(".field")) {
                const input = field.querySelector("input, select");
                const row = Math.round(field.getBoundingClientRect().top);
                (tops[row] ??= new Set()).add(Math.round(input.getBoundingClientRect().top));
            }
            return Object.values(tops).map((found) => found.size);
        }).flat()"""
    )
    assert len(rows) > 5
    assert set(rows) == {1}


def test_on_a_phone_the_guidelines_are_accepted_at_their_end(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    """Before: in a bar at the foot of the window, two screens before one could have read them."""
    text = "\n".join(f"{number}. Write clearly, and use names." for number in range(1, 60))
    services.publish_guideline(campaign=campaign, text=text, aids_policy="")
    page = sign_in(UserFactory(), **PHONE)
    page.goto(reverse("join", args=[campaign.slug]))
    accept = page.get_by_role("button", name="I have read them")
    expect(accept).not_to_be_in_viewport()
    accept.scroll_into_view_if_needed()
    expect(page.get_by_role("link", name="I do not want to take part")).to_be_in_viewport(ratio=1)
    last = page.locator(".prose-card .prose li").last.bounding_box()
    button = accept.bounding_box()
    assert last
    assert button
    assert last["y"] + last["height"] <= button["y"]


def test_a_laptop_shows_what_people_and_things_are(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, **WIDE)
    open_desk(page, assignment)
    expect(page.get_by_text("Names of the same gender.")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Both singular or both plural.")).to_be_in_viewport(ratio=1)


def test_keys_are_not_shown_where_there_is_no_keyboard(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    narrow = sign_in(assignment.worker, viewport={"width": 390, "height": 844})
    open_desk(narrow, assignment)
    expect(narrow.locator("kbd >> visible=true")).to_have_count(0)
    expect(narrow.locator(".keys-hint")).to_be_hidden()


def test_the_side_of_the_desk_shows_that_it_scrolls_and_its_words_are_no_badges(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, **WIDE)
    open_desk(page, assignment)
    side = page.locator(".desk-side")
    expect(side).to_have_css("scrollbar-width", "thin")
    assert "linear-gradient" in side.evaluate("one => getComputedStyle(one).backgroundImage")
    expect(page.locator(".under .count")).to_have_count(0)


def test_the_name_of_a_run_breaks_between_words_only(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    SnapshotFactory(campaign=campaign, finished=True, n_questions=40)
    page = sign_in(UserFactory(role="curator"), **WIDE)
    page.goto(reverse("pipeline", args=[campaign.slug]))
    name = page.locator(".runs tbody th").first
    expect(name).to_have_css("overflow-wrap", "break-word")


def test_the_evidence_of_a_run_is_not_cut_on_a_wide_screen(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    run = assessed_run()
    page = sign_in(UserFactory(role="curator"), **WIDE)
    page.goto(reverse("evidence", args=[run.public_id]))
    frame = page.locator(".table-frame:has(.sets)")
    assert frame.evaluate("one => one.scrollWidth <= one.clientWidth")
