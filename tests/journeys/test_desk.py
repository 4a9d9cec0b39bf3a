"""The desk: mistakes mended, a twin withdrawn and written again, also by keyboard only."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from collection.models import Assignment, Attribute, Campaign, Draft, Provenance, Twin
from tests.factories import (
    OPTIONS,
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    UserFactory,
    VoteFactory,
)
from tests.journeys.desk import fill_twin, is_saved, open_desk, submit, type_twin
from tests.journeys.test_accessibility import assert_clean
from validation.models import Case
from workers.models import LedgerEntry

NEWER = SENTENCES[1].replace("small", "narrow")


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    article = ArticleFactory(campaign=campaign)
    return AssignmentFactory(
        worker=UserFactory(username="alice"), campaign=campaign, article=article
    )


@pytest.fixture
def page(assignment: Assignment, sign_in: Callable[..., Page]) -> Page:
    return sign_in(assignment.worker)


@pytest.mark.long
def test_a_twin_is_mended_submitted_withdrawn_and_written_again(
    assignment: Assignment, page: Page
) -> None:
    open_desk(page, assignment)
    fill_twin(page, SENTENCES[0], SENTENCES[1].replace("_", "it"))
    expect(page.locator("#check-summary")).to_have_text("1 blocking check")
    submit(page)
    refusal = page.get_by_text("The twin has blocking checks.")
    expect(refusal).to_be_visible()
    page.get_by_role("alert").get_by_role("link", name="Sentence 2 has no blank").click()
    expect(page.get_by_label("Sentence 2")).to_be_focused()
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    expect(refusal).to_have_count(0)
    expect(page.locator(".reading mark")).to_have_text(["large.", "small."])
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Withdraw").click()
    expect(page.get_by_role("heading", name="This twin is withdrawn")).to_be_visible()
    expect(page.get_by_text("$0.40 was taken back")).to_be_visible()
    page.get_by_role("link", name="Rewrite").click()
    expect(page.get_by_label("Sentence 2")).to_have_value(SENTENCES[1])
    page.get_by_label("Sentence 2").fill(NEWER)
    expect(page.locator(".reading mark")).to_have_text(["large.", "narrow."])
    submit(page)
    expect(page.get_by_role("heading", name="Your new text is submitted")).to_be_visible()
    old, new = Twin.objects.order_by("pk")
    assert (new.revises, old.withdrawn_at is None, new.withdrawn_at) == (old, False, None)
    assert sum(entry.amount for entry in LedgerEntry.objects.all()) == new.campaign.reward_twin
    assert not Draft.objects.exists()


@pytest.mark.long
def test_a_twin_is_revised_and_after_a_first_vote_no_more(
    assignment: Assignment, page: Page
) -> None:
    type_twin(page, assignment)
    submit(page)
    page.get_by_role("link", name="Revise").click()
    page.get_by_label("Sentence 2").fill(NEWER)
    is_saved(page)
    page.reload()
    expect(page.get_by_label("Sentence 2")).to_have_value(NEWER)
    submit(page)
    expect(page.get_by_role("heading", name="Your new text is submitted")).to_be_visible()
    VoteFactory(question=Twin.objects.active().get().questions.first(), seat__number=90)
    page.reload()
    expect(page.get_by_text("A sentence of this twin has a vote")).to_be_visible()
    expect(page.get_by_role("link", name="Revise")).to_have_count(0)


@pytest.mark.long
def test_a_remark_selects_the_words_that_it_is_about(assignment: Assignment, page: Page) -> None:
    open_desk(page, assignment)
    fill_twin(
        page, "  " + SENTENCES[0].replace(" brown", "   brown"), SENTENCES[1].replace("_", "_ _")
    )
    page.get_by_role("link", name="Sentence 2 has 2 underscores").click()
    start, end, text = page.evaluate(
        "(({selectionStart: start, selectionEnd: end, value}) => [start, end, value])"
        "(document.activeElement)"
    )
    assert text[start:end] == "_"
    assert page.evaluate("document.activeElement.id") == "id_sentence2"


def test_a_twin_is_written_with_keys_alone(assignment: Assignment, page: Page) -> None:
    open_desk(page, assignment)
    keys = page.keyboard
    keys.press("a")
    expect(page.get_by_label("Your anchor")).to_be_focused()
    keys.type("suitcase")
    keys.press("Enter")
    keys.press("Tab")
    keys.press("ArrowDown")
    expect(page.get_by_label("Things")).to_be_checked()
    for option in OPTIONS:
        keys.press("Tab")
        keys.type(option)
    keys.press("Tab")
    expect(page.get_by_label("Sentence 1")).to_be_focused()
    keys.type(SENTENCES[0])
    keys.press("Tab")  # to the button for the blank
    keys.press("Tab")
    keys.press("Space")
    expect(page.get_by_label("Option 1 trophy")).to_be_checked()
    keys.press("2")
    expect(page.get_by_label("Sentence 2")).to_be_focused()
    keys.type(SENTENCES[1])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    keys.press("Escape")
    keys.press("s")
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert Twin.objects.get().questions.first().sentence == SENTENCES[0]


@pytest.mark.long
def test_all_that_comes_after_needs_no_mouse_either(assignment: Assignment, page: Page) -> None:
    ArticleFactory(campaign=assignment.campaign, title="How to Boil an Egg")
    ArticleFactory(campaign=assignment.campaign, title="How to Mend a Sock")
    Attribute.objects.create(campaign=assignment.campaign, name="size", pairs=[["big", "small"]])
    page.on("dialog", lambda dialog: dialog.accept())  # as Enter does
    keys = page.keyboard
    type_twin(page, assignment)
    keys.press("Escape")
    for key, heading in (
        ("s", "Your twin is submitted"),
        ("w", "This twin is withdrawn"),
        ("r", "Revise your twin"),
    ):
        keys.press(key)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        page.wait_for_load_state("load")  # keys count once the script has come
    keys.press("2")
    keys.press("Control+a")
    keys.type(NEWER)
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    keys.press("Escape")
    keys.press("s")
    expect(page.get_by_role("heading", name="Your new text is submitted")).to_be_visible()
    page.wait_for_load_state("load")
    keys.press("n")
    title = page.locator("#article-title")
    expect(title).to_be_visible()
    page.wait_for_load_state("load")
    before = title.inner_text()
    keys.press("h")
    expect(page.get_by_label("Search the table")).to_be_focused()
    keys.press("Escape")
    keys.press("o")
    for key in ("Tab", "ArrowDown", "Tab", "Tab", "Enter"):
        keys.press(key)
    expect(title).not_to_have_text(before)


@pytest.mark.long
def test_an_article_is_not_given_back_with_what_was_written_for_it_unasked(
    assignment: Assignment, page: Page
) -> None:
    open_desk(page, assignment)
    page.get_by_label("Sentence 1").fill("Half a _")
    page.get_by_text("Get another article, or stop").click()
    page.get_by_label("no useful anchor").check()
    asked: list[str] = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="Return article and stop").click()
    assert "will be deleted" in asked[0]
    expect(page.get_by_label("Sentence 1")).to_have_value("Half a _")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Return article and stop").click()
    expect(page.get_by_text("The article was returned.")).to_be_visible()
    assignment.refresh_from_db()
    assert assignment.status == "returned"


@pytest.mark.long
def test_what_is_typed_and_pasted_is_counted(assignment: Assignment, page: Page) -> None:
    open_desk(page, assignment)
    first = page.get_by_label("Sentence 1")
    first.press_sequentially("A trophy", delay=5)
    first.press("Control+a")
    first.press("Control+c")
    page.get_by_label("Sentence 2").press("Control+v")
    is_saved(page)
    evidence = Draft.objects.get().evidence
    assert evidence["typed_characters"] == evidence["pasted_characters"] == 8
    assert (evidence["largest_insert"], evidence["edits"]) == (8, 9)
    fill_twin(page)
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert Provenance.objects.get().pasted_characters == 8


@pytest.mark.long
def test_pasting_is_refused_where_the_campaign_says_so(assignment: Assignment, page: Page) -> None:
    Campaign.objects.update(paste_policy=Campaign.PastePolicy.BLOCK)
    open_desk(page, assignment)
    first = page.get_by_label("Sentence 1")
    first.press_sequentially("A trophy")
    first.press("Control+a")
    first.press("Control+c")
    page.get_by_label("Sentence 2").press("Control+v")
    expect(page.get_by_text("Please type your sentences")).to_be_visible()
    expect(page.get_by_label("Sentence 2")).to_have_value("")
    expect(first).to_have_value("A trophy")


@pytest.mark.long
def test_the_table_of_attributes_is_searched_and_follows_the_domain(
    assignment: Assignment, page: Page
) -> None:
    for name, domain, pair in [
        ("size", "physical", ["large", "small"]),
        ("mood", "social", ["happy", "sad"]),
        ("age", "both", ["old", "young"]),
    ]:
        Attribute.objects.create(
            campaign=assignment.campaign, name=name, domain=domain, pairs=[pair]
        )
    open_desk(page, assignment)
    rows = page.locator("#helper tbody tr:visible")
    page.keyboard.press("h")
    expect(page.get_by_label("Search the table")).to_be_focused()
    expect(rows).to_have_count(3)
    page.keyboard.type("young")
    expect(rows).to_have_count(1)
    page.get_by_label("Search the table").fill("")
    page.get_by_label("Things").check()
    expect(rows).to_have_count(2)
    expect(page.get_by_text("2 of 3 attributes")).to_be_visible()


@pytest.mark.long
def test_another_article_comes_with_a_reason(assignment: Assignment, page: Page) -> None:
    ArticleFactory(campaign=assignment.campaign, title="How to Boil an Egg")
    open_desk(page, assignment)
    page.get_by_text("Get another article, or stop").click()
    page.get_by_label("no useful anchor").check()
    page.get_by_role("button", name="Get another article").click()
    expect(page.get_by_role("heading", name="How to Boil an Egg")).to_be_visible()
    assignment.refresh_from_db()
    assert assignment.return_reason == "poor_anchors"


def test_an_anchor_that_is_used_up_cannot_be_picked(assignment: Assignment, page: Page) -> None:
    Campaign.objects.update(anchor_uses_max=1)
    other = AssignmentFactory(campaign=assignment.campaign, article=assignment.article)
    Twin.objects.create(
        campaign=other.campaign, assignment=other, author=other.worker, anchor="suitcase",
        anchor_key="suitcase", option1="a", option2="b", **other.campaign.for_twins,
    )  # fmt: skip
    open_desk(page, assignment)
    page.get_by_role("button", name="Suitcase · used up").click(force=True)
    expect(page.get_by_text("enough twins with this anchor")).to_be_visible()
    expect(page.get_by_label("Your anchor")).to_have_value("")


def test_the_desk_works_without_scripts(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, java_script_enabled=False)
    open_desk(page, assignment)
    fill_twin(page, SENTENCES[0], "Half a sentence")
    page.get_by_role("button", name="Check and save").click()
    expect(page.locator("#check-summary")).to_contain_text("blocking")
    open_desk(page, assignment)
    expect(page.get_by_label("Sentence 2")).to_have_value("Half a sentence")
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()


DIG = "Lena packed the suitcase into the shed beside the watering can, because the _ could {}."


def write(page: Page, first: str, second: str) -> None:
    page.get_by_label("Your anchor").fill("suitcase")
    page.get_by_role("radio", name="Things").check()
    page.locator("#id_option1").fill("suitcase")
    page.locator("#id_option2").fill("watering can")
    page.get_by_label("Sentence 1").fill(first)
    page.get_by_label("Sentence 2").fill(second)
    page.locator("#id_answer1").check()


@pytest.mark.long
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
