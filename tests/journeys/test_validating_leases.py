"""A validator's lease in a browser: kept while they are there, lost by a sleeping tab."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.journeys.validating import (
    VALIDATE,
    begin,
    hide,
    kitchen,
    open_sentence,
    until,
    vote,
)
from validation.models import QualityNotice, Seat
from workers.models import User


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
