"""The validation page in a browser: ahead of the server, kept alive, and never at a loss."""

import time
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.journeys.servers import Server
from tests.journeys.test_kept_text import sign
from tests.journeys.validating import (
    PHONE,
    RECORDED,
    VALIDATE,
    begin,
    kitchen,
    open_sentence,
    receipt,
    settled,
    taken_over,
    two_in_hand,
    until,
    vote,
)
from validation.models import Seat, Vote
from workers.models import LedgerEntry, User

pytestmark = pytest.mark.usefixtures("noon")


def test_a_report_and_what_is_typed_outlive_the_first_step_and_a_reload(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(1)
    page = begin(sign_in, bob)
    page.get_by_text("Report a problem").click()
    page.get_by_label("It is not a sentence").check()
    open_sentence(page)
    expect(page.get_by_label("It is not a sentence")).to_be_checked()
    page.get_by_label("Comment for the curators").fill("A word is missing.")
    page.locator("input[name=option][value='2']").check()
    page.reload()
    expect(page.locator("input[name=option][value='2']")).to_be_checked()
    expect(page.get_by_label("It is not a sentence")).to_be_checked()
    page.get_by_role("button", name="No, clearly one").click()
    expect(receipt(page)).to_contain_text(RECORDED)
    said = Vote.objects.get()
    assert (said.report, said.comment) == ("no_sentence", "A word is missing.")
    assert page.evaluate("sessionStorage.getItem('wino:typed')") is None


@pytest.mark.long
def test_the_next_question_is_there_while_the_vote_is_still_on_its_way(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    held_back: list[Route] = []
    kitchen(2)
    page = begin(sign_in, bob)
    page.route("**/vote/", lambda route: held_back.append(route))
    open_sentence(page)
    until(two_in_hand(bob), page)
    vote(page)
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    expect(receipt(page)).to_contain_text("Your answer is being sent.")
    expect(page.locator("h1")).to_be_focused()
    assert not Vote.objects.exists()
    [sent] = held_back
    sent.continue_()
    expect(receipt(page)).to_contain_text(RECORDED)
    expect(receipt(page)).to_contain_text("1 validated today · $0.03")
    expect(page.locator("#announce")).to_have_text(RECORDED)
    assert Vote.objects.count() == 1


def test_a_vote_that_the_network_loses_is_kept_and_sent_once(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(1)
    page = begin(sign_in, bob)
    open_sentence(page)
    page.route("**/vote/", lambda route: route.abort())
    vote(page, clarity="Yes, both plausible")
    expect(page.locator("#kept")).to_contain_text("Your answer is kept in this browser")
    page.unroute("**/vote/")
    page.reload()  # another tab, another day: it is in the browser
    expect(page.get_by_text("Nothing to validate at the moment")).to_be_visible()
    expect(page.locator("#kept")).to_be_hidden()
    expect(receipt(page)).to_contain_text(RECORDED)
    assert Vote.objects.get().ambiguous
    assert page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.long
def test_a_vote_whose_answer_gets_lost_is_one_vote(bob: User, sign_in: Callable[..., Page]) -> None:
    kitchen(1)
    page = begin(sign_in, bob)
    open_sentence(page)

    def stored_unheard(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/vote/", stored_unheard, times=1)
    vote(page)
    expect(receipt(page)).to_contain_text(RECORDED)
    assert (Vote.objects.count(), LedgerEntry.objects.count()) == (1, 1)


@pytest.mark.long
def test_a_vote_that_comes_too_late_is_said_and_not_kept_forever(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(2)
    page = begin(sign_in, bob)
    open_sentence(page)
    until(two_in_hand(bob), page)
    taken_over(Seat.objects.filter(worker=bob).order_by("claimed_at")[0])
    vote(page)
    expect(receipt(page)).to_contain_text("Your answer to the last question was not saved.")
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).length") == 0


@pytest.mark.long
def test_another_persons_answer_is_not_sent_in_ones_own_name(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(1)
    page = sign_in(bob)
    page.goto(VALIDATE)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(urlsplit(request.url).path))
    page.evaluate(
        """bob => {
            for (const [validator, address] of [["somebody-else", "/theirs/"], [bob, "/mine/"]]) {
                const vote = {seat: "x", address, fields: {}, at: Date.now()};
                localStorage.setItem(`wino:vote:${validator}:x`, JSON.stringify(vote));
            }
        }""",
        bob.public_id,
    )
    page.reload()
    until(lambda: "/mine/" in sent, page)
    until(lambda: page.evaluate("Object.keys(localStorage).length") == 1, page)
    assert "/theirs/" not in sent


@pytest.mark.long
def test_a_killed_server_gets_the_vote_once_it_is_back(
    bob: User, server: Server, new_context: Callable[..., BrowserContext]
) -> None:
    kitchen(2)
    page = sign(new_context(), bob)
    page.goto(server.address + VALIDATE)
    page.get_by_role("button", name="Get a question").click()
    with page.expect_response("**/ahead/") as ahead:
        open_sentence(page)
    ahead.value.finished()
    server.kill()
    vote(page)
    expect(page.locator("#kept")).to_be_visible()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    assert not Vote.objects.exists()
    server.start()
    expect(receipt(page)).to_contain_text(RECORDED)
    expect(page.locator("#kept")).to_be_hidden()
    assert (Vote.objects.count(), LedgerEntry.objects.count()) == (1, 1)


# -- undo and reports ------------------------------------------------------------------------------


@pytest.mark.long
def test_the_last_vote_is_changed_until_the_next_answer(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(2)
    page = begin(sign_in, bob)
    open_sentence(page)
    vote(page, option=2)
    expect(receipt(page)).to_contain_text(RECORDED)
    settled(page)
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="Change your last answer")).to_be_focused()
    expect(page.locator("input[name=option][value='2']")).to_be_checked()
    expect(page.get_by_role("button", name="No, clearly one · your answer")).to_be_visible()
    settled(page)
    page.keyboard.press("1")
    page.keyboard.press("b")
    expect(receipt(page)).to_contain_text("Your vote is changed.")
    given = Vote.objects.get()
    assert given.ambiguous
    assert given.amended_at is not None
    open_sentence(page)
    expect(page.get_by_role("link", name="Undo")).to_have_count(0)
    assert LedgerEntry.objects.count() == 1


@pytest.mark.long
def test_a_report_goes_with_the_vote_and_keys_rest_while_one_types(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(1)
    page = begin(sign_in, bob)
    open_sentence(page)
    settled(page)
    page.keyboard.press("p")
    page.get_by_label("It is not a sentence").check()
    page.get_by_label("Comment for the curators").press_sequentially("bcru 1: odd")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Enter")  # is no answer
    page.keyboard.press("c")
    expect(page.get_by_text(RECORDED).first).to_be_visible()
    given = Vote.objects.get()
    assert (given.comment, given.report) == ("bcru 1: odd", "no_sentence")
    assert not given.ambiguous


# -- other ways to validate
# ---------------------------------------------------------------------------


def test_a_phone_has_its_buttons_under_the_thumb(bob: User, sign_in: Callable[..., Page]) -> None:
    kitchen(1)
    page = begin(sign_in, bob, **PHONE)
    for step in (1, 2):
        boxes = [
            button.bounding_box() for button in page.locator(".validate-answers .option").all()
        ]
        assert all(box and box["height"] >= 44 for box in boxes)
        lowest = max(box["y"] + box["height"] for box in boxes if box)
        assert 500 < lowest <= 844, step
        if step == 1:
            open_sentence(page)


def test_questions_are_validated_by_keys_alone_at_the_width_of_a_phone(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    kitchen(3)
    page = sign_in(bob, **PHONE)
    page.goto(VALIDATE)
    page.keyboard.press("n")
    for key in ("c", "b", "c"):
        expect(page.get_by_text("Step 1 of 2")).to_be_visible()
        expect(page.locator("h1")).to_be_focused()
        settled(page)
        page.keyboard.press("0")
        expect(page.get_by_text("Step 2 of 2")).to_be_visible()
        settled(page)
        page.keyboard.press("2")
        page.keyboard.press(key)
    expect(page.get_by_text("Nothing to validate at the moment")).to_be_visible()
    assert [given.ambiguous for given in Vote.objects.order_by("created_at")] == [
        False,
        True,
        False,
    ]


@pytest.mark.long
def test_everything_works_without_scripts(bob: User, sign_in: Callable[..., Page]) -> None:
    kitchen(2)
    page = sign_in(bob, java_script_enabled=False)
    page.goto(VALIDATE)
    page.get_by_role("button", name="Get a question").click()
    page.get_by_role("button", name="Cannot tell").click()
    page.locator("input[name=option]").first.press("Enter")  # is no answer to the second part
    page.locator("input[name=option]").first.check()
    page.get_by_role("button", name="Yes, both plausible").click()
    expect(page.get_by_role("status").filter(has_text=RECORDED)).to_be_visible()
    page.get_by_role("link", name="Undo").click()
    expect(page.locator("input[name=option]").first).to_be_checked()
    page.get_by_role("button", name="No, clearly one").click()
    expect(page.get_by_role("status").filter(has_text="Your vote is changed.")).to_be_visible()
    assert not Vote.objects.get().ambiguous
    page.get_by_role("button", name="Cannot tell").click()
    page.get_by_text("Comment or report").click()
    page.get_by_label("It is offensive").check()
    page.get_by_role("button", name="Skip").click()
    expect(page.get_by_text("Skipped, and your report was sent.")).to_be_visible()
    assert Vote.objects.count() == 1
    assert not Seat.objects.filter(worker=bob, answered_at=None).exists()


@pytest.mark.long
def test_a_question_is_shown_at_once_after_a_vote(bob: User, sign_in: Callable[..., Page]) -> None:
    """What a validator waits for: from the click to the next question, with a slow server."""
    kitchen(2)
    page = begin(sign_in, bob)
    open_sentence(page)
    until(two_in_hand(bob), page)
    page.wait_for_timeout(200)

    def slow(route: Route) -> None:
        page.wait_for_timeout(700)
        route.continue_()

    page.route("**/vote/", slow)
    settled(page)
    page.locator("input[name=option]").first.check()
    began = time.monotonic()
    page.get_by_role("button", name="No, clearly one").click()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    assert time.monotonic() - began < 0.7
    expect(receipt(page)).to_contain_text(RECORDED)
