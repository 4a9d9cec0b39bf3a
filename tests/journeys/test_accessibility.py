"""axe finds nothing in states that a page comes to while one works; see test_every_page.py."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

from collection.models import Campaign
from tests.factories import (
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    FilterRunFactory,
    ReleaseFactory,
    UserFactory,
)
from winoplatform.runs.models import RunStatus

WIDE = {"viewport": {"width": 1440, "height": 900}, "color_scheme": "light"}
NARROW = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
VIEWS = pytest.mark.parametrize(
    "view",
    [
        pytest.param(WIDE, id="wide-light"),
        pytest.param(NARROW, id="narrow-dark", marks=pytest.mark.long),
    ],
)


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", guidelines="# Write\n\n- *well*")
    return ArticleFactory(campaign=campaign).campaign


def assert_clean(page: Page) -> None:
    """Nothing for axe, and nothing wider than the window.

    One run: of the two ``VIEWS`` the wide one is light and the narrow one dark, and colours are
    the same at every width.
    """
    # A page without its stylesheet yet would be validated by the browser's own colours.
    page.wait_for_load_state("load")
    assert_no_violation(page)
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wider) <= 0, page.url


# axe leaves out what is not shown, such as a button inside a menu that is closed.
CONTRASTS = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const over = (colours) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) =>
      v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll("button, .button")].map((button) => {
    const behind = [];
    for (let one = button; one; one = one.parentElement)
      behind.unshift(getComputedStyle(one).backgroundColor);
    const paper = ["white", ...behind];
    const [a, b] = [light(over(paper)), light(over([...paper, getComputedStyle(button).color]))];
    return [button.textContent.trim(), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
}
"""


def assert_buttons_can_be_read(page: Page) -> None:
    """In both themes, the page's own last, also those inside menus that are closed."""
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    for theme in ("light", "dark") if is_dark else ("dark", "light"):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]  # a literal
        faint = [(name, ratio) for name, ratio in page.evaluate(CONTRASTS) if name and ratio < 4.5]
        assert not faint, (page.url, theme, faint)


def assert_no_violation(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@VIEWS
def test_a_page_that_is_not_there(view: dict[str, Any], sign_in: Callable[..., Page]) -> None:
    page = sign_in(UserFactory(), **view)
    page.goto("/nowhere/")
    assert_clean(page)


@VIEWS
def test_the_sign_in_page(
    view: dict[str, Any], campaign: Campaign, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(**view).new_page()
    page.goto("/sign-in/")
    assert_clean(page)
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    assert_clean(page)


@VIEWS
def test_writing_with_a_mistake(
    view: dict[str, Any], campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    worker = UserFactory()
    AssignmentFactory(worker=worker, campaign=campaign, article=campaign.articles.get())
    page = sign_in(worker, **view)
    page.goto(reverse("author", args=["kitchen"]))
    page.get_by_role("button", name="Suitcase", exact=True).click()
    page.get_by_label("Sentence 1").fill(SENTENCES[0])
    page.get_by_label("Sentence 2").fill("Too short.")
    page.locator(".reading mark").first.wait_for()
    assert_clean(page)
    page.get_by_role("button", name="Submit twin").click()
    page.get_by_text("Choose a domain.").wait_for()
    assert_clean(page)


@VIEWS
def test_a_release_that_is_not_ready(view: dict[str, Any], sign_in: Callable[..., Page]) -> None:
    run = FilterRunFactory(status=RunStatus.RUNNING)
    page = sign_in(UserFactory(curator=True), **view)
    page.goto(reverse("release", args=[ReleaseFactory(filter_run=run).name]))
    assert_clean(page)
