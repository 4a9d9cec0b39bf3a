"""Slow and lost answers: no keystroke goes, no older answer comes last, no twin is doubled."""

from collections.abc import Callable
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Page, Route, expect

from collection.models import Assignment, Draft, Twin
from tests.factories import OPTIONS, SENTENCES, AssignmentFactory
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit, type_twin
from tests.journeys.timers import be_impatient, wait
from tests.journeys.validating import until
from workers.models import LedgerEntry

SLOW = 300  # milliseconds: a page's own checks begin sooner, its saves later


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    return AssignmentFactory()


@pytest.fixture
def page(assignment: Assignment, sign_in: Callable[..., Page]) -> Page:
    page = sign_in(assignment.worker)
    open_desk(page, assignment)
    return page


def later(page: Page, milliseconds: int) -> Callable[[Route], None]:
    """Answer a request only after a while, as a far server does."""

    def answer(route: Route) -> None:
        page.wait_for_timeout(milliseconds)
        route.continue_()

    return answer


def test_nothing_typed_is_lost_while_every_answer_is_late(page: Page) -> None:
    fill_twin(page, SENTENCES[0], "")
    for address in ("**/check/", "**/draft/"):
        page.route(address, later(page, SLOW))
    second = page.get_by_label("Sentence 2")
    second.press_sequentially(SENTENCES[1], delay=12)  # longer than a save and several checks
    expect(second).to_have_value(SENTENCES[1])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    page.wait_for_function("() => JSON.parse(Object.values(localStorage)[0]).isDirty === false")
    assert Draft.objects.get().fields["sentence2"] == SENTENCES[1]
    assert Draft.objects.get().evidence["typed_characters"] >= len(SENTENCES[1])


@pytest.mark.long
def test_the_answer_to_an_older_text_does_not_come_last(page: Page) -> None:
    fill_twin(page)
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    asked: list[Route] = []

    def first_late(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.continue_()

    page.route("**/check/", first_late)
    second = page.get_by_label("Sentence 2")
    second.fill("Too short _")
    until(lambda: bool(asked), page)
    second.fill(SENTENCES[1])
    until(lambda: len(asked) == 2, page)
    asked[0].continue_()
    wait(page, 3_000)
    bodies = [route.request.post_data or "" for route in asked]
    assert ["Too short" in unquote_plus(body) for body in bodies] == [True, False]
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    expect(page.locator(".reading mark")).to_have_text(["large.", "small."])


@pytest.mark.long
def test_a_submit_button_pressed_twice_makes_one_twin(page: Page) -> None:
    fill_twin(page)
    page.route("**/write/*/", later(page, SLOW))
    # In the page itself: a pointer waits for a page that is about to go.
    page.get_by_role("button", name="Submit").evaluate(
        "button => { button.click(); button.click(); setTimeout(() => button.click(), 500); }"
    )
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert (Twin.objects.count(), LedgerEntry.objects.count()) == (1, 1)


@pytest.mark.long
def test_a_submission_whose_answer_was_lost_is_sent_again_and_gives_the_same_receipt(
    assignment: Assignment, page: Page
) -> None:
    type_twin(page, assignment)
    is_saved(page)
    sent: list[str] = []

    def stored_but_not_answered(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort()
        sent.append(route.request.post_data or "")

    page.route("**/write/*/", stored_but_not_answered)
    submit(page)
    until(lambda: bool(sent), page)
    [twin] = Twin.objects.all()
    assert str(twin.client_key) in sent[0]
    page.unroute("**/write/*/")
    page.reload()  # what a browser offers on its page that says so: it sends the form again
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert str(twin.public_id) in page.url
    assert (Twin.objects.count(), LedgerEntry.objects.count()) == (1, 1)


@pytest.mark.long
def test_a_server_that_hangs_is_said_and_nothing_is_submitted(page: Page) -> None:
    fill_twin(page)
    is_saved(page)
    be_impatient(page)
    page.route("**/draft/", lambda route: None)  # never answered
    submit(page)
    expect(page.locator("#draft-note")).to_have_text("Submitting …")
    expect(page.get_by_text("Not submitted")).to_be_visible()
    page.unroute("**/draft/")
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()


@pytest.mark.long
def test_a_token_that_stays_refused_is_not_asked_for_forever(page: Page) -> None:
    fill_twin(page)
    is_saved(page)
    asked: list[str] = []
    page.route("**/check/", lambda route: (asked.append("check"), route.fulfill(status=403)))
    page.get_by_label("Sentence 2").fill("Half _")
    until(lambda: len(asked) >= 2, page)
    wait(page, 2_000)
    # A check of the earlier text may still have been on its way.
    assert len(asked) <= 4
    asked.clear()
    wait(page, 4_000)
    assert asked == []


@pytest.mark.long
def test_who_reads_a_remark_by_keyboard_stays_there_when_the_checks_come_again(page: Page) -> None:
    fill_twin(page, SENTENCES[0], SENTENCES[1].replace("_", "it"))
    page.get_by_role("link", name="Sentence 2 has no blank").focus()
    put(page, option2="sofa")
    expect(page.get_by_text("“sofa”").first).to_be_attached()
    wait(page, 2_000)
    assert page.evaluate("document.activeElement.dataset.place") == "sentence2"
    put(page, option2=OPTIONS[1], sentence2=SENTENCES[1])
    expect(page.locator("#check-title")).to_be_focused()


def put(page: Page, **texts: str) -> None:
    """Change fields without taking the focus, as a check that was on its way would find them."""
    for name, text in texts.items():
        page.locator(f"#id_{name}").evaluate("(field, text) => { field.value = text; }", text)
    page.locator("#twin-form").dispatch_event("input")


@pytest.mark.long
def test_advice_on_a_text_that_is_gone_does_not_stay(page: Page) -> None:
    fill_twin(page)
    expect(page.get_by_text("No suggestions")).to_be_visible()
    page.get_by_label("Sentence 2").fill("")
    expect(page.get_by_text("After both sentences are complete")).to_be_visible()
