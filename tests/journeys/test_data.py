"""A curator finds a question, decides it and exports the view, by keyboard."""

import csv
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection.models import Campaign, Question
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VerdictFactory
from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import PHONE
from validation.models import Verdict
from validation.services.review.shared import add_comment, save_view


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    for _ in range(2):
        for question in TwinFactory(campaign=campaign).questions.all():
            VerdictFactory(question=question, reasons=["ambiguous"])
    found = Question.objects.latest("pk")
    Question.objects.filter(pk=found.pk).update(
        sentence="The violin was tuned before the concert because the _ sounded wrong."
    )
    return campaign


def test_a_question_is_found_decided_and_exported_by_keyboard(
    campaign: Campaign, sign_in: Callable[..., Page], tmp_path: Path
) -> None:
    page = sign_in(UserFactory(role="curator"), viewport={"width": 1440, "height": 900})
    page.goto(reverse("campaign", args=["kitchen"]))
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.locator("#count")).to_have_text("1–4 of 4")
    page.keyboard.press("/")
    page.keyboard.type("tuning violins")
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_have_text("1–1 of 1")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("[data-row] [name=id]")).to_be_checked()
    page.get_by_role("button", name="Decide: valid …").click()
    page.get_by_label("Reason, for the audit log").fill("Only the violin can sound wrong.")
    page.get_by_role("button", name="Decide: valid: 1 question").dblclick()
    expect(page.get_by_role("status").last).to_contain_text("Done: 1 of 1. Refused: 0.")
    question = Question.objects.latest("pk")
    assert Verdict.objects.get(question=question).valid
    assert question.verdict_events.count() == 1
    page.goto(reverse("data", args=["kitchen"]))
    page.get_by_role("group", name="Verdict").get_by_label("valid 1", exact=True).click()
    expect(page.locator("#count")).to_have_text("1–1 of 1")
    assert "verdict=valid" in page.url
    assert "sort" not in page.url
    with page.expect_download() as started:
        page.get_by_role("link", name="CSV", exact=True).click()
    target = tmp_path / "view.csv"
    started.value.save_as(target)
    [row] = csv.DictReader(target.open())
    assert row["question"] == question.public_id
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Preview")).to_be_visible()
    page.keyboard.press("o")
    expect(page.get_by_text("Only the violin can sound wrong.")).to_be_visible()
    page.get_by_role("link", name="Data", exact=True).first.click()
    expect(page.locator("#count")).to_have_text("1–1 of 1")


@pytest.mark.long
def test_rows_are_previewed_by_arrows_and_commented_without_leaving_the_list(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), viewport={"width": 1440, "height": 900})
    page.goto(reverse("data", args=["kitchen"], query={"verdict": "invalid", "sort": "oldest"}))
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-opens]:focus")).to_have_count(1)
    expect(page.locator("#preview")).to_have_count(0)
    page.keyboard.press("Enter")
    ids = [question.public_id for question in Question.objects.order_by("pk")]
    expect(page.locator("#preview code")).to_have_text(ids[1])
    page.keyboard.press("ArrowDown")
    expect(page.locator("#preview code")).to_have_text(ids[2])
    assert f"show={ids[2]}" in page.url
    page.keyboard.press("Escape")
    expect(page.locator("#preview")).to_have_count(0)
    expect(page.locator(f"[data-row='{ids[2]}'] [data-opens]")).to_be_focused()
    assert "show=" not in page.url
    page.keyboard.press("Enter")
    page.get_by_label("New comment").fill("Ask the writer.\nBoth fit.")
    page.get_by_role("button", name="Add the comment").click()
    expect(page.locator("#preview .comment-text")).to_have_text("Ask the writer.\nBoth fit.")
    assert "verdict=invalid&sort=oldest" in page.url
    expect(page.get_by_text("1 comment", exact=True)).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#preview .comment-text")).to_have_count(0)


