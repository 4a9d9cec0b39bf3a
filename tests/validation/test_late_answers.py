"""An answer after the lease's end counts while the seat is still free, gold or not."""

import uuid
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collection.models import Campaign
from collection.selectors.budget import committed
from collection.services.campaigns import pay
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VerdictFactory
from tests.validation.test_golds import a_gold
from validation import services
from validation.models import Seat, Vote
from validation.services import golds
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User


@pytest.fixture
def campaign() -> Campaign:
    campaign = CampaignFactory(gold_share=Decimal("0.5"))
    for _ in range(3):
        TwinFactory(campaign=campaign, seats=3)
    for _ in range(2):
        a_gold(campaign)
    return campaign


def take(
    worker: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch, *, gold: bool = False
) -> Seat:
    monkeypatch.setattr(golds._dice, "random", lambda: 0.0 if gold else 1.0)
    seat = services.claim_seat(worker=worker, campaign=campaign)
    assert (seat.gold_id is not None) == gold
    return seat


def local(seat: Seat) -> Seat:
    return services.answer_local(worker=seat.worker, seat_id=seat.public_id, shown_option=1)


def vote(seat: Seat) -> Vote:
    one = {"worker": seat.worker, "seat_id": seat.public_id}
    return services.cast_vote(**one, shown_option=1, ambiguous=False)


def lapse(seat: Seat, minutes: int = 4) -> None:
    then = timezone.now() - timedelta(minutes=minutes)
    Seat.objects.filter(pk=seat.pk).update(
        claimed_at=then - timedelta(minutes=3), leased_until=then
    )


def outcome(seat: Seat) -> str:
    try:
        vote(seat)
    except DomainError as refused:
        return refused.code
    return "counts"


@pytest.mark.parametrize("gold", [False, True])
def test_a_late_vote_counts_if_nobody_took_the_question(
    gold: bool, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
    local(seat)
    lapse(seat)
    assert outcome(seat) == "counts"
    assert LedgerEntry.objects.filter(worker=seat.worker).total() == Decimal("0.03")


@pytest.mark.parametrize("gold", [False, True])
def test_a_late_first_answer_counts_and_leaves_time_for_the_second(
    gold: bool, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
    lapse(seat)
    shown = local(seat)
    assert services.view(shown).sentence == seat.question.sentence
    assert shown.leased_until is not None
    assert shown.leased_until > timezone.now() + timedelta(minutes=2)
    assert outcome(seat) == "counts"


@pytest.mark.parametrize("gold", [False, True])
def test_a_late_vote_is_lost_once_another_validator_claims_there(
    gold: bool, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
    local(seat)
    lapse(seat)
    take(UserFactory(), campaign, monkeypatch)
    assert outcome(seat) == "lease_expired"
    assert not Vote.objects.filter(worker=seat.worker).exists()


@pytest.mark.parametrize("gold", [False, True])
def test_claims_of_those_who_know_the_question_take_nothing(
    gold: bool, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a late answer that is refused in a small group would be one of a control question."""
    other = UserFactory()
    known = take(other, campaign, monkeypatch)
    local(known)
    vote(known)
    then = timezone.now() - timedelta(minutes=20)
    Seat.objects.filter(pk=known.pk).update(claimed_at=then)
    seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
    assert seat.place == known.place
    local(seat)
    lapse(seat)
    assert take(other, campaign, monkeypatch).place > known.place
    assert outcome(seat) == "counts"


@pytest.mark.parametrize("gold", [False, True])
def test_a_budget_that_is_used_up_tells_no_control_question(
    gold: bool, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
    local(seat)
    cap = committed(campaign)
    Campaign.objects.update(budget_cap=cap)
    campaign.refresh_from_db()
    lapse(seat)
    curator, worker = UserFactory(curator=True), UserFactory()
    asked = {"kind": "bonus", "amount": Decimal("0.03"), "reason": "Good.", "by": curator}
    with pytest.raises(DomainError) as refused:  # the pay of the late answer stays reserved
        pay.write_extra(campaign=campaign, worker=worker, client_key=uuid.uuid4(), **asked)
    assert refused.value.code == "budget_exhausted"
    assert outcome(seat) == "counts"
    assert committed(campaign) == cap


@pytest.mark.parametrize("gold", [False, True])
def test_with_the_budget_used_up_an_unopened_question_is_asked_again(
    gold: bool, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
    Campaign.objects.update(budget_cap=committed(campaign))
    campaign.refresh_from_db()
    lapse(seat)
    again = services.claim_seat(worker=seat.worker, campaign=campaign)
    assert again.question_id == seat.question_id
    assert committed(campaign) == campaign.budget_cap


@pytest.mark.parametrize("gold", [False, True])
@pytest.mark.parametrize("status", ["paused", "closed"])
def test_a_late_vote_needs_an_open_campaign(
    status: str, gold: bool, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
    local(seat)
    lapse(seat)
    Campaign.objects.update(status=status)
    assert outcome(seat) == "lease_expired"


def test_a_late_vote_is_refused_where_a_curator_has_decided(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = take(UserFactory(), campaign, monkeypatch)
    local(seat)
    lapse(seat)
    VerdictFactory(question=seat.question, decided_by=UserFactory(curator=True))
    assert outcome(seat) == "lease_expired"


def test_the_statements_of_a_late_vote_are_the_same_up_to_the_decision(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: object
) -> None:
    asked = []
    for gold in (False, True):
        seat = take(UserFactory(), campaign, monkeypatch, gold=gold)
        local(seat)
        lapse(seat)
        take(UserFactory(), campaign, monkeypatch)
        with CaptureQueriesContext(connection) as queries:
            golds.is_lost(Seat.objects.select_related("campaign").get(pk=seat.pk))
        asked.append(len(queries))
    assert asked[0] == asked[1]
