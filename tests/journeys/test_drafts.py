"""What a writer types is never lost: not by a reload, not by a lease that ends."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Page, expect

from collection.models import Assignment, Draft, Twin
from tests.factories import SENTENCES, AssignmentFactory, UserFactory
from tests.journeys.desk import is_saved, open_desk, submit, type_twin
from tests.journeys.validating import until
from workers.models import User


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    return AssignmentFactory(worker=UserFactory(username="alice"))


@pytest.fixture
def page(assignment: Assignment, sign_in: Callable[..., Page]) -> Page:
    """The writer's desk, with a twin typed."""
    page = sign_in(assignment.worker)
    type_twin(page, assignment)
    return page


@pytest.mark.long
def test_typed_text_survives_a_reload(page: Page) -> None:
    page.reload()
    expect(page.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    expect(page.get_by_label("Things")).to_be_checked()
    expect(page.get_by_text("Your earlier text was restored.")).to_be_visible()
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    expect(page.locator(".chip[aria-pressed=true]")).to_have_text("Suitcase")


@pytest.mark.long
def test_a_page_made_before_the_last_save_has_what_was_saved(page: Page) -> None:
    """A reload may be answered while the page that leaves still saves."""
    is_saved(page)
    earlier = page.request.get(page.url).text()
    page.get_by_label("Sentence 2").fill("Later now _")
    expect_stored(page, "Later now _")
    is_saved(page)
    page.route("**/write/", lambda route: route.fulfill(body=earlier, content_type="text/html"))
    page.reload()
    expect(page.get_by_label("Sentence 2")).to_have_value("Later now _")
    page.get_by_label("Sentence 2").fill("Last of all _")
    expect_stored(page, "Last of all _")


@pytest.mark.long
def test_a_receipt_ends_the_draft(page: Page) -> None:
    assert page.evaluate("localStorage.length") == 1
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    page.wait_for_function("localStorage.length === 0")


@pytest.mark.long
def test_a_lease_that_ended_is_renewed_and_the_twin_submitted(page: Page) -> None:
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    submit(page)
    expect(page.get_by_role("alert").filter(has_text="Your text is not lost")).to_be_visible()
    expect(page.get_by_label("Sentence 1")).to_have_value(SENTENCES[0])
    page.get_by_role("button", name="Renew time and submit").click()
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert Twin.objects.count() == 1


@pytest.mark.long
def test_a_server_that_fails_is_said_and_the_text_stays(page: Page) -> None:
    page.route("**/check/", lambda route: route.abort())
    page.get_by_label("Sentence 2").fill("Something else _")
    expect(page.get_by_text("The server does not respond.")).to_be_visible()
    page.unroute("**/check/")
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.get_by_text("The server does not respond.")).to_be_hidden()
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")


@pytest.fixture
def worker(assignment: Assignment) -> User:
    """The writer of the assignment, with a password to sign in with."""
    assignment.worker.set_password("long-enough-7")
    assignment.worker.save()
    return assignment.worker