def test_an_action_needs_a_selection_and_is_undone(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), viewport={"width": 1440, "height": 900})
    page.goto(reverse("data", args=["kitchen"], query={"verdict": "invalid"}))
    exclude = page.get_by_role("button", name="Exclude …")
    expect(exclude).to_be_disabled()
    expect(page.get_by_text("Nothing is selected")).to_be_visible()
    page.keyboard.press("?")
    page.get_by_role("textbox", name="Next question").fill("m")
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("m")
    page.keyboard.press("x")
    expect(exclude).to_be_enabled()
    expect(page.get_by_text("Selected: 1")).to_be_visible()
    page.keyboard.press("x")
    expect(exclude).to_be_disabled()
    page.get_by_role("checkbox", name="All 4 of this view").check()
    expect(page.get_by_role("button", name="Export selected")).to_be_disabled()
    exclude.click()
    page.get_by_label("Reason, for the audit log").fill("Too easy.")
    page.get_by_role("button", name="Exclude: 4 questions").click()
    page.get_by_role("button", name="Undo for 4 questions").click()
    expect(page.get_by_role("status").last).to_contain_text("undone")
    page.get_by_role("link", name="Back to the list").click()
    assert "verdict=invalid" in page.url


@pytest.mark.long
def test_a_view_is_named_and_opened(campaign: Campaign, sign_in: Callable[..., Page]) -> None:
    page = sign_in(UserFactory(role="curator"), viewport={"width": 1440, "height": 900})
    page.goto(reverse("data", args=["kitchen"], query={"q": "violin", "page": "1"}))
    page.get_by_text("Save this view").click()
    page.get_by_label("Name", exact=True).fill("Violins")
    page.get_by_role("button", name="Save", exact=True).click()
    views = page.get_by_role("navigation", name="Saved views")
    expect(views.get_by_role("link", name="Violins")).to_have_attribute("aria-current", "page")
    page.get_by_text("Clear all").click()
    expect(page.locator("#count")).to_have_text("1–4 of 4")
    views.get_by_role("link", name="Violins").click()
    expect(page.locator("#count")).to_have_text("1–1 of 1")


@pytest.mark.long
def test_without_scripts_links_and_forms_do_all(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(
        UserFactory(role="curator"),
        viewport={"width": 1440, "height": 900},
        java_script_enabled=False,
    )
    page.goto(reverse("data", args=["kitchen"], query={"verdict": "invalid"}))
    page.get_by_role("button", name="Exclude …").click()
    expect(page.get_by_text("Select at least one question.")).to_be_visible()
    expect(page.locator("#count")).to_have_text("1–4 of 4")
    page.locator("[data-opens]").first.click()
    expect(page.get_by_role("complementary", name="Preview")).to_be_visible()
    page.get_by_role("link", name="Close").click()
    expect(page.get_by_role("complementary", name="Preview")).to_have_count(0)
    assert page.url.endswith("?verdict=invalid")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.long
def test_axe_finds_nothing_and_targets_are_large_enough(
    width: int, scheme: str, campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    dana = UserFactory(role="curator")
    question = Question.objects.latest("pk")
    save_view(campaign=campaign, name="Bad ones", query="verdict=invalid&twins=1", by=dana)
    add_comment(question=question, text="Both fit.", key=uuid.uuid4(), by=dana)
    page = sign_in(dana, viewport={"width": width, "height": 900}, color_scheme=scheme)
    query = {"verdict": "invalid", "twins": "1", "show": question.public_id}
    page.goto(reverse("data", args=["kitchen"], query=query))
    page.get_by_text("Save this view").click()
    page.get_by_text("Search by meaning").click()
    assert_clean(page)
    small = page.evaluate(
        """() => [...document.querySelectorAll(
            ".views :is(a, button, summary), .preview :is(a.button, button), .data-meaning button"
        )].map((each) => [each.textContent.trim(), each.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 24 || box.width < 24))
        .map(([text, box]) => `${text}: ${box.width} × ${box.height}`)"""
    )
    assert small == []
    page.goto(reverse("data-question", args=["kitchen", question.public_id]))
    assert_clean(page)


@pytest.mark.long
def test_the_list_is_read_and_filtered_on_a_phone(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), **PHONE)
    page.goto(reverse("data", args=["kitchen"], query={"q": "violin"}))
    expect(page.locator("#count")).to_have_text("1–1 of 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_text("Filters", exact=True).click()
    page.get_by_role("group", name="Votes for").get_by_role("checkbox").first.click()
    expect(page.get_by_text("Clear all")).to_be_visible()
    page.get_by_text("Clear all").click()
    expect(page.locator("#count")).to_have_text("1–4 of 4")
