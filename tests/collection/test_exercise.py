"""The exercise: set as a whole, tried twice at most, paid once, explained for good."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from collection import services
from collection.models import Campaign, ExerciseItem
from collection.selectors.budget import cost_of_twin
from collection.selectors.exercise import (
    explained_items,
    items_of_attempt,
    order_shown,
    shown_items,
)
from collection.services import ItemText
from collection.services.joining.access import eligibility
from tests.factories import CampaignFactory, ExerciseItemFactory, PauseFactory, UserFactory
from winoplatform.errors import DomainError
from workers.models import Attempt, LedgerEntry, Qualification, User

ITEMS = [ItemText(f"Question {n}?", ("a", "b", "c"), 2, f"Because {n}.") for n in range(5)]


def replace_prompt(item: ItemText) -> ItemText:
    return replace(item, prompt=f"Again: {item.prompt}")


@pytest.fixture
def campaign() -> Campaign:
    """Five items, of which four have to be right."""
    campaign = CampaignFactory()
    services.set_exercise(campaign=campaign, items=ITEMS)
    return campaign


def current(campaign: Campaign) -> list[ExerciseItem]:
    return list(ExerciseItem.objects.current(campaign, "write"))


def choose(worker: User, items: list[ExerciseItem], *, right: int) -> dict[str, int]:
    """Answer so that the first *right* items are right and the others are wrong."""
    chosen = {}
    for place, item in enumerate(items):
        wanted = item.answer if place < right else 1
        chosen[str(item.public_id)] = order_shown(item, worker).index(wanted) + 1
    return chosen


def attempt(worker: User, campaign: Campaign, *, right: int, number: int = 1) -> Attempt:
    return services.submit_exercise(
        worker=worker,
        campaign=campaign,
        number=number,
        answers=choose(worker, current(campaign), right=right),
    )


def refusal(worker: User, campaign: Campaign, answers: object, *, number: int = 1) -> str:
    with pytest.raises(DomainError) as refused:
        services.submit_exercise(
            worker=worker,
            campaign=campaign,
            number=number,
            answers=answers,  # type: ignore[arg-type]
        )
    return refused.value.code


@pytest.mark.parametrize(("right", "status"), [(5, "passed"), (4, "passed"), (3, "started")])
def test_enough_right_answers_pass(
    right: int, status: str, alice: User, campaign: Campaign
) -> None:
    made = attempt(alice, campaign, right=right)
    assert (made.number, made.n_right, made.n_items) == (1, right, 5)
    assert made.qualification.status == status


def test_the_first_attempt_that_passes_is_paid_and_no_other(
    alice: User, campaign: Campaign
) -> None:
    attempt(alice, campaign, right=0)
    assert not LedgerEntry.objects.exists()
    attempt(alice, campaign, right=5, number=2)
    qualification = Qualification.objects.get()
    assert qualification.status == "passed"
    entry = LedgerEntry.objects.get()
    assert (entry.kind, entry.unit, entry.amount, entry.budget) == (
        "training",
        str(qualification.public_id),
        Decimal("0.50"),
        campaign.public_id,
    )


def test_the_last_attempt_decides_and_no_other_follows(alice: User, campaign: Campaign) -> None:
    attempt(alice, campaign, right=0)
    attempt(alice, campaign, right=3, number=2)
    assert Qualification.objects.get().status == "failed"
    answers = choose(alice, current(campaign), right=5)
    assert refusal(alice, campaign, answers, number=3) == "exercise_failed"


def test_who_has_passed_makes_no_further_attempt(alice: User, campaign: Campaign) -> None:
    attempt(alice, campaign, right=5)
    answers = choose(alice, current(campaign), right=5)
    assert refusal(alice, campaign, answers, number=2) == "exercise_passed"


def test_an_attempt_sent_twice_is_one(alice: User, campaign: Campaign) -> None:
    first = attempt(alice, campaign, right=4)
    assert attempt(alice, campaign, right=4) == first
    other = choose(alice, current(campaign), right=5)
    assert refusal(alice, campaign, other) == "attempt_made"
    assert (Attempt.objects.count(), LedgerEntry.objects.count()) == (1, 1)


def test_a_serious_attempt_is_paid_once_though_it_fails(alice: User) -> None:
    """Ten items of three choices: a guesser gets seven with a chance of 2 %; eight pass."""
    campaign = CampaignFactory()
    services.set_exercise(campaign=campaign, items=ITEMS + [replace_prompt(item) for item in ITEMS])
    attempt(alice, campaign, right=7)
    assert Qualification.objects.get().status == "started"
    assert LedgerEntry.objects.get().amount == Decimal("0.50")
    attempt(alice, campaign, right=8, number=2)
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize("right", [0, 5])
def test_what_cannot_be_paid_is_refused_whatever_was_right(
    right: int, alice: User, campaign: Campaign
) -> None:
    """Before: right answers were refused and wrong ones counted, so each refusal told a test."""
    Campaign.objects.update(budget_cap=Decimal("0.49"))
    campaign.refresh_from_db()
    answers = choose(alice, current(campaign), right=right)
    assert refusal(alice, campaign, answers) == "budget_exhausted"
    assert not Attempt.objects.exists()


def test_who_was_paid_before_the_budget_was_used_up_continues(alice: User) -> None:
    campaign = CampaignFactory()
    services.set_exercise(campaign=campaign, items=ITEMS + [replace_prompt(item) for item in ITEMS])
    attempt(alice, campaign, right=7)
    Campaign.objects.update(budget_cap=Decimal("0.50"))
    campaign.refresh_from_db()
    assert attempt(alice, campaign, right=10, number=2).qualification.status == "passed"
    assert LedgerEntry.objects.total() == Decimal("0.50")


def test_an_attempt_that_guessing_explains_is_not_paid(alice: User) -> None:
    campaign = CampaignFactory()
    services.set_exercise(campaign=campaign, items=ITEMS + [replace_prompt(item) for item in ITEMS])
    for number, right in enumerate((6, 6), start=1):
        attempt(alice, campaign, right=right, number=number)
    assert Qualification.objects.get().status == "failed"
    assert not LedgerEntry.objects.exists()


def test_without_a_reward_nothing_is_booked(alice: User, campaign: Campaign) -> None:
    Campaign.objects.update(reward_exercise=0)
    campaign.refresh_from_db()
    attempt(alice, campaign, right=5)
    assert not LedgerEntry.objects.exists()


def test_an_exercise_booked_at_nothing_is_reserved_and_paid_once_the_reward_is_raised(
    alice: User,
) -> None:
    """What will be paid is also what the budget has to cover before the attempt."""
    campaign = CampaignFactory(reward_exercise=0)
    services.set_exercise(campaign=campaign, items=ITEMS + [replace_prompt(item) for item in ITEMS])
    attempt(alice, campaign, right=7)
    assert Qualification.objects.get().reward == 0
    campaign = services.update_campaign(campaign=campaign, reward_exercise=Decimal("0.50"))
    cap = cost_of_twin(campaign)
    campaign = services.update_campaign(campaign=campaign, budget_cap=cap)
    refused = [found.code for found in eligibility(alice, campaign).refusals]
    assert refused == ["exercise_not_passed", "budget_exhausted"]
    campaign = services.update_campaign(campaign=campaign, budget_cap=cap + Decimal("0.50"))
    assert [found.code for found in eligibility(alice, campaign).refusals] == [
        "exercise_not_passed"
    ]
    attempt(alice, campaign, right=8, number=2)
    assert LedgerEntry.objects.get().amount == Decimal("0.50")
    assert eligibility(alice, campaign).refusals == ()


def test_an_attempt_out_of_turn_is_refused(alice: User, campaign: Campaign) -> None:
    answers = choose(alice, current(campaign), right=5)
    for number in (0, 2, -1, 99):
        assert refusal(alice, campaign, answers, number=number) == "attempt_out_of_turn"
    assert not Attempt.objects.exists()


def test_every_item_wants_an_answer_that_is_a_choice(alice: User, campaign: Campaign) -> None:
    answers = choose(alice, current(campaign), right=5)
    key = next(iter(answers))
    for bad in ({}, answers | {key: 0}, answers | {key: 4}, answers | {key: -1}):
        assert refusal(alice, campaign, bad) == "exercise_incomplete"
    assert refusal(alice, campaign, answers | {"x": 1}) == "exercise_changed"
    assert not LedgerEntry.objects.exists()


def test_answers_to_an_exercise_that_was_replaced_are_not_graded_by_the_new_one(
    alice: User, campaign: Campaign
) -> None:
    answers = choose(alice, current(campaign), right=5)
    services.set_exercise(campaign=campaign, items=ITEMS[:2])
    assert refusal(alice, campaign, answers) == "exercise_changed"


def test_an_attempt_stays_explicable_after_the_exercise_was_replaced(
    alice: User, campaign: Campaign
) -> None:
    made = attempt(alice, campaign, right=4)
    services.set_exercise(campaign=campaign, items=[])
    explained = explained_items(made, alice)
    assert [item.is_right for item in explained] == [True] * 4 + [False]
    assert explained[0].explanation == "Because 0."
    assert explained[0].choices[explained[0].answer - 1] == "b"
    assert explained[4].choices[explained[4].chosen - 1] == "a"


def test_the_same_exercise_again_changes_nothing(campaign: Campaign) -> None:
    before = current(campaign)
    assert services.set_exercise(campaign=campaign, items=ITEMS) == before
    services.set_exercise(campaign=campaign, items=ITEMS[::-1])
    assert [item.prompt for item in current(campaign)] == [item.prompt for item in ITEMS[::-1]]
    assert ExerciseItem.objects.count() == 10


def test_every_worker_has_an_order_of_their_own_that_stays(campaign: Campaign) -> None:
    item = ExerciseItemFactory(campaign=campaign, number=99, choices=list("abcdefg"))
    people = UserFactory.create_batch(10)
    orders = {order_shown(item, person) for person in people}
    assert len(orders) > 5
    assert order_shown(item, people[0]) == order_shown(item, people[0])
    [shown] = shown_items([item], people[0])
    assert sorted(shown.choices) == list("abcdefg")


def test_the_exercise_is_not_for_who_may_not_write_anyway(alice: User, campaign: Campaign) -> None:
    answers = choose(alice, current(campaign), right=5)
    services.publish_guideline(campaign=campaign, text="Read me.")
    assert refusal(alice, campaign, answers) == "guideline_not_accepted"
    services.accept_guideline(worker=alice, campaign=campaign, version=1)
    PauseFactory(worker=alice)
    assert refusal(alice, campaign, answers) == "worker_paused"
    campaign.status = Campaign.Status.PAUSED
    campaign.save()
    bob = UserFactory()
    services.accept_guideline(worker=bob, campaign=campaign, version=1)
    assert refusal(bob, campaign, choose(bob, current(campaign), right=5)) == "campaign_not_open"


def test_a_campaign_without_an_exercise_takes_none(alice: User) -> None:
    assert refusal(alice, CampaignFactory(), {}) == "no_exercise"


@pytest.mark.parametrize(
    "item",
    [
        ItemText("?", ("a",), 1, "e"),
        ItemText("?", ("a", "a"), 1, "e"),
        ItemText("?", ("a", "b"), 0, "e"),
        ItemText("?", ("a", "b"), 3, "e"),
        ItemText("?", tuple("abcdefghijk"), 1, "e"),
        ItemText("", ("a", "b"), 1, "e"),
        ItemText("?", ("a", "b"), 1, ""),
        ItemText("?", ("a", ""), 1, "e"),
        ItemText("?", ("a", "b" * 301), 1, "e"),
    ],
)
def test_an_item_that_cannot_be_is_refused_and_the_old_exercise_stays(
    item: ItemText, campaign: Campaign
) -> None:
    with pytest.raises(ValidationError):
        services.set_exercise(campaign=campaign, items=[ITEMS[0], item])
    assert len(current(campaign)) == 5


def test_an_exercise_has_an_end(campaign: Campaign) -> None:
    many = [ItemText(f"{n}?", ("a", "b"), 1, "e") for n in range(51)]
    with pytest.raises(ValidationError, match="50 items"):
        services.set_exercise(campaign=campaign, items=many)


def test_a_second_attempt_asks_items_that_the_first_one_has_not_explained(
    alice: User, campaign: Campaign
) -> None:
    campaign = services.update_campaign(campaign=campaign, exercise_length=2)
    first = items_of_attempt(campaign, "write")
    assert [item.number for item in first] == [1, 2]
    made = services.submit_exercise(
        worker=alice, campaign=campaign, number=1, answers=choose(alice, first, right=0)
    )
    second = items_of_attempt(campaign, "write", made.qualification)
    assert [item.number for item in second] == [3, 4]
    assert refusal(alice, campaign, choose(alice, first, right=2), number=2) == "exercise_changed"
    again = services.submit_exercise(
        worker=alice, campaign=campaign, number=2, answers=choose(alice, second, right=2)
    )
    assert (again.n_items, again.qualification.status) == (2, "passed")
    # One new item is left, and of the earlier ones those of the first attempt come again.
    assert [item.number for item in items_of_attempt(campaign, "write", made.qualification)] == [
        1,
        5,
    ]
