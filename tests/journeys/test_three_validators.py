"""Three validators and a curator: training, test, a split vote, a decision, and pay."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from collection import services
from collection.models import Campaign, ExerciseItem
from collection.selectors.exercise import order_shown
from tests.factories import QualificationFactory, UserFactory
from tests.journeys.validating import (
    answer_of,
    begin,
    kitchen,
    open_sentence,
    receipt,
    settled,
    vote,
)
from validation.models import Seat, Verdict, Vote
from workers.models import User

TASK = services.ItemText("> The rug … the _ was wide.", ("rug", "hall", "both"), 1, "It is a rug.")


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    """One question to validate, after guidelines, a training of two tasks and a test of one."""
    campaign = kitchen(1)
    Seat.objects.filter(question__number=2).delete()
    services.publish_guideline(campaign=campaign, text="Read *slowly*.")
    second = services.ItemText("And now?", ("one", "other", "both"), 3, "Nobody knows.")
    for part, items in (("training", [TASK, second]), ("test", [TASK])):
        services.set_exercise(campaign=campaign, items=items, skill="validate", part=part)
    return campaign


def key_of(worker: User, campaign: Campaign, part: str, number: int, *, right: bool = True) -> str:
    item = ExerciseItem.objects.current(campaign, "validate", part).get(number=number)
    wanted = item.answer if right else item.answer % 3 + 1
    return str(order_shown(item, worker).index(wanted) + 1)


def press(page: Page, key: str) -> None:
    page.wait_for_load_state("load")  # keys count once the script is there
    page.keyboard.press(key)


def join_by_hand(page: Page, worker: User, campaign: Campaign) -> None:
    """From home to the first question: guidelines, training, test."""
    page.goto("/")
    to_do = page.get_by_text("First read the guidelines.", exact=True)
    expect(to_do).to_be_visible()
    page.get_by_role("link", name="Validate · Kitchen").click()
    page.get_by_role("button", name="I have read them and accept").click()
    expect(page.get_by_text("0 of 2")).to_be_visible()
    press(page, key_of(worker, campaign, "training", 1, right=False))
    expect(page.get_by_text("Not correct.")).to_be_visible()
    expect(page.get_by_text("It is a rug.")).to_be_visible()
    press(page, key_of(worker, campaign, "training", 2))
    expect(page.get_by_text("Once more")).to_be_visible()
    press(page, key_of(worker, campaign, "training", 1))
    expect(page.get_by_text("2 of 2")).to_be_visible()
    press(page, "n")
    page.get_by_text("$0.50, once, if you pass.").wait_for()
    page.get_by_role("radio", name="rug").check()
    page.get_by_role("button", name="Submit test").click()
    expect(page.get_by_text("You have passed: 1 of 1 answers were correct.")).to_be_visible()
    page.get_by_role("button", name="Start validating").click()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()


def qualified(name: str, campaign: Campaign) -> User:
    worker = UserFactory(username=name)
    QualificationFactory(worker=worker, campaign=campaign, skill="validate", passed=True)
    services.accept_guideline(worker=worker, campaign=campaign, version=1, skill="validate")
    return worker


@pytest.mark.long
def test_a_split_vote_is_decided_and_everybody_is_paid(
    campaign: Campaign, sign_in: Callable[..., Page]
) -> None:
    bob = UserFactory(username="bob")
    page = sign_in(bob)
    join_by_hand(page, bob, campaign)
    wrong = answer_of(bob, right=False)
    open_sentence(page)
    vote(page, wrong)
    expect(receipt(page)).to_contain_text("Your vote is recorded.")
    settled(page)
    page.keyboard.press("u")
    expect(page.get_by_role("heading", name="Change your last answer")).to_be_visible()
    vote(page, 3 - wrong)
    expect(receipt(page)).to_contain_text("Your vote is changed.")

    agrees = qualified("carol", campaign)
    theirs = begin(sign_in, agrees)
    right = answer_of(agrees)
    open_sentence(theirs)
    vote(theirs, right)
    expect(receipt(theirs)).to_contain_text("Your vote is recorded.")

    reports = qualified("dave", campaign)
    theirs = begin(sign_in, reports)
    wrong = answer_of(reports, right=False)
    open_sentence(theirs)
    theirs.get_by_text("Comment or report").click()
    theirs.get_by_label("It is offensive").check()
    vote(theirs, wrong, "Yes, both plausible")
    expect(receipt(theirs)).to_contain_text("Your vote is recorded.")
    assert Verdict.objects.get().valid

    decide(sign_in(UserFactory(username="dana", curator=True)))
    pay(sign_in(UserFactory(username="erin", curator=True)))
    page.goto("/my-pay/")
    on_its_way = page.locator(".figures div").filter(has_text="In a payout")
    expect(on_its_way).to_contain_text("$0.53")
    page.goto("/my-work/")
    expect(page.get_by_text("not ambiguous")).to_be_visible()
    assert Vote.objects.count() == 3


def decide(page: Page) -> None:
    """The reported question is first in the review queue; a curator overrules the majority."""
    page.goto("/campaigns/kitchen/review/")
    page.get_by_role("table").get_by_role("link").first.click()
    expect(page.get_by_text("It is offensive", exact=False).first).to_be_visible()
    page.locator(".review-form [name=note]").fill("One validator is right: it is rude.")
    page.locator(".review-form [name=reasons]").first.check()
    page.get_by_role("button", name="Not valid").click()
    page.wait_for_load_state()
    verdict = Verdict.objects.get()
    assert not verdict.valid
    assert verdict.decided_by is not None


def pay(page: Page) -> None:
    page.goto("/campaigns/kitchen/pay/")
    page.get_by_role("button", name="Approve accrued entries").click()
    page.wait_for_load_state()
    page.get_by_role("button", name="Create payout").click()
    expect(page.locator("summary", has_text="Mark as paid …")).to_be_visible()
