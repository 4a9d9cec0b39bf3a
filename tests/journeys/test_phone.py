"""Work on a small phone with a browser's bars: 390 × 664 pixels."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection.models import Assignment
from tests.factories import AssignmentFactory, CampaignFactory, TwinFactory, UserFactory
from tests.journeys.desk import fill_twin, open_desk, submit
from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import begin, kitchen, open_sentence, vote
from workers.models import User

SMALL = {"viewport": {"width": 390, "height": 664}}
LONG = (
    "After the long train journey from Edinburgh Bartholomew wanted to give Sebastian the heavy "
    "leather suitcase at the station before midnight, because _ was far too {} to carry it home."
)


def assert_targets(page: Page) -> None:
    """What can be pressed is at least 24 pixels high and wide (WCAG 2.5.8)."""
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(button, summary, .button, .choice)")]
            .filter((each) => each.checkVisibility())
            .map((each) => [each.textContent.trim(), each.getBoundingClientRect()])
            .filter(([, box]) => box.height < 24 || box.width < 24)
            .map(([name]) => name)"""
    )
    assert small == []


def test_a_question_of_thirty_words_fits_with_all_its_answers_and_undo(
    bob: User, sign_in: Callable[..., Page]
) -> None:
    campaign = kitchen(0)
    for _ in range(2):
        twin = TwinFactory(campaign=campaign, option1="Bartholomew", option2="Sebastian", seats=3)
        for question, word in zip(twin.questions.all(), ("weak", "strong"), strict=True):
            question.sentence = LONG.format(word)
            question.save()
    page = begin(sign_in, bob, **SMALL)
    for is_first in (True, False):
        for answer in page.locator(".validate-answers .option").all():
            expect(answer).to_be_in_viewport(ratio=1)
        if not is_first:
            expect(page.get_by_role("link", name="Undo")).to_be_in_viewport(ratio=1)
        open_sentence(page)
        assert page.evaluate("scrollY") == 0
        for answer in page.locator(".validate-answers .option").all():
            expect(answer).to_be_in_viewport(ratio=1)
        assert_targets(page)
        if is_first:
            page.evaluate("document.body.style.paddingBottom = '60rem'; scrollTo(0, 400)")
            vote(page)
            expect(page.get_by_text("Step 1 of 2")).to_be_visible()
            expect(page.locator("h1")).to_be_in_viewport(ratio=1)


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    return AssignmentFactory(campaign=campaign, worker=UserFactory(username="alice"))


def test_a_twin_is_written_on_a_phone(assignment: Assignment, sign_in: Callable[..., Page]) -> None:
    page = sign_in(assignment.worker, **SMALL)
    open_desk(page, assignment)
    bar = page.locator(".desk-bar").bounding_box()
    assert bar
    assert bar["height"] <= 0.1 * 664
    expect(page.locator("#article-here .article-text")).to_have_css("overflow-y", "auto")
    article = page.locator(".article-text").evaluate("one => one.scrollHeight - one.clientHeight")
    assert article <= 1  # nothing scrolls inside the page
    option = page.locator("#id_option1")
    page.get_by_role("radio", name="People").check()
    expect(option).to_have_attribute("autocapitalize", "words")
    page.get_by_role("radio", name="Things").check()
    expect(option).to_have_attribute("autocapitalize", "none")
    sentence = page.get_by_label("Sentence 1")
    sentence.fill("The suitcase broke because the")
    sentence.press("End")
    page.locator("[data-blank=sentence1]").click()
    expect(sentence).to_have_value("The suitcase broke because the _")
    expect(sentence).to_be_focused()
    assert_targets(page)
    assert_clean(page)
    fill_twin(page)
    submit(page)
    page.wait_for_url("**/twins/**")
    first = page.locator("main .button").first
    expect(first).to_contain_text("Write another")
    expect(first).to_be_in_viewport(ratio=1)


def test_options_are_chosen_by_selecting_their_words(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    open_desk(page, assignment)
    sentence = page.get_by_label("Sentence 1")
    sentence.fill("The trophy broke the suitcase, because the _ was heavy.")
    choose = page.locator("[data-choose=option1][data-of=sentence1]")
    expect(choose).to_be_disabled()
    sentence.evaluate("one => { one.focus(); one.setSelectionRange(4, 11); }")  # with its space
    choose.click()
    expect(page.locator("#id_option1")).to_have_value("trophy")
    expect(page.locator("[data-mirror=option1]")).to_have_text("trophy")
    page.set_viewport_size({"width": 390, "height": 664})
    expect(page.locator("#article-here .article-text")).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator(".desk-side .article-text")).to_be_visible()
    assert reverse("author", args=["kitchen"]) in page.url
