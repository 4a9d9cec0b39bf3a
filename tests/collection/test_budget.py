"""The budget of a campaign: nothing is promised that its cap does not pay for."""

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from collection import services
from collection.models import Assignment, BudgetBound, Campaign, Twin
from collection.selectors.exercise import order_shown
from collection.services.campaigns import budget, pay
from collection.services.joining.access import eligibility
from tests.factories import (
    ArticleFactory,
    CampaignFactory,
    ExerciseItemFactory,
    LedgerEntryFactory,
    SeatFactory,
    UserFactory,
    VoteFactory,
    twin_text,
)
from tests.refusals import refusal
from tests.writing import revise, submit, with_word, withdraw
from validation.models import Seat, TwinReturn
from validation.services import revise_twin
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User

TWIN = Decimal("0.58")  # 0.40 for the twin, six votes of 0.03


@pytest.fixture
def campaign() -> Campaign:
    """Two twins can be paid for."""
    return ArticleFactory(campaign__budget_cap=2 * TWIN).campaign


def take(campaign: Campaign, worker: User | None = None) -> Assignment:
    return services.request_assignment(worker=worker or UserFactory(), campaign=campaign)


def hand_in(held: Assignment) -> Twin:
    return submit(held, **with_word("old"))


def test_articles_are_handed_out_while_the_cap_pays_for_their_twins(campaign: Campaign) -> None:
    first = take(campaign)
    take(campaign)
    assert budget.committed(campaign) == 2 * TWIN
    with pytest.raises(DomainError, match="All work that this campaign can pay for") as caught:
        take(campaign)
    assert (caught.value.code, caught.value.status) == ("budget_exhausted", 409)
    assert take(campaign, first.worker) == first


def test_submitting_and_validating_change_nothing_of_what_is_committed(campaign: Campaign) -> None:
    twin = hand_in(take(campaign))
    assert budget.committed(campaign) == TWIN
    state = budget.state(campaign)
    assert (state.owed, state.promised, state.left) == (Decimal("0.40"), Decimal("0.18"), TWIN)
    seat = twin.seats.first()
    Seat.objects.filter(pk=seat.pk).update(
        worker=UserFactory(), answered_at=timezone.now(), leased_until=timezone.now()
    )
    LedgerEntryFactory(budget=campaign.public_id)
    assert budget.committed(campaign) == TWIN


def test_what_is_given_back_withdrawn_or_let_lapse_comes_free(campaign: Campaign) -> None:
    returned, lapsed = take(campaign), take(campaign)
    services.return_assignment(worker=returned.worker, assignment_id=returned.public_id)
    assert budget.committed(campaign) == TWIN
    Assignment.objects.filter(pk=lapsed.pk).update(
        leased_until=timezone.now() - timedelta(minutes=2)
    )
    assert budget.committed(campaign) == 0
    twin = hand_in(take(campaign))
    withdraw(twin)
    assert budget.committed(campaign) == 0


def test_a_lapsed_article_is_renewed_only_while_the_cap_pays_for_it(campaign: Campaign) -> None:
    lapsed = take(campaign)
    long_ago = timezone.now() - timedelta(minutes=2)
    Assignment.objects.filter(pk=lapsed.pk).update(leased_until=long_ago)
    take(campaign), take(campaign)
    one = {"worker": lapsed.worker, "assignment_id": lapsed.public_id}
    assert refusal(services.renew_assignment, **one).code == "budget_exhausted"
    Campaign.objects.update(budget_cap=3 * TWIN)
    assert services.renew_assignment(**one).status == "open"


def test_a_held_article_is_renewed_at_a_full_budget(campaign: Campaign) -> None:
    held = take(campaign)
    take(campaign)
    again = services.renew_assignment(worker=held.worker, assignment_id=held.public_id)
    assert (again.pk, again.status) == (held.pk, "open")
    assert again.leased_until > held.leased_until


