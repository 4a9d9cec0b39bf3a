"""A curator finds a question, decides it and exports the view, by keyboard."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection.models import Campaign, Question
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VerdictFactory
from tests.journeys.validating import PHONE
from validation.models import Verdict


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
    expect(page.get_by_role("status").last).to_contain_text("1 are done, 0 were refused")
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
    expect(page.get_by_text("Only the violin can sound wrong.")).to_be_visible()


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
