"""From an article to a valid question with everybody paid, and the work behind each line of pay."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from collection.models import Campaign, Question
from tests.factories import (
    OPTIONS,
    SENTENCES,
    ArticleFactory,
    CampaignFactory,
    LedgerEntryFactory,
    TwinFactory,
    UserFactory,
)
from tests.journeys.folds import unfold
from tests.journeys.test_accessibility import assert_clean
from tests.journeys.validating import PHONE, kitchen
from validation import services
from validation.models import Appeal, Seat
from validation.services.review import appeals
from workers.models import User


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    return ArticleFactory(campaign=CampaignFactory(slug="kitchen", name="Kitchen")).campaign


def write(page: Page) -> None:
    """Write a twin: first with a mistake, which the page shows, then without."""
    page.get_by_role("link", name="Write · Kitchen").click()
    page.get_by_role("button", name="Get an article").click()
    page.get_by_role("button", name="Suitcase", exact=True).click()
    page.get_by_label("Things").check()
    page.get_by_label("Option 1", exact=True).first.fill(OPTIONS[0])
    page.get_by_label("Option 2", exact=True).first.fill(OPTIONS[1])
    page.get_by_label("Sentence 1").fill(SENTENCES[0])
    page.get_by_label("Option 1 trophy").check()
    page.get_by_label("Sentence 2").fill(SENTENCES[1].replace("_", "it"))
    expect(page.get_by_text("Sentence 2 has no blank")).to_be_visible()
    expect(page.locator("#check-summary")).to_have_text("1 blocking check")
    page.get_by_label("Sentence 2").fill(SENTENCES[1])
    expect(page.locator("#check-summary")).to_have_text("Ready to submit")
    expect(page.locator(".reading mark")).to_have_text(["large.", "small."])
    page.get_by_role("button", name="Submit twin").click()
    expect(page.get_by_role("heading", name="Your twin is submitted")).to_be_visible()


def answer_as_shown(worker: User) -> str:
    """The key of the author's answer in the order that the validator's seat shows."""
    seat = Seat.objects.select_related("question").get(worker=worker, answered_at=None)
    return str(services.as_shown(seat, seat.question.answer))


def validate(page: Page, worker: User) -> None:
    page.get_by_role("link", name="Validate · Kitchen").click()
    page.get_by_role("button", name="Get a question").click()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    expect(page.get_by_text("did not fit")).to_have_count(0)
    page.get_by_role("button", name="Cannot tell").click()
    expect(page.get_by_text("The trophy did not fit")).to_be_visible()
    page.locator(f"input[name=option][value='{answer_as_shown(worker)}']").check()
    page.get_by_role("button", name="No, clearly one").click()
    expect(page.get_by_text("Your vote is recorded.").first).to_be_visible()


@pytest.mark.usefixtures("as_processes")
def test_a_twin_is_written_validated_and_paid(
    campaign: Campaign,
    new_context: Callable[..., BrowserContext],
    sign_in: Callable[..., Page],
) -> None:
    UserFactory(username="alice", password="long-enough-7")
    page = new_context().new_page()
    page.goto("/")
    page.get_by_label("User name").fill("alice")
    page.get_by_label("Password").fill("long-enough-7")
    page.get_by_role("button", name="Sign in").click()
    write(page)
    expect(page.get_by_text("$0.40 was added to your pay")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="My work").click()
    expect(page.get_by_role("row", name="twin written")).to_contain_text("$0.40")

    for number in range(3):
        worker = UserFactory(username=f"validator{number}")
        theirs = sign_in(worker)
        theirs.goto("/")
        validate(theirs, worker)
        theirs.goto("/my-work/")
        expect(theirs.get_by_role("row", name="question validated")).to_contain_text("$0.03")

    page.reload()
    # Which sentence comes first in the queue is random.
    word = Question.objects.get(verdict__valid=True).sentence.rpartition(" ")[2]
    first = page.get_by_role("listitem").filter(has_text=word)
    expect(first).to_contain_text("valid")
    expect(first).to_contain_text("3 of 3 chose the correct answer")

    curator = sign_in(UserFactory(username="dana", curator=True))
    curator.goto("/")
    curator.get_by_role("link", name="Kitchen").click()
    expect(curator.locator(".funnel")).to_contain_text("100.0% of the decided")
    unfold(curator, "Newest twins")
    expect(curator.get_by_role("listitem").filter(has_text=word)).to_contain_text("valid")
    assert Question.objects.filter(verdict__valid=True).count() == 1


@pytest.mark.long
@pytest.mark.parametrize("view", [{"viewport": {"width": 1440, "height": 900}}, PHONE])
def test_a_line_of_pay_leads_to_its_work_and_an_answer_is_news(
    view: dict[str, object], sign_in: Callable[..., Page], transactional_db: None
) -> None:
    campaign, alice = kitchen(0), UserFactory()
    twin = TwinFactory(campaign=campaign, author=alice, withdrawn_at=timezone.now())
    for kind, amount in (("twin", "0.40"), ("adjustment", "-0.40")):
        LedgerEntryFactory(
            worker=alice,
            kind=kind,
            unit=str(twin.public_id),
            amount=Decimal(amount),
            budget=campaign.public_id,
        )
    question = TwinFactory(campaign=campaign, author=alice).questions.first()
    made = Appeal.objects.create(
        worker=alice,
        campaign=campaign,
        subject="question",
        unit=question.public_id,
        text="It is clear.",
    )
    appeals.answer_appeal(
        appeal_id=made.public_id, upheld=False, answer="It is not.", by=UserFactory(curator=True)
    )
    page = sign_in(alice, **view)
    page.goto(reverse("my-pay"))
    expect(page.get_by_text("You withdrew this twin.")).to_be_visible()
    assert_clean(page)
    page.get_by_role("link", name="adjustment").click()
    expect(page.get_by_role("heading", name="This twin is withdrawn")).to_be_visible()
    page.goto("/")
    expect(page.get_by_text("Your appeal was declined: “It is not.”")).to_be_visible()
    page.get_by_role("link", name="See the appeal").click()
    expect(page.get_by_text("Your appeal: “It is clear.”")).to_be_visible()
    assert_clean(page)
