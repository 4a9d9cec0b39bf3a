"""axe finds nothing in states that a page comes to while one works; see test_every_page.py."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from collection.models import Assignment, Attribute, Campaign
from tests.factories import (
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    FilterRunFactory,
    ReleaseFactory,
    TwinFactory,
    UserFactory,
)
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit, type_twin
from tests.journeys.timers import wait
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
@VIEWS
def test_a_release_that_is_not_ready(view: dict[str, Any], sign_in: Callable[..., Page]) -> None:
    run = FilterRunFactory(status=RunStatus.RUNNING)
    page = sign_in(UserFactory(curator=True), **view)
    page.goto(reverse("release", args=[ReleaseFactory(filter_run=run).name]))
    assert_clean(page)


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", guidelines="# Write\n\n- *well*")
    for name, domain in (("size", "physical"), ("age", "both")):
        Attribute.objects.create(
            campaign=campaign, name=name, domain=domain, pairs=[["large", "small"]]
        )
    return AssignmentFactory(campaign=campaign, article=ArticleFactory(campaign=campaign))


@pytest.mark.long
@VIEWS
def test_the_empty_desk_with_every_pane_open(
    view: dict[str, Any], assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    TwinFactory(campaign=assignment.campaign, anchor_key="suitcase")
    Campaign.objects.update(anchor_uses_max=1, paste_policy=Campaign.PastePolicy.BLOCK)
    page = sign_in(assignment.worker, **view)
    open_desk(page, assignment)
    assert_clean(page)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    expect(page.get_by_text("used up").first).to_be_visible()
    assert_clean(page)


@pytest.mark.long
@VIEWS
def test_mistakes_advice_offline_and_two_versions(
    view: dict[str, Any], assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, **view)
    open_desk(page, assignment)
    fill_twin(page, SENTENCES[0], SENTENCES[1].replace("_", "it"))
    expect(page.locator("#check-summary")).to_have_text("1 blocking check")
    assert_clean(page)
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.get_by_text("No suggestions")).to_be_visible()
    assert_clean(page)
    is_saved(page)
    page.context.set_offline(True)
    page.get_by_label("Sentence 2").fill(SENTENCES[1].replace("far", "much"))
    expect(page.get_by_text("You are offline.")).to_be_visible()
    assert_clean(page)
    other = sign_in(assignment.worker, **view)
    open_desk(other, assignment)
    other.get_by_label("Sentence 1").fill("Another text _")
    is_saved(other)
    page.context.set_offline(False)
    expect(page.get_by_text("There are two versions of your text.")).to_be_visible(timeout=40_000)
    assert_clean(page)
    page.get_by_role("button", name="Keep this version").click()
    expect(page.get_by_text("The other version of your text is kept")).to_be_visible()
    assert_clean(page)


@pytest.mark.long
@VIEWS
def test_receipt_withdrawal_and_revision(
    view: dict[str, Any], assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, **view)
    type_twin(page, assignment)
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert_clean(page)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("heading", name="This twin is withdrawn")).to_be_visible()
    assert_clean(page)
    page.get_by_role("link", name="Rewrite").click()
    expect(page.get_by_role("heading", name="Revise your twin")).to_be_visible()
    assert_clean(page)


@pytest.mark.long
@VIEWS
def test_nothing_jumps_while_the_checks_follow_the_typing(
    view: dict[str, Any], assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, **view)
    type_twin(page, assignment)
    wait(page, 3_000)
    fixed = ("#id_sentence2", "#id_sentence1", "#pair-line", "#check-title", "#submit")
    places = [page.locator(place).bounding_box() for place in fixed]
    for text in ("The", SENTENCES[0].replace("_", "it"), "x " * 40, "", SENTENCES[1]):
        with page.expect_response("**/check/"):
            page.get_by_label("Sentence 2").fill(text)
        wait(page, 1_800)
        assert [page.locator(place).bounding_box() for place in fixed] == places


@pytest.mark.long
def test_a_screen_reader_hears_where_one_stands_and_not_every_keystroke(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, quick=False)  # nobody types five times as fast
    open_desk(page, assignment)
    fill_twin(page, SENTENCES[0], "")
    page.wait_for_timeout(2_500)
    page.evaluate(
        """() => {
            window.heard = [];
            const live = "[role=status], [role=alert], [aria-live]";
            for (const place of document.querySelectorAll(live)) {
                new MutationObserver(() => heard.push(place.textContent.trim()))
                    .observe(place, {childList: true, characterData: true, subtree: true});
            }
        }"""
    )
    page.get_by_label("Sentence 2").press_sequentially(SENTENCES[1], delay=40)
    page.wait_for_function("() => heard.some((words) => words.startsWith('Ready to submit'))")
    page.wait_for_timeout(2_500)
    heard = page.evaluate("heard")
    assert len(heard) <= 3, heard
