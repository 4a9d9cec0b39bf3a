"""axe finds nothing at the desk, whatever state it is in; and nothing jumps while one types."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from collection.models import Assignment, Attribute, Campaign
from tests.factories import (
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    TwinFactory,
)
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit, type_twin
from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.journeys.timers import wait


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen", guidelines="# Write\n\n- *well*")
    for name, domain in (("size", "physical"), ("age", "both")):
        Attribute.objects.create(
            campaign=campaign, name=name, domain=domain, pairs=[["large", "small"]]
        )
    return AssignmentFactory(campaign=campaign, article=ArticleFactory(campaign=campaign))


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
