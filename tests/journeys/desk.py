"""How journeys write at the desk, as a person does."""

from playwright.sync_api import Page, expect

from collection.models import Assignment
from tests.factories import OPTIONS, SENTENCES


def open_desk(page: Page, assignment: Assignment) -> None:
    page.goto(f"/campaigns/{assignment.campaign.slug}/write/")


def fill_twin(page: Page, *sentences: str) -> None:
    """Fill the form with a good twin, or with other sentences."""
    first, second = sentences or SENTENCES
    page.get_by_label("Your anchor").fill("suitcase")
    page.get_by_label("Things").check()
    page.get_by_label("Option 1", exact=True).first.fill(OPTIONS[0])
    page.get_by_label("Option 2", exact=True).first.fill(OPTIONS[1])
    page.get_by_label("Sentence 1").fill(first)
    page.locator("#id_answer1").check()
    page.get_by_label("Sentence 2").fill(second)


def type_twin(page: Page, assignment: Assignment) -> None:
    open_desk(page, assignment)
    fill_twin(page)
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit").click()


def is_saved(page: Page) -> None:
    """Wait until the server has what was typed."""
    page.wait_for_function(
        """() => Object.keys(localStorage).filter((key) => key.startsWith("wino:draft:"))
             .some((key) => JSON.parse(localStorage[key]).isDirty === false)""",
        timeout=15_000,
    )
    expect(page.locator("#draft-note")).to_contain_text("Saved ")
