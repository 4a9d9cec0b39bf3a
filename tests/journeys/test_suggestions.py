"""What the suggestions box says of a text, and the question about words that may offend."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from collection.models import Assignment, Twin
from tests.factories import AssignmentFactory, CampaignFactory, UserFactory
from tests.journeys.desk import open_desk
from tests.journeys.test_accessibility import assert_clean
from validation.models import Case

DIG = "Lena packed the suitcase into the shed beside the watering can, because the _ could {}."


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    return AssignmentFactory(campaign=campaign, worker=UserFactory(username="alice"))


def write(page: Page, first: str, second: str) -> None:
    page.get_by_label("Your anchor").fill("suitcase")
    page.get_by_role("radio", name="Things").check()
    page.locator("#id_option1").fill("suitcase")
    page.locator("#id_option2").fill("watering can")
    page.get_by_label("Sentence 1").fill(first)
    page.get_by_label("Sentence 2").fill(second)
    page.locator("#id_answer1").check()


def test_suggestions_say_what_was_looked_at_and_ask_about_words_once_more(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    open_desk(page, assignment)
    write(page, DIG.format("carry the clothes"), DIG.format("sprinkle the water"))
    advice = page.locator("#advice")
    expect(advice).to_contain_text("Looked for: a similar twin in this campaign")
    expect(advice).to_contain_text("Not looked at: whether people find the answer only from")
    expect(advice).not_to_contain_text("gives the answer away")
    page.get_by_label("Sentence 2").fill(DIG.format("sprinkle the shitty water"))
    expect(advice).to_contain_text("may be obscene or hateful")
    page.get_by_role("button", name="Submit twin").click()
    expect(page.get_by_text("“shitty” may be obscene or hateful. Is it meant?")).to_be_visible()
    assert_clean(page)
    assert not Twin.objects.exists()
    expect(page.get_by_label("Sentence 2")).to_have_value(DIG.format("sprinkle the shitty water"))
    page.get_by_role("button", name="Submit it anyway").click()
    page.wait_for_url("**/twins/**")
    assert [case.question.number for case in Case.objects.filter(flagged=True)] == [2]
