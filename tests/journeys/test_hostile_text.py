"""What people write is shown as text, wherever it stands: none of it is ever run."""

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from collection.models import Assignment, Attribute, Draft, Twin
from tests.factories import ArticleFactory, AssignmentFactory, CampaignFactory, UserFactory
from tests.journeys.desk import is_saved, open_desk, submit

ATTACK = (
    "\"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script></script></textarea>"
    '<a href="javascript:hacked=1" hx-get="/" hx-trigger="load">{{ hacked }}</a>'
)
OPTIONS = ("<svg/onload=hacked=1>", "<b>suitcase</b>")
SENTENCES = [
    f"The {OPTIONS[0]} did not fit into the {OPTIONS[1]} <script>hacked=1</script> on my bed "
    f"because the _ was far too {size}."
    for size in ("large</textarea>", "small</textarea>")
]


@pytest.fixture
def assignment(transactional_db: None) -> Assignment:
    campaign = CampaignFactory(slug="kitchen", name=ATTACK[:100])
    Attribute.objects.create(
        campaign=campaign, name=ATTACK[:60], pairs=[[ATTACK[:60], "</td><script>hacked=1</script>"]]
    )
    article = ArticleFactory(
        campaign=campaign, title=ATTACK, text=f"Pack a suitcase onto your bed {ATTACK} slowly."
    )
    return AssignmentFactory(campaign=campaign, article=article)


def assert_harmless(page: Page) -> None:
    page.wait_for_load_state("load")
    assert page.evaluate("window.hacked") is None
    made = "img[src=x], svg[onload], a[href^=javascript], [hx-trigger=load][hx-get='/'], main b"
    expect(page.locator(made)).to_have_count(0)


def write(page: Page) -> None:
    page.get_by_label("Your anchor").fill("bed")
    page.get_by_label("Things").check()
    for number in (1, 2):
        page.locator(f"#id_option{number}").fill(OPTIONS[number - 1])
        page.get_by_label(f"Sentence {number}").fill(SENTENCES[number - 1])
    page.locator("#id_answer1").check()


@pytest.mark.long
def test_markup_in_a_text_is_text_on_every_page_that_shows_it(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    open_desk(page, assignment)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert_harmless(page)
    page.get_by_label("Your anchor").fill(ATTACK[:100])
    page.get_by_label("Sentence 1").fill(ATTACK)
    page.get_by_label("Sentence 2").fill(ATTACK.replace("hacked", "other"))
    expect(page.locator(".remark").first).to_be_visible()
    is_saved(page)
    assert_harmless(page)
    page.reload()
    expect(page.get_by_label("Sentence 1")).to_have_value(ATTACK)
    assert_harmless(page)
    write(page)
    expect(page.locator("#check-summary")).to_contain_text("Ready to submit")
    submit(page)
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()
    assert Twin.objects.get().option1 == OPTIONS[0]
    assert_harmless(page)
    page.goto("/my-work/")
    expect(page.get_by_text(OPTIONS[0]).first).to_be_visible()
    assert_harmless(page)
    curator = sign_in(UserFactory(curator=True))
    for path in ("/", reverse("campaign", args=["kitchen"])):
        curator.goto(path)
        assert_harmless(curator)


@pytest.mark.long
def test_a_hostile_draft_of_another_tab_is_shown_as_text(
    assignment: Assignment, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(assignment.worker)
    open_desk(page, assignment)
    page.get_by_label("Sentence 1").fill("Mine _")
    is_saved(page)
    hostile = {"sentence1": ATTACK, "client_key": ATTACK, "domain": ATTACK, "answer1": ATTACK}
    Draft.objects.update(fields=hostile, version=9)
    page.get_by_label("Sentence 1").fill("Mine again _")
    expect(page.get_by_text("There are two versions")).to_be_visible()
    assert_harmless(page)
    page.get_by_role("button", name="Use the other version").click()
    expect(page.get_by_label("Sentence 1")).to_have_value(ATTACK)
    page.reload()
    expect(page.get_by_label("Sentence 1")).to_have_value(ATTACK)
    assert_harmless(page)