def enter(page: Page) -> None:
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("long-enough-7")
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.long
def test_who_is_signed_out_while_typing_is_told_so_and_finds_the_text_again(
    assignment: Assignment, worker: User, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(worker)
    type_twin(page, assignment)
    is_saved(page)
    Session.objects.all().delete()  # it has run out
    page.get_by_label("Sentence 2").fill("Something else _")
    expect(page.get_by_text("You are signed out. Your text is kept")).to_be_visible()
    submit(page)
    expect(page.get_by_label("Sentence 2")).to_have_value("Something else _")
    page.get_by_role("link", name="Sign in again").click()
    assert f"next=/campaigns/{assignment.campaign.slug}/write/" in page.url
    enter(page)
    expect(page.get_by_label("Sentence 2")).to_have_value("Something else _")
    expect_stored(page, "Something else _")


@pytest.mark.long
def test_what_was_missing_is_no_longer_marked_once_it_is_there(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    page.goto(f"/campaigns/{assignment.campaign.slug}/write/")
    submit(page)
    expect(page.locator("[data-error]")).to_have_count(7)
    page.get_by_label("Sentence 1").fill(SENTENCES[0])
    page.get_by_label("Things").check()
    expect(page.locator("[data-error]")).to_have_count(5)
    expect(page.get_by_role("alert").get_by_role("link")).to_have_count(5)
    expect(page.locator("#id_sentence1[aria-invalid]")).to_have_count(0)


@pytest.mark.long
def test_another_browser_has_what_the_server_saved(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    type_twin(page := sign_in(assignment.worker), assignment)
    is_saved(page)
    other = sign_in(assignment.worker)
    open_desk(other, assignment)
    expect(other.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    expect(other.locator("#draft-note")).to_contain_text("Saved ")
    keys = [tab.locator("[name=client_key]").input_value() for tab in (page, other)]
    assert keys[0] == keys[1]


@pytest.mark.parametrize(
    ("choice", "shown", "kept"),
    [
        ("Keep this version", "Mine now _", "Theirs now _"),
        ("Use the other version", "Theirs now _", "Mine now _"),
    ],
)
def test_two_tabs_that_went_apart_lose_neither_text(
    choice: str, shown: str, kept: str, assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    mine = sign_in(assignment.worker)
    type_twin(mine, assignment)
    is_saved(mine)
    theirs = mine.context.new_page()
    open_desk(theirs, assignment)
    theirs.get_by_label("Sentence 2").fill("Theirs now _")
    expect_stored(theirs, "Theirs now _")
    mine.get_by_label("Sentence 2").fill("Mine now _")
    notice = mine.get_by_role("alert").filter(has_text="two versions of your text")
    expect(notice).to_contain_text("Theirs now _")
    expect(mine.get_by_label("Sentence 2")).to_have_value("Mine now _")
    expect(mine.get_by_text("Saving is paused until you choose")).to_be_visible()
    submit(mine)
    expect(notice).to_be_focused()
    mine.get_by_role("button", name=choice).click()
    expect(mine.get_by_label("Sentence 2")).to_have_value(shown)
    expect_stored(mine, shown)
    mine.reload()
    mine.get_by_role("button", name="Switch to it").click()
    expect(mine.get_by_label("Sentence 2")).to_have_value(kept)


def expect_stored(page: Page, sentence: str) -> None:
    for _ in range(400):
        if Draft.objects.get().fields["sentence2"] == sentence:
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"{sentence!r} is not saved: {Draft.objects.get().fields}")


def test_offline_is_said_and_what_is_typed_then_is_saved_afterwards(page: Page) -> None:
    is_saved(page)
    page.context.set_offline(True)
    outdated = page.get_by_text("These checks are outdated")
    expect(outdated).to_be_hidden()
    page.get_by_label("Sentence 2").fill("Offline and _")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    expect(outdated).to_be_visible()
    expect(page.locator(".desk-line")).to_contain_text("(outdated)")
    submit(page)
    expect(page.get_by_text("Not submitted: you are offline.")).to_be_visible()
    expect(page.get_by_label("Sentence 2")).to_have_value("Offline and _")
    page.context.set_offline(False)
    expect_stored(page, "Offline and _")
    expect(page.locator("#desk-banner")).to_be_hidden()
    expect(page.locator("#draft-note")).to_contain_text("Saved ")
    expect(page.locator("#check-summary")).to_contain_text("blocking")
    expect(outdated).to_be_hidden()


@pytest.mark.long
def test_the_banner_goes_when_the_net_is_back_though_nothing_was_typed(page: Page) -> None:
    is_saved(page)
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#desk-banner")).to_be_hidden()


@pytest.mark.long
def test_what_is_typed_before_the_script_has_come_is_saved_as_well(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    page.route("**/desk.js", lambda route: (page.wait_for_timeout(800), route.continue_()))
    page.goto(f"/campaigns/{assignment.campaign.slug}/write/", wait_until="commit")
    page.get_by_label("Sentence 1").fill("Typed early _")
    page.wait_for_load_state("load")
    is_saved(page)
    assert Draft.objects.get().fields["sentence1"] == "Typed early _"


@pytest.mark.long
def test_signing_out_and_in_again_in_another_tab_is_mended_by_itself(
    assignment: Assignment, worker: User, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(worker)
    type_twin(page, assignment)
    is_saved(page)
    other = page.context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    other.get_by_label("User name").wait_for()
    page.get_by_label("Sentence 2").fill("While signed out _")
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    enter(other)
    other.get_by_role("button", name="Sign out").wait_for()
    expect_stored(page, "While signed out _")
    expect(page.get_by_text("You are signed out.")).to_be_hidden()
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()


@pytest.mark.long
def test_a_token_that_went_stale_is_renewed_and_no_refusal_stands_among_the_checks(
    page: Page,
) -> None:
    is_saved(page)
    page.evaluate(
        "document.querySelectorAll('[name=csrfmiddlewaretoken]').forEach(i => i.value = 'x')"
    )
    page.get_by_label("Sentence 2").fill("Half _")
    expect(page.locator("#check-summary")).to_contain_text("blocking")
    expect(page.get_by_text("Please submit again")).to_have_count(0)
    expect_stored(page, "Half _")


@pytest.mark.long
def test_another_users_session_in_the_same_browser_saves_nothing_and_says_so(
    sign_in: Callable[..., Page], page: Page
) -> None:
    is_saved(page)
    other = sign_in(UserFactory())
    page.context.add_cookies(other.context.cookies())
    page.get_by_label("Sentence 2").fill("Not mine _")
    expect(page.get_by_text("Another user is now signed in.")).to_be_visible()
    submit(page)
    expect(page.get_by_label("Sentence 2")).to_have_value("Not mine _")
    assert Draft.objects.get().fields["sentence2"] == SENTENCES[1]
    assert not Twin.objects.exists()


@pytest.mark.long
def test_a_submission_that_is_repeated_after_a_reload_is_one_twin(
    assignment: Assignment, page: Page
) -> None:
    is_saved(page)
    keys: list[str | None] = []
    page.route("**/write/*/", lambda route: (keys.append(route.request.post_data), route.abort()))
    submit(page)
    until(lambda: bool(keys), page)
    page.unroute("**/write/*/")
    open_desk(page, assignment)
    key = page.locator("[name=client_key]").input_value()
    assert key in keys[0]
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert str(Twin.objects.get().client_key) == key


def test_a_reload_after_a_refused_submission_shows_the_corrected_text(page: Page) -> None:
    page.get_by_label("Sentence 2").fill("Refused without a gap")
    submit(page)
    expect(page.get_by_role("alert").filter(has_text="the checks")).to_be_visible()
    page.get_by_label("Sentence 2").fill("Corrected _")
    expect_stored(page, "Corrected _")
    page.reload()
    expect(page.get_by_label("Sentence 2")).to_have_value("Corrected _")
    page.get_by_label("Sentence 1").fill("Both corrected _")
    is_saved(page)
    assert Draft.objects.get().fields["sentence2"] == "Corrected _"


@pytest.mark.long
def test_text_corrected_offline_survives_the_reload_of_a_refused_submission(page: Page) -> None:
    page.get_by_label("Sentence 2").fill("Refused without a gap")
    submit(page)
    expect(page.get_by_role("alert").filter(has_text="the checks")).to_be_visible()
    page.route("**/draft/", lambda route: route.abort())
    page.get_by_label("Sentence 2").fill("Corrected _")
    expect(page.get_by_text("The server does not respond.")).to_be_visible()
    page.reload()
    page.unroute("**/draft/")
    expect(page.get_by_label("Sentence 2")).to_have_value("Corrected _")
    expect_stored(page, "Corrected _")


@pytest.mark.long
def test_a_refused_form_that_is_posted_again_asks_before_it_replaces_a_newer_text(
    page: Page,
) -> None:
    is_saved(page)
    page.get_by_label("Sentence 2").fill("Refused without a gap")
    is_saved(page)
    # What a reload posts where the address could not be replaced: the form of a moment ago.
    page.evaluate(
        """() => {
            const old = document.querySelector("form[data-desk]").cloneNode(true);
            old.removeAttribute("data-desk");
            old.elements.sentence2.value = "Older without a gap";
            old.elements.draft_version.value = "0";
            document.body.append(old);
            HTMLFormElement.prototype.submit.call(old);
        }"""
    )
    notice = page.get_by_role("alert").filter(has_text="two versions of your text")
    expect(notice).to_contain_text("Refused without a gap")
    expect(page.get_by_label("Sentence 2")).to_have_value("Older without a gap")
    assert Draft.objects.get().fields["sentence2"] == "Refused without a gap"
    page.get_by_role("button", name="Use the other version").click()
    expect(page.get_by_label("Sentence 2")).to_have_value("Refused without a gap")