def test_a_withdrawn_twin_comes_back_only_while_the_cap_pays_for_it(campaign: Campaign) -> None:
    twin = hand_in(take(campaign))
    withdraw(twin)
    take(campaign), take(campaign)
    again = {
        "worker": twin.author,
        "twin_id": twin.public_id,
        "text": twin_text(),
        "client_key": uuid.uuid4(),
    }
    assert refusal(revise_twin, **again).code == "budget_exhausted"
    assert Twin.objects.count() == 1


def test_an_active_twin_is_revised_at_a_full_budget(campaign: Campaign) -> None:
    twin = hand_in(take(campaign))
    take(campaign)
    revise(twin)
    assert budget.committed(campaign) == 2 * TWIN


def test_what_was_promised_is_paid_whatever_the_rate_is_by_then(campaign: Campaign) -> None:
    held = take(campaign)
    services.update_campaign(campaign=campaign, reward_twin=Decimal("0.10"))
    twin = hand_in(held)
    revise(twin)
    paid = LedgerEntry.objects.filter(kind="twin").values_list("amount", flat=True)
    assert set(paid) == {Decimal("0.40")}


def test_an_exercise_is_paid_only_within_the_cap() -> None:
    campaign = CampaignFactory(budget_cap=Decimal("0.60"))
    item = ExerciseItemFactory(campaign=campaign)

    def tried(worker: User) -> dict[str, Any]:
        right = order_shown(item, worker).index(item.answer) + 1
        answers = {str(item.public_id): right}
        return {"worker": worker, "campaign": campaign, "number": 1, "answers": answers}

    services.submit_exercise(**tried(UserFactory()))
    assert refusal(services.submit_exercise, **tried(UserFactory())).code == "budget_exhausted"
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize("kind", ["bonus", "adjustment"])
def test_extra_pay_stays_within_the_cap(kind: str, campaign: Campaign) -> None:
    asked = {"worker": UserFactory(), "by": UserFactory(curator=True), "reason": "Good."}
    asked |= {"campaign": campaign, "client_key": uuid.uuid4(), "kind": kind}
    assert (
        refusal(pay.write_extra, **asked, amount=2 * TWIN + Decimal("0.01")).code
        == "budget_exhausted"
    )
    assert not LedgerEntry.objects.exists()
    pay.write_extra(**asked, amount=2 * TWIN)
    assert (
        pay.write_extra(**asked, amount=2 * TWIN).amount == 2 * TWIN
    )  # again, it costs nothing more


def test_taking_unpaid_pay_back_needs_no_budget_and_frees_it(campaign: Campaign) -> None:
    given = pay.write_extra(**extra(campaign, "bonus", TWIN))
    take(campaign)
    pay.write_extra(**extra(campaign, "adjustment", -TWIN) | {"worker": given.worker})
    take(campaign)


def test_a_deduction_from_no_pay_frees_nothing(campaign: Campaign) -> None:
    take(campaign), take(campaign)
    pay.write_extra(**extra(campaign, "adjustment", -TWIN))
    assert refusal(take, campaign=campaign).code == "budget_exhausted"


@pytest.mark.parametrize(
    "changes",
    [
        {"reward_vote": Decimal("0.04")},
        {"votes_per_question": 5},
        {"budget_cap": 2 * TWIN - Decimal("0.01")},
    ],
)
def test_settings_that_would_exceed_the_cap_are_refused(
    changes: dict[str, Any], campaign: Campaign
) -> None:
    hand_in(take(campaign)), take(campaign)
    assert (
        refusal(services.update_campaign, campaign=campaign, **changes).code == "budget_exhausted"
    )
    campaign.refresh_from_db()
    assert (campaign.reward_vote, campaign.votes_per_question) == (Decimal("0.03"), 3)
    services.update_campaign(campaign=campaign, name="Else", reward_twin=Decimal("9.00"))


def test_a_campaign_whose_cap_is_too_small_is_not_opened_again(campaign: Campaign) -> None:
    take(campaign), take(campaign)
    services.change_status(campaign=campaign, status="paused")
    Campaign.objects.update(budget_cap=TWIN)
    assert (
        refusal(services.change_status, campaign=campaign, status="open").code == "budget_exhausted"
    )
    campaign.refresh_from_db()
    assert campaign.status == "paused"


