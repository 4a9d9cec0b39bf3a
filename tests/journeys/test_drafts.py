"""What a writer types is never lost: not by a reload, not by a lease that ends."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from collection.models import Assignment, Twin
from tests.factories import OPTIONS, SENTENCES, AssignmentFactory, UserFactory

pytestmark = pytest.mark.journey


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    return AssignmentFactory(worker=UserFactory(username="alice"))


def type_twin(page: Page, assignment: Assignment) -> None:
    page.goto(f"/campaigns/{assignment.campaign.slug}/write/")
    page.get_by_label("Your anchor").fill("suitcase")
    page.get_by_label("Things").check()
    page.get_by_label("Option 1", exact=True).first.fill(OPTIONS[0])
    page.get_by_label("Option 2", exact=True).first.fill(OPTIONS[1])
    page.get_by_label("Sentence 1").fill(SENTENCES[0])
    page.get_by_label("Option 1 trophy").check()
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit the twin").click()


def test_typed_text_survives_a_reload(assignment: Assignment, sign_in: Callable[..., Page]) -> None:
    page = sign_in(assignment.worker)
    type_twin(page, assignment)
    page.reload()
    expect(page.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    expect(page.get_by_label("Things")).to_be_checked()
    expect(page.get_by_text("Your text from before is back.")).to_be_visible()
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    expect(page.locator(".chip[aria-pressed=true]")).to_have_text("Suitcase")


def test_a_receipt_ends_the_draft(assignment: Assignment, sign_in: Callable[..., Page]) -> None:
    page = sign_in(assignment.worker)
    type_twin(page, assignment)
    assert page.evaluate("localStorage.length") == 1
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    page.wait_for_function("localStorage.length === 0")


def test_a_lease_that_ended_is_renewed_and_the_twin_submitted(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    type_twin(page, assignment)
    Assignment.objects.update(leased_until=timezone.now() - timedelta(minutes=1))
    submit(page)
    expect(page.get_by_role("alert").filter(has_text="nothing you wrote is lost")).to_be_visible()
    expect(page.get_by_label("Sentence 1")).to_have_value(SENTENCES[0])
    page.get_by_role("button", name="Renew and submit again").click()
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert Twin.objects.count() == 1


def test_a_server_that_fails_is_said_and_the_text_stays(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    type_twin(page, assignment)
    page.route("**/check/", lambda route: route.abort())
    page.get_by_label("Sentence 2").fill("Something else _")
    expect(page.get_by_text("The server did not answer.")).to_be_visible()
    page.unroute("**/check/")
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.get_by_text("The server did not answer.")).to_be_hidden()
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")


def test_who_is_signed_out_while_typing_is_told_so_and_finds_the_text_again(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    type_twin(page, assignment)
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Sentence 2").fill("Something else _")
    expect(page.get_by_text("You are signed out. Your text is kept")).to_be_visible()
    expect(page.get_by_label("Sentence 2")).to_have_value("Something else _")
    page.get_by_role("link", name="Sign in again").click()
    expect(page.get_by_label("User name")).to_be_visible()
    assert f"next=/campaigns/{assignment.campaign.slug}/write/" in page.url


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
    expect(page.locator("#id_sentence1[aria-invalid]")).to_have_count(0)
