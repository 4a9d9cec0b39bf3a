"""What was typed is not lost: a missing field, an ended session, Back after a submission."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection.models import Assignment, Campaign
from tests.factories import (
    AssignmentFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import typed
from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.validation.deciding import give
from validation.models import Appeal
from workers.models import User


def fill(page: Page, without: str = "") -> None:
    """Type a whole twin but for one field."""
    fields = typed()
    for name in ("anchor", "option1", "option2", "sentence1", "sentence2"):
        page.locator(f"[name={name}]").fill("" if name == without else fields[name])
    for name in ("domain", "answer1"):
        if name != without:
            page.locator(f"[name={name}][value='{fields[name]}']").check()


@pytest.mark.long
@pytest.mark.parametrize("missing", ["option1", "sentence2", "domain"])
@VIEWS
def test_one_missing_field_is_said_and_has_the_focus(
    view: dict[str, Any], missing: str, campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    held = AssignmentFactory(campaign=campaign, worker=UserFactory())
    page = sign_in(held.worker, **view)
    page.goto(reverse("author", args=["kitchen"]))
    fill(page, without=missing)
    page.locator("#submit").click()
    alert = page.locator("main [role=alert][data-focus-now]")
    expect(alert).to_be_visible()
    page.wait_for_timeout(1500)  # the checks have answered by then
    expect(alert).to_be_visible()
    expect(alert).to_be_focused()
    assert_clean(page)


def test_a_text_outlives_the_session_and_a_sign_in_in_another_tab(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    alice: User = UserFactory(username="alice", password="long-enough-7")
    question = TwinFactory(campaign=campaign, author=alice, seats=3).questions.get(number=1)
    give(question, False, False, False)
    page = sign_in(alice)
    page.goto(reverse("make-appeal", args=["question", question.public_id]))
    text = "They read it too fast.\nPlease look again."
    page.get_by_label("Why you appeal").fill(text)
    Session.objects.all().delete()
    page.locator("main form button").last.click()
    page.get_by_role("heading", name="Nothing was saved yet: your text is here").wait_for()
    assert page.get_by_label("Text").input_value() == text
    assert_clean(page)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Sign in (opens in a new tab)").click()
    other = opened.value
    other.get_by_label("User name").fill("alice")
    other.get_by_label("Password").fill("long-enough-7")
    other.get_by_role("button", name="Sign in").click()
    other.get_by_role("link", name="My work").first.wait_for()
    page.get_by_role("button", name="Submit again").click()
    page.get_by_text("If this is your text, submit it again as alice.").wait_for()
    assert page.get_by_label("Text").input_value() == text
    page.get_by_role("button", name="Submit again").click()
    page.get_by_text("waiting for an answer").wait_for()
    assert Appeal.objects.get().text == text


@pytest.mark.long
def test_back_after_a_submission_is_no_form_of_the_finished_article(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    held = AssignmentFactory(campaign=campaign, worker=UserFactory())
    page = sign_in(held.worker)
    page.goto(reverse("author", args=["kitchen"]))
    fill(page)
    page.locator("#submit").click()
    page.get_by_role("heading", name="Your twin is submitted").wait_for()
    page.go_back()
    page.get_by_role("button", name="Get an article").wait_for()
    assert page.locator("form[data-desk]").count() == 0
    assert Assignment.objects.get().status == "submitted"
