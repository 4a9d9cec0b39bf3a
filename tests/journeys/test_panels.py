"""A human evaluation from the curator's form to its result, on a phone and on a desktop."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from collection.models import Campaign
from panels.models import Panel, PanelSeat
from tests.corpora.sets import imported
from tests.factories import UserFactory
from tests.journeys.validating import PHONE, settled
from tests.panels.people import answer_all, of_a_set
from workers.models import User

WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
VIEWS = [
    pytest.param(WIDE, id="desktop", marks=pytest.mark.long),
    pytest.param(PHONE, id="phone"),
]
RECORDED = "Your answer is recorded."


def opened(sign_in: Callable[..., Page], bob: User, **options: Any) -> Page:
    page = sign_in(bob, **options)
    page.goto("/")
    page.get_by_role("link", name="Answer questions").click()
    page.get_by_role("button", name="Get a question").click()
    expect(page.get_by_role("heading", name="What fills the blank?")).to_be_visible()
    return page


def votes() -> int:
    return PanelSeat.objects.filter(answered_at__isnull=False).count()


@pytest.mark.parametrize("view", VIEWS)
def test_a_curator_asks_and_a_validator_answers(
    view: dict[str, Any], campaign: Campaign, bob: User, sign_in: Callable[..., Page]
) -> None:
    imported()
    curator = sign_in(UserFactory(curator=True), **view)
    curator.goto("/")
    curator.get_by_role("link", name="Evaluations", exact=True).click()
    curator.get_by_role("link", name="Human evaluations", exact=True).click()
    curator.get_by_role("link", name="New human evaluation").first.click()
    curator.get_by_label("Questions").select_option("reference_set:tiny:test")
    curator.get_by_label("Campaign").select_option("kitchen")
    curator.get_by_role("button", name="Show the cost").click()
    expect(curator.get_by_text("6 questions in 3 groups, 18 votes at $0.03")).to_be_visible()
    curator.get_by_role("button", name="Start").click()
    expect(curator.get_by_role("heading", name="People on tiny test")).to_be_visible()
    page = opened(sign_in, bob, **view)
    first = page.locator("button.option").first
    box, size = first.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    settled(page)
    page.keyboard.press("1")
    expect(page.get_by_text(RECORDED)).to_be_visible()
    _change_and_report(page)
    for _ in range(2):
        settled(page)
        page.locator("button.option").last.click()
    expect(page.get_by_text("The remaining questions are for other people")).to_be_visible()
    curator.reload()
    expect(curator.get_by_text("3 of 18")).to_be_visible()
    expect(curator.get_by_text(f"it is offensive · {bob.public_id}")).to_be_visible()


def _change_and_report(page: Page) -> None:
    """Take the last answer back, choose the other option, and report the question."""
    settled(page)
    page.keyboard.press("u")
    expect(page.get_by_text("Change your last answer")).to_be_visible()
    expect(page.get_by_text("1 answered, of at most 3")).to_be_visible()
    settled(page)
    page.get_by_text("Report a problem").click()
    page.get_by_text("It is offensive").click()
    page.locator("button.option").last.click()
    expect(page.get_by_text("Your answer is changed.")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("view", VIEWS)
def test_a_curator_excludes_a_vote_and_the_worker_reads_why(
    view: dict[str, Any], campaign: Campaign, bob: User, sign_in: Callable[..., Page]
) -> None:
    evaluation = of_a_set(campaign=campaign)
    answer_all(evaluation, [bob, *UserFactory.create_batch(2)])
    curator = sign_in(UserFactory(curator=True), **view)
    curator.goto(reverse("human-evaluation", args=[evaluation.public_id]))
    curator.get_by_role("link", name=bob.public_id).click()
    curator.get_by_text("Exclude …").first.click()
    curator.get_by_label("Reason; the worker reads it").first.fill("Hasty.")
    curator.get_by_role("button", name="Exclude", exact=True).first.click()
    expect(curator.get_by_text("excluded: paid, not used")).to_be_visible()
    assert curator.evaluate("document.documentElement.scrollWidth") <= view["viewport"]["width"]
    page = sign_in(bob, **view)
    page.goto(reverse("my-appeals"))
    expect(page.get_by_text("Hasty.")).to_be_visible()
    expect(page.get_by_role("link", name="Appeal The cup")).to_be_visible()


@pytest.mark.long
def test_an_answer_given_while_the_server_is_away_is_kept_over_a_reload_and_sent_once(
    campaign: Campaign, bob: User, sign_in: Callable[..., Page]
) -> None:
    of_a_set(campaign=campaign)
    page = opened(sign_in, bob)
    settled(page)
    page.route("**/vote/", lambda route: route.abort())
    page.locator("button.option").first.click()
    expect(page.get_by_text("Your answer is kept in this browser")).to_be_visible()
    page.reload()
    expect(page.locator("button.option").first).to_be_disabled()
    assert votes() == 0
    page.unroute("**/vote/")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_text(RECORDED)).to_be_visible()
    assert votes() == 1


@pytest.mark.long
def test_two_tabs_show_one_question_and_store_one_vote(
    campaign: Campaign, bob: User, sign_in: Callable[..., Page]
) -> None:
    evaluation = of_a_set(campaign=campaign)
    page = opened(sign_in, bob)
    other = page.context.new_page()
    other.goto(reverse("answer-human", args=[evaluation.public_id]))
    for tab in (page, other):
        settled(tab)
        tab.get_by_role("button", name="the cup").click()
        expect(tab.get_by_text(RECORDED)).to_be_visible()
    assert votes() == 1


@pytest.mark.long
def test_after_the_session_ended_the_answer_waits_for_the_sign_in(
    campaign: Campaign, bob: User, sign_in: Callable[..., Page]
) -> None:
    of_a_set(campaign=campaign)
    page = opened(sign_in, bob)
    settled(page)

    def signed_out(route: Route) -> None:
        route.fulfill(status=401)

    page.route("**/vote/", signed_out)
    page.locator("button.option").first.click()
    expect(page.get_by_text("You are no longer signed in on this page")).to_be_visible()
    page.unroute("**/vote/")
    page.reload()
    expect(page.get_by_text(RECORDED)).to_be_visible()
    assert votes() == 1


@pytest.mark.long
def test_a_lost_question_is_told_of_and_the_next_one_is_one_click_away(
    campaign: Campaign, bob: User, sign_in: Callable[..., Page]
) -> None:
    of_a_set(campaign=campaign)
    page = opened(sign_in, bob)
    held = PanelSeat.objects.get(worker=bob)
    PanelSeat.objects.filter(pk=held.pk).update(leased_until=held.claimed_at, spare=True)
    settled(page)
    page.locator("button.option").first.click()
    expect(page.get_by_text("its time ran out")).to_be_visible()
    page.get_by_role("button", name="Next question").click()
    expect(page.get_by_role("heading", name="What fills the blank?")).to_be_visible()
    assert Panel.objects.get().seats.filter(worker=bob).count() == 1
