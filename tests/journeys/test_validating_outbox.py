"""Votes that wait in the browser, and leases: kept while one is there, lost by a sleeping tab."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.journeys.validating import (
    RECORDED,
    VALIDATE,
    begin,
    hide,
    kitchen,
    open_sentence,
    receipt,
    settled,
    taken_over,
    two_in_hand,
    until,
    vote,
)
from validation.models import QualityNotice, Seat, Vote
from workers.models import User

pytestmark = pytest.mark.usefixtures("noon")


@pytest.fixture
def page(bob: User, sign_in: Callable[..., Page]) -> Page:
    """Bob's page with the one question there is."""
    kitchen(1)
    return begin(sign_in, bob)


@pytest.mark.long
def test_a_vote_on_its_way_is_not_said_to_be_recorded_by_the_receipt_of_another(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(3)
    page = begin(sign_in, bob)
    open_sentence(page)
    until(two_in_hand(bob), page)
    held_back: list[tuple[Route, APIResponse | None]] = []

    def slow(route: Route) -> None:
        held_back.append((route, None if held_back else route.fetch()))  # the first is stored

    page.route("**/vote/", slow)
    vote(page)
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    until(Vote.objects.exists, page)
    open_sentence(page)
    until(two_in_hand(bob), page)
    first, answer = held_back[0]
    first.fulfill(response=answer)
    expect(page.locator("#announce")).to_have_text(RECORDED)
    vote(page)
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    expect(receipt(page)).to_have_text("Your answer is being sent.")
    assert Vote.objects.count() == 1
    held_back[1][0].continue_()
    expect(receipt(page)).to_contain_text(RECORDED)
    assert Vote.objects.count() == 2


@pytest.mark.long
def test_after_a_reload_the_answer_on_its_way_cannot_be_given_otherwise(page: Page) -> None:
    open_sentence(page)
    page.route("**/vote/", lambda route: route.abort())
    vote(page)
    expect(page.locator("#kept")).to_be_visible()
    page.unroute("**/vote/")
    held_back: list[Route] = []
    page.route("**/vote/", lambda route: held_back.append(route))
    page.reload()
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    expect(page.get_by_role("button", name="Yes, both plausible")).to_be_disabled()
    expect(receipt(page)).to_have_text("Your answer is being sent.")
    until(lambda: len(held_back) == 1, page)
    # As another tab would, which knew nothing of the first answer.
    page.evaluate(
        """() => {
            const [key] = Object.keys(localStorage), vote = JSON.parse(localStorage[key]);
            vote.fields.clarity = "both";
            localStorage[key] = JSON.stringify({...vote, at: vote.at + 1});
        }"""
    )
    held_back[0].continue_()
    until(lambda: len(held_back) == 2, page)
    assert not Vote.objects.get().ambiguous
    held_back[1].continue_()
    expect(receipt(page)).to_contain_text("Your answer to the last question was not saved.")
    assert page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.long
def test_a_question_validated_already_does_not_come_again_while_an_earlier_vote_is_stuck(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(3)
    page = begin(sign_in, bob)
    open_sentence(page)
    until(two_in_hand(bob), page)
    first = Seat.objects.filter(worker=bob).order_by("claimed_at")[0]
    page.route(f"**/{first.public_id}/vote/", lambda route: route.fulfill(status=500))
    vote(page)
    with page.expect_response("**/ahead/"):
        open_sentence(page)
    second = Seat.objects.filter(worker=bob).order_by("claimed_at")[1]
    vote(page)  # goes past the one that is stuck
    until(lambda: Vote.objects.filter(seat=second).exists(), page)
    shown = page.locator("#lease")
    expect(shown).to_have_attribute("data-seat", str(first.public_id))
    expect(page.get_by_role("button", name="Yes, both plausible")).to_be_disabled()
    expect(page.locator("#kept")).to_be_visible()
    page.unroute(f"**/{first.public_id}/vote/")
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    assert Vote.objects.count() == 2
    assert shown.get_attribute("data-seat") not in {str(first.public_id), str(second.public_id)}


@pytest.mark.long
def test_a_question_whose_vote_is_on_its_way_cannot_be_given_back(page: Page) -> None:
    open_sentence(page)
    held_back: list[Route] = []
    page.route("**/vote/", lambda route: held_back.append(route))
    vote(page)
    until(lambda: len(held_back) == 1, page)
    expect(page.get_by_role("button", name="Skip")).to_be_disabled()
    page.keyboard.press("r")
    held_back[0].continue_()
    expect(receipt(page)).to_contain_text(RECORDED)
    assert Vote.objects.count() == 1


def test_an_answer_to_the_first_step_given_offline_is_kept_and_sent_on_return(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(2)
    page = begin(sign_in, bob)
    open_sentence(page)
    until(two_in_hand(bob), page)
    vote(page)
    expect(receipt(page)).to_contain_text(RECORDED)
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    page.context.set_offline(True)
    settled(page)
    page.get_by_role("button", name="Cannot tell").click()
    expect(page.locator("#kept")).to_be_visible()
    expect(page.locator("#connection")).to_be_hidden()
    expect(receipt(page)).to_have_text("Your answer is being sent.")
    expect(page.get_by_role("button", name="Cannot tell")).to_be_disabled()
    expect(page.get_by_role("button", name="Skip")).to_be_disabled()
    page.context.set_offline(False)
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    expect(page.locator("#kept")).to_be_hidden()
    expect(page.get_by_role("button", name="Yes, both plausible")).to_be_enabled()


@pytest.mark.long
def test_an_answer_to_the_first_step_survives_a_reload_and_is_sent_then(page: Page) -> None:
    page.route("**/part/", lambda route: route.abort())
    settled(page)
    page.get_by_role("button", name="Cannot tell").click()
    expect(page.locator("#kept")).to_be_visible()
    page.unroute("**/part/")
    page.reload()
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    expect(page.get_by_role("button", name="Yes, both plausible")).to_be_enabled()
    assert page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.long
def test_a_first_answer_to_a_question_that_is_gone_is_refused_in_words(
    bob: User, page: Page
) -> None:
    taken_over(Seat.objects.get(worker=bob))
    settled(page)
    page.get_by_role("button", name="Cannot tell").click()
    expect(page.locator("#question .notice-bad")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.long
def test_a_short_lease_is_kept_alive_while_the_validator_is_there(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(1, vote_minutes=1)
    page = sign_in(bob)
    page.clock.install()
    page.goto(VALIDATE)
    page.get_by_role("button", name="Get a question").click()
    expect(page.locator("#lease")).to_contain_text("1 minute left")
    soon = timezone.now() + timedelta(seconds=20)
    Seat.objects.filter(worker=bob).update(leased_until=soon)
    page.clock.run_for(21_000)
    until(lambda: Seat.objects.get(worker=bob).leased_until > soon, page)
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()


@pytest.mark.long
def test_a_tab_that_sleeps_loses_its_question_and_says_so(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(2, vote_minutes=1)
    page = sign_in(bob)
    page.clock.install()
    page.goto(VALIDATE)
    page.get_by_role("button", name="Get a question").click()
    expect(page.locator("#lease")).to_be_visible()
    beats: list[str] = []
    page.on("request", lambda sent: beats.append(sent.url) if "/beat/" in sent.url else None)
    hide(page, True)
    for times in (1, 2, 2, 2):
        page.clock.run_for(21_000)
        until(lambda times=times: len(beats) == times, page)
        page.wait_for_timeout(200)
    assert len(beats) == 2
    Seat.objects.filter(worker=bob).update(leased_until=timezone.now() - timedelta(seconds=1))
    hide(page, False)
    expect(page.get_by_role("alert").filter(has_text="no longer yours")).to_be_visible()
    expect(page.locator("h1")).to_be_focused()
    page.get_by_role("button", name="Next question").click()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()


@pytest.mark.long
def test_a_page_that_nobody_touches_stops_beating(bob: User, sign_in: Callable[..., Page]) -> None:
    kitchen(1, vote_minutes=1)
    page = sign_in(bob)
    page.clock.install()
    page.goto(VALIDATE)
    page.get_by_role("button", name="Get a question").click()
    expect(page.locator("#lease")).to_be_visible()
    page.clock.run_for(150_000)
    beats: list[str] = []
    page.on("request", lambda sent: beats.append(sent.url) if "/beat/" in sent.url else None)
    page.clock.run_for(100_000)
    page.wait_for_timeout(200)
    assert beats == []
    page.keyboard.press("Shift")
    until(lambda: len(beats) == 1, page)


@pytest.mark.long
@VIEWS
def test_axe_finds_nothing_in_any_state_of_the_page(
    view: dict[str, Any], bob: User, sign_in: Callable[..., Page]
) -> None:
    campaign = kitchen(2, gold_share=Decimal("0.10"))
    QualityNotice.objects.create(
        worker=bob, campaign=campaign, kind="warning", n_right=1, n_answers=9
    )
    page = begin(sign_in, bob, **view)
    assert_clean(page)
    open_sentence(page)
    page.get_by_text("Comment or report").click()
    assert_clean(page)
    vote(page)
    expect(page.get_by_role("button", name="Mark as read")).to_be_visible()
    assert_clean(page)
    page.get_by_role("link", name="Undo").click()
    expect(page.get_by_role("heading", name="Change your last answer")).to_be_visible()
    assert_clean(page)
    page.get_by_role("link", name="Keep my answer").click()
    open_sentence(page)
    Seat.objects.filter(worker=bob, answered_at=None).update(leased_until=timezone.now())
    hide(page, False)
    expect(page.get_by_text("no longer yours")).to_be_visible()
    assert_clean(page)