def test_a_closed_campaign_promises_no_votes_but_those_in_hand(campaign: Campaign) -> None:
    twin = hand_in(take(campaign))
    seat = twin.seats.first()
    Seat.objects.filter(pk=seat.pk).update(
        worker=UserFactory(),
        leased_until=timezone.now() + timedelta(minutes=1),
        reward=Decimal("0.05"),
    )
    assert budget.state(campaign).promised == Decimal("0.20")
    services.change_status(campaign=campaign, status="closed")
    assert budget.state(campaign).promised == Decimal("0.05")


def test_the_currency_stays_once_pay_was_promised(campaign: Campaign) -> None:
    services.update_campaign(campaign=campaign, currency="EUR")
    take(campaign)
    campaign.refresh_from_db()
    changes = {"campaign": campaign, "currency": "USD"}
    assert refusal(services.update_campaign, **changes).code == "currency_fixed"


def test_a_worker_looking_for_work_is_told_that_the_budget_is_used_up(campaign: Campaign) -> None:
    take(campaign)
    newcomer = UserFactory()
    assert eligibility(newcomer, campaign).refusal is None
    take(campaign)
    refusal = eligibility(newcomer, campaign).refusal
    assert refusal is not None
    assert refusal.code == "budget_exhausted"


def test_without_a_cap_nothing_is_asked(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    campaign = CampaignFactory()
    with django_assert_num_queries(0):
        assert budget.refusal(campaign=campaign, amount=TWIN) is None
        assert budget.state.__name__ == "state"
    seat = SeatFactory(campaign=campaign)
    assert budget.committed(campaign) == seat.campaign.reward_vote
    assert budget.state(campaign).left is None


def test_what_is_committed_is_one_question(
    campaign: Campaign, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hand_in(take(campaign))
    with django_assert_num_queries(1):
        budget.committed(campaign)


def test_far_from_the_cap_nothing_is_added_up_again(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    Campaign.objects.update(budget_cap=100 * TWIN)
    campaign.refresh_from_db()
    take(campaign)
    monkeypatch.setattr(budget, "committed", lambda *_: pytest.fail("everything was added up"))
    take(campaign)
    assert eligibility(UserFactory(), campaign).refusal is None


def test_the_bound_is_never_below_what_is_committed(campaign: Campaign) -> None:
    Campaign.objects.update(budget_cap=100 * TWIN)
    campaign.refresh_from_db()

    def seen() -> None:
        bound = BudgetBound.objects.filter(campaign=campaign).values_list("amount", flat=True)
        assert bound.first() is None or bound.first() >= budget.committed(campaign)

    first, twin = take(campaign), hand_in(take(campaign))
    services.renew_assignment(worker=first.worker, assignment_id=first.public_id)
    one = {"worker": twin.author, "text": twin_text(), "client_key": uuid.uuid4()}
    revise_twin(twin_id=twin.public_id, **one)
    seen()
    services.return_assignment(worker=first.worker, assignment_id=first.public_id)
    seen()
    taken = pay.write_extra(**extra(campaign, "adjustment", -TWIN))
    seen()
    void(campaign, taken)
    seen()
    services.update_campaign(campaign=campaign, reward_vote=Decimal("0.20"))
    assert not BudgetBound.objects.exists()
    take(campaign)
    seen()


@pytest.mark.parametrize(
    "changes",
    [
        {"reward_twin": Decimal("0.50")},
        {"reward_vote": Decimal("0.04")},
        {"votes_per_question": 5},
        {"budget_cap": None},
        {"status": "closed"},
    ],
)
def test_what_the_bound_was_reckoned_by_changes_and_it_is_forgotten(
    changes: dict[str, Any], campaign: Campaign
) -> None:
    """Whatever changes it: without the trigger, work handed out uncapped would be forgotten."""
    take(campaign)
    Campaign.objects.filter(pk=campaign.pk).update(name="Else")
    assert BudgetBound.objects.get().amount == TWIN
    Campaign.objects.filter(pk=campaign.pk).update(**changes)
    assert not BudgetBound.objects.exists()


def test_a_bound_is_reckoned_again_after_a_while(campaign: Campaign) -> None:
    take(campaign)
    LedgerEntryFactory(budget=campaign.public_id, amount=TWIN)  # by no service
    BudgetBound.objects.update(counted_at=timezone.now() - timedelta(minutes=11))
    assert refusal(take, campaign=campaign).code == "budget_exhausted"


def test_a_seat_that_comes_free_at_a_higher_rate_was_counted_so(campaign: Campaign) -> None:
    twin = hand_in(take(campaign))
    Campaign.objects.update(reward_vote=Decimal("0.04"))
    campaign.refresh_from_db()
    Seat.objects.filter(pk=twin.seats.first().pk).update(
        worker=UserFactory(), leased_until=timezone.now() + timedelta(minutes=1), reward="0.03"
    )
    before = budget.committed(campaign)
    Seat.objects.update(worker=None, leased_until=None, reward=None)
    assert budget.committed(campaign) == before == Decimal("0.64")


def extra(campaign: Campaign, kind: str, amount: Decimal) -> dict[str, Any]:
    asked = {"campaign": campaign, "kind": kind, "amount": amount, "client_key": uuid.uuid4()}
    return asked | {"worker": UserFactory(), "by": UserFactory(curator=True), "reason": "So."}


def void(campaign: Campaign, entry: LedgerEntry) -> LedgerEntry:
    one = {"worker": entry.worker, "kind": entry.kind, "unit": entry.unit, "reason": "So."}
    return pay.void_entry(campaign=campaign, by=UserFactory(curator=True), **one)


def test_what_was_taken_back_is_owed_again_only_within_the_cap(campaign: Campaign) -> None:
    given = pay.write_extra(**extra(campaign, "bonus", TWIN))
    taken = pay.write_extra(**extra(campaign, "adjustment", -TWIN) | {"worker": given.worker})
    pay.write_extra(**extra(campaign, "bonus", 2 * TWIN))
    assert refusal(void, campaign=campaign, entry=taken).code == "budget_exhausted"
    assert budget.committed(campaign) == 2 * TWIN
    Campaign.objects.update(budget_cap=3 * TWIN)
    campaign.refresh_from_db()
    assert void(campaign, taken) == void(campaign, taken)
    assert budget.committed(campaign) == 3 * TWIN


def test_a_twin_that_was_returned_is_revised_only_while_the_cap_pays_for_its_votes(
    campaign: Campaign,
) -> None:
    """Its former votes are paid and stay; the new ones are promised besides."""
    twin = hand_in(take(campaign))
    Seat.objects.filter(twin=twin).delete()
    vote = VoteFactory(question=twin.questions.first())
    LedgerEntryFactory(budget=campaign.public_id, unit=str(vote.public_id), worker=vote.worker)
    TwinReturn.objects.create(twin=twin, by=UserFactory(curator=True), note="Shorter.")
    take(campaign)
    pay.write_extra(**extra(campaign, "bonus", Decimal("0.10")))
    again = {"text": twin_text(), "client_key": uuid.uuid4()}
    again |= {"worker": twin.author, "twin_id": twin.public_id}
    assert refusal(revise_twin, **again).code == "budget_exhausted"
    Campaign.objects.update(budget_cap=3 * TWIN)
    revise_twin(**again)
    campaign.refresh_from_db()
    assert budget.committed(campaign) == 2 * TWIN + Decimal("0.13")


def test_a_campaign_that_pays_more_than_a_later_limit_can_change_its_other_settings() -> None:
    campaign = CampaignFactory(currency="JPY", reward_twin=Decimal("600.00"))
    changed = services.update_campaign(campaign=campaign, pay_terms="Monthly.")
    assert changed.pay_terms == "Monthly."
    with pytest.raises(ValidationError, match="limit of one entry"):
        services.update_campaign(campaign=campaign, reward_twin=Decimal("601.00"))
