"""Single-letter keys are switched off and changed in the browser (WCAG 2.1.4)."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import begin, kitchen, settled
from workers.models import User


def test_keys_are_changed_and_switched_off(bob: User, sign_in: Callable[..., Page]) -> None:
    kitchen(2)
    page = begin(sign_in, bob)
    settled(page)
    choice = page.locator("[data-keys]")
    page.get_by_role("button", name="Keyboard shortcuts").click()
    unsure = choice.get_by_label("Cannot tell")
    expect(unsure).to_have_value("0")
    assert_clean(page)
    unsure.fill("q")
    unsure.press("Enter")
    page.keyboard.press("Escape")
    printed = page.get_by_role("button", name="Cannot tell").locator("kbd")
    expect(printed).to_have_text("Q")
    page.reload()
    expect(printed).to_have_text("Q")
    page.locator("h1").focus()
    page.keyboard.press("0")
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    page.keyboard.press("q")
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    choice.get_by_label("Single letters, digits and ? press buttons").uncheck()
    choice.get_by_role("button", name="Close").click()
    expect(page.locator("#vote kbd").first).to_be_hidden()
    page.locator("h1").focus()
    page.keyboard.press("1")
    expect(page.locator("input[name=option][value='1']")).not_to_be_checked()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    choice.get_by_role("button", name="Use the original keys").click()
    page.keyboard.press("Escape")
    page.locator("h1").focus()
    page.keyboard.press("1")
    expect(page.locator("input[name=option][value='1']")).to_be_checked()
