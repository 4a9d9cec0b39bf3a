"""Help in the browser: keys of a page, words at their icon, documents on a phone."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Locator, Page, expect

from frontend.help.documents import names
from tests.factories import UserFactory
from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import begin, kitchen, settled
from workers.models import User

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def box(element: Locator) -> Box:
    at = element.bounding_box()
    assert at
    return Box(at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"])


@pytest.mark.long
def test_keys_of_a_page_are_listed_by_keyboard(bob: User, sign_in: Callable[..., Page]) -> None:
    kitchen(2)
    page = begin(sign_in, bob)
    settled(page)
    page.locator("h1").focus()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys.get_by_label("Cannot tell")).to_have_value("0")
    assert_clean(page)
    page.keyboard.press("0")
    expect(keys).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()


def test_keys_that_a_page_names_in_words_are_in_the_list(
    transactional_db: None, sign_in: Callable[..., Page]
) -> None:
    campaign = kitchen(1)
    page = sign_in(UserFactory(curator=True))
    page.goto(reverse("data", args=[campaign.slug]))
    page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(page.get_by_role("dialog").get_by_text("next, previous")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_word_is_explained_at_its_icon(
    sign_in: Callable[..., Page], size: dict[str, int]
) -> None:
    campaign = kitchen(2)
    page = sign_in(UserFactory(curator=True), viewport=size)
    page.goto(reverse("review-queue", args=[campaign.slug]))
    icon = page.locator("button.info").first
    icon.click()
    at = box(icon)
    words = box(page.locator(".info-text:popover-open"))
    assert 0 <= max(words.top - at.bottom, at.top - words.bottom) <= 24
    assert 0 <= words.left <= at.left
    assert at.right <= words.right <= size["width"]


@pytest.mark.long
def test_documents_fit_a_phone(transactional_db: None, sign_in: Callable[..., Page]) -> None:
    page = sign_in(UserFactory(curator=True), viewport=PHONE)
    for name in names(is_curator=True):
        page.goto(reverse("help-document", args=[name]))
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
    assert_clean(page)


@pytest.mark.long
def test_a_stranger_reads_the_documentation(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto("/api/docs/")
    # The page shows hundreds of addresses, one group after the other.
    page.locator(".opblock").first.wait_for(timeout=60_000)
    assert page.get_by_text("Failed to load API definition").count() == 0
