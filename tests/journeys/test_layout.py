"""How pages are laid out, where only a browser knows it, and work on a small phone."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection import services
from collection.models import Assignment, Campaign
from tests.evaluation.methods.test_systems import RIGHT, file, stored
from tests.evaluation.sets import small_set
from tests.factories import (
    AssignmentFactory,
    SnapshotFactory,
    TwinFactory,
    UserFactory,
)
from tests.filtering.evidence_made import assessed_run
from tests.journeys.desk import fill_twin, open_desk, submit
from tests.journeys.folds import unfold_all
from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import PHONE, begin, kitchen, open_sentence, vote
from winoplatform.runs.kinds import execute_here
from workers.models import User

WIDE = {"viewport": {"width": 1440, "height": 900}}


@pytest.fixture
def assignment(campaign: Campaign) -> Assignment:
    return AssignmentFactory(campaign=campaign, worker=UserFactory(username="alice"))


def test_the_current_tab_of_a_campaign_is_in_sight_on_a_phone(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), **PHONE)
    page.goto(reverse("golds", args=[campaign.slug]))
    expect(page.locator(".sub-nav [aria-current]")).to_be_in_viewport(ratio=0.9)
    tabs = page.locator(".sub-nav")
    assert "linear-gradient" in tabs.evaluate("one => getComputedStyle(one).backgroundImage")


def test_the_inputs_of_the_settings_line_up_beside_a_label_of_two_lines(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), **WIDE)
    page.goto(reverse("campaign-settings", args=[campaign.slug]))
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".settings-fields")].map((group) => {
            const tops = {};
            for (const field of group.querySelectorAll(".field")) {
                const input = field.querySelector("input, select");
                const row = Math.round(field.getBoundingClientRect().top);
                (tops[row] ??= new Set()).add(Math.round(input.getBoundingClientRect().top));
            }
            return Object.values(tops).map((found) => found.size);
        }).flat()"""
    )
    assert len(rows) > 5
    assert set(rows) == {1}


def test_on_a_phone_the_guidelines_are_accepted_at_their_end(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    """Before: in a bar at the foot of the window, two screens before one could have read them."""
    text = "\n".join(f"{number}. Write clearly, and use names." for number in range(1, 60))
    services.publish_guideline(campaign=campaign, text=text, aids_policy="")
    page = sign_in(UserFactory(), **PHONE)
    page.goto(reverse("join", args=[campaign.slug]))
    accept = page.get_by_role("button", name="I have read them")
    expect(accept).not_to_be_in_viewport()
    accept.scroll_into_view_if_needed()
    expect(page.get_by_role("link", name="I do not want to take part")).to_be_in_viewport(ratio=1)
    last = page.locator(".prose-card .prose li").last.bounding_box()
    button = accept.bounding_box()
    assert last
    assert button
    assert last["y"] + last["height"] <= button["y"]


def test_a_laptop_shows_what_people_and_things_are(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, **WIDE)
    open_desk(page, assignment)
    expect(page.get_by_text("Names of the same gender.")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("Both singular or both plural.")).to_be_in_viewport(ratio=1)


def test_keys_are_not_shown_where_there_is_no_keyboard(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    narrow = sign_in(assignment.worker, viewport={"width": 390, "height": 844})
    open_desk(narrow, assignment)
    expect(narrow.locator("kbd >> visible=true")).to_have_count(0)
    expect(narrow.locator(".keys-hint")).to_be_hidden()


def test_the_side_of_the_desk_shows_that_it_scrolls_and_its_words_are_no_badges(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker, **WIDE)
    open_desk(page, assignment)
    side = page.locator(".desk-side")
    expect(side).to_have_css("scrollbar-width", "thin")
    assert "linear-gradient" in side.evaluate("one => getComputedStyle(one).backgroundImage")
    expect(page.locator(".under .count")).to_have_count(0)


def test_the_name_of_a_run_breaks_between_words_only(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    SnapshotFactory(campaign=campaign, finished=True, n_questions=40)
    page = sign_in(UserFactory(role="curator"), **WIDE)
    page.goto(reverse("pipeline", args=[campaign.slug]))
    name = page.locator(".runs tbody th").first
    expect(name).to_have_css("overflow-wrap", "break-word")


def test_the_word_of_a_button_does_not_break_on_a_phone(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(role="curator"), **PHONE)
    page.goto(reverse("campaign-members", args=[campaign.slug]))
    button = page.get_by_role("button", name="Change").first
    lines = "one => { const r = document.createRange(); r.selectNodeContents(one);"
    assert button.evaluate(f"{lines} return r.getClientRects().length; }}") == 1


@pytest.mark.long
def test_the_names_of_eight_systems_are_whole_beside_their_picture_on_a_phone(
    transactional_db: None, sign_in: Callable[..., Page]
) -> None:
    data = small_set(is_public=True)
    for number in range(8):
        run = stored(
            file(*[1 + (place > number) for place in range(len(RIGHT))]),
            reference_set=data,
            system_name=f"sentence-transformers/all-MiniLM-L12-v{number} with a linear head",
        )
        execute_here(run)
    page = sign_in(UserFactory(role="curator"), **PHONE)
    page.goto(reverse("comparison", args=["reference-set", data.name, "test"]))
    unfold_all(page)
    plot = page.locator("[data-drawn]").first
    expect(plot).to_be_attached(timeout=60_000)
    left = plot.evaluate("one => one.getBoundingClientRect().left")
    labels = plot.locator(".ytick text")
    expect(labels).to_have_count(8)
    edges = labels.evaluate_all("all => all.map((one) => one.getBoundingClientRect().left)")
    assert min(edges) >= left


def test_the_evidence_of_a_run_is_not_cut_on_a_wide_screen(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    run = assessed_run()
    page = sign_in(UserFactory(role="curator"), **WIDE)
    page.goto(reverse("evidence", args=[run.public_id]))
    frame = page.locator(".table-frame:has(.sets)")
    assert frame.evaluate("one => one.scrollWidth <= one.clientWidth")


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
