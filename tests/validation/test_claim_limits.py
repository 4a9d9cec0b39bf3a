"""Who gets no seat, or a gold one; and seats in a validator's hands."""

from datetime import datetime, timedelta
from decimal import Decimal
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.utils import timezone

from collection.models import Campaign
from collection.services.joining.guidelines import accept_guideline
from tests.factories import (
    CampaignFactory,
    ExerciseItemFactory,
    ParticipantFactory,
    PauseFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
)
from tests.refusals import refusal
from tests.validation.claiming import claim, expire, reason
from validation import services
from validation.models import GoldQuestion, PassedSeat, Seat, Verdict, Vote
from validation.services import golds
from validation.services.validating import statements
from workers.models import LedgerEntry, User


# -- limits ----------------------------------------------------------------------------------------
def voted(worker: object, campaign: Campaign, *, hours_ago: float) -> None:
    at = timezone.now() - timedelta(hours=hours_ago)
    SeatFactory(
        question=TwinFactory(campaign=campaign).questions.get(number=1),
        worker=worker,
        opened=True,
        answered_at=at,
    )


def limited(**limits: int) -> tuple[Campaign, User]:
    campaign = CampaignFactory(**limits)
    TwinFactory.create_batch(3, campaign=campaign, seats=3)
    return campaign, UserFactory()


def test_who_has_validated_as_much_as_one_may_gets_no_more() -> None:
    campaign, bob = limited(votes_per_worker_max=2)
    voted(bob, campaign, hours_ago=99)
    claim(bob, campaign)
    error = refusal(services.claim_seat, worker=bob, campaign=campaign, ahead=True)
    assert (error.code, error.status, error.details) == ("vote_limit", 409, {"limit": 2})
    assert claim(UserFactory(), campaign)


def test_a_days_votes_are_limited_and_the_time_to_come_back_is_told() -> None:
    campaign, bob = limited(votes_per_day_max=2)
    for hours in (30, 20, 10):
        voted(bob, campaign, hours_ago=hours)
    error = refusal(services.claim_seat, worker=bob, campaign=campaign)
    assert (error.code, error.status) == ("daily_vote_limit", 409)
    wait = datetime.fromisoformat(error.details["again_at"]) - timezone.now()
    assert timedelta(hours=3, minutes=59) < wait < timedelta(hours=4)


def test_a_seat_in_hand_counts_for_the_day() -> None:
    campaign, bob = limited(votes_per_day_max=1)
    claim(bob, campaign)
    error = refusal(services.claim_seat, worker=bob, campaign=campaign, ahead=True)
    assert (error.code, error.details["again_at"]) == ("daily_vote_limit", None)


def test_votes_elsewhere_count_for_no_limit_here() -> None:
    campaign, bob = limited(votes_per_day_max=1, votes_per_worker_max=1)
    voted(bob, CampaignFactory(), hours_ago=1)
    assert claim(bob, campaign)


# -- gold questions --------------------------------------------------------------------------------
class TestAGoldSeat:
    @pytest.fixture(autouse=True)
    def gold(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.campaign = CampaignFactory(gold_share=Decimal("0.5"))
        self.twin = TwinFactory(campaign=self.campaign)
        self.gold = GoldQuestion.objects.create(
            campaign=self.campaign,
            question=self.twin.questions.get(number=1),
            origin=GoldQuestion.Origin.CHOSEN,
        )
        monkeypatch.setattr(golds, "_dice", SimpleNamespace(random=lambda: 0.0))
        self.bob = UserFactory()

    def ordinary(self) -> None:
        TwinFactory(campaign=self.campaign, seats=3)

    def test_is_made_for_one_worker_and_looks_like_any_other(self) -> None:
        self.ordinary()
        seat = claim(self.bob, self.campaign)
        assert (seat.gold, seat.number, seat.worker) == (self.gold, None, self.bob)
        assert seat.reward == self.campaign.reward_vote
        assert claim(self.bob, self.campaign) == seat

    def test_is_not_made_where_the_queue_is_empty(self) -> None:
        assert reason(self.bob, self.campaign) == "all_validated"

    def test_goes_when_it_is_returned_and_its_worker_hears_the_usual(self) -> None:
        self.ordinary()
        seat = claim(self.bob, self.campaign)
        services.return_seat(worker=self.bob, seat_id=seat.public_id)
        services.return_seat(worker=self.bob, seat_id=seat.public_id)
        assert not Seat.objects.filter(gold=self.gold).exists()
        assert refusal(services.beat, worker=self.bob, seat_id=seat.public_id).code == (
            "lease_expired"
        )
        assert claim(self.bob, self.campaign).gold is None

    def test_comes_back_when_its_lease_ended_unopened_as_an_ordinary_one_does(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.ordinary()
        seat = claim(self.bob, self.campaign)
        expire(seat)
        monkeypatch.setattr(golds, "_dice", SimpleNamespace(random=lambda: 1.0))
        again = claim(self.bob, self.campaign)
        assert (again, again.gold) == (seat, self.gold)
        again.refresh_from_db()
        assert again.leased_until > timezone.now() > again.claimed_at > seat.claimed_at
        assert not PassedSeat.objects.exists()

    @pytest.mark.parametrize("coin", [0.0, 1.0], ids=["gold", "ordinary"])
    def test_comes_back_under_another_id_once_another_has_claimed_as_an_ordinary_one_does(
        self, coin: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Before: what came back to who let it lapse, under the same id, was gold."""
        self.ordinary()
        monkeypatch.setattr(golds, "_dice", SimpleNamespace(random=lambda: coin))
        seat = claim(self.bob, self.campaign)
        assert (seat.gold is not None) == (coin == 0.0)
        expire(seat)
        monkeypatch.setattr(golds, "_dice", SimpleNamespace(random=lambda: 1.0))
        claim(UserFactory(), self.campaign)
        again = claim(self.bob, self.campaign)
        assert again.public_id != seat.public_id
        is_kept = seat.gold is None or seat.pk % self.campaign.votes_per_question > 0
        assert (again.question == seat.question) == is_kept
        old = refusal(services.beat, worker=self.bob, seat_id=seat.public_id)
        assert old.code == "lease_expired"

    def test_comes_back_in_its_turn(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ordinary()
        monkeypatch.setattr(golds, "_dice", SimpleNamespace(random=lambda: 1.0))
        first = claim(self.bob, self.campaign)
        monkeypatch.setattr(golds, "_dice", SimpleNamespace(random=lambda: 0.0))
        TwinFactory(campaign=self.campaign, seats=3)
        second = services.claim_seat(worker=self.bob, campaign=self.campaign, ahead=True)
        assert second.gold == self.gold
        expire(first, second)
        monkeypatch.setattr(golds, "_dice", SimpleNamespace(random=lambda: 1.0))
        assert claim(self.bob, self.campaign) == first
        ahead = services.claim_seat(worker=self.bob, campaign=self.campaign, ahead=True)
        assert ahead == second

    @pytest.mark.parametrize("end", ["opened", "retired"])
    def test_goes_when_its_lease_ended_opened_or_it_is_asked_no_more(self, end: str) -> None:
        self.ordinary()
        seat = claim(self.bob, self.campaign)
        if end == "opened":
            services.answer_local(worker=self.bob, seat_id=seat.public_id, shown_option=None)
        else:
            golds.retire_gold(gold_id=self.gold.public_id)
        expire(seat)
        assert claim(self.bob, self.campaign).gold is None
        assert not Seat.objects.filter(pk=seat.pk).exists()
        passed = PassedSeat.objects.get(worker=self.bob)
        assert (passed.blocked, passed.withdrawn) == (True, False)

    def test_pays_as_gold_and_counts_for_no_verdict(self) -> None:
        self.ordinary()
        seat = claim(self.bob, self.campaign)
        services.answer_local(worker=self.bob, seat_id=seat.public_id, shown_option=None)
        vote = services.cast_vote(
            worker=self.bob, seat_id=seat.public_id, shown_option=1, ambiguous=False
        )
        entry = LedgerEntry.objects.get(worker=self.bob)
        assert (entry.kind, entry.unit) == (LedgerEntry.Kind.GOLD, str(vote.public_id))
        assert not Vote.objects.counting().exists()
        assert not Verdict.objects.exists()

    def test_is_not_made_beyond_the_budget_where_an_ordinary_one_is_paid_for(self) -> None:
        self.ordinary()
        Campaign.objects.update(budget_cap=Decimal("0.01"))
        self.campaign.refresh_from_db()
        assert claim(self.bob, self.campaign).gold is None


# -- who may validate
# ---------------------------------------------------------------------------------
def test_a_quick_look_never_lets_a_validator_pass_whom_the_long_one_refuses() -> None:
    """One statement decides most claims; what it does not find clear, the services look at."""
    campaign, bob = CampaignFactory(guidelines="Read this."), UserFactory()
    with transaction.atomic():
        assert not statements.lock_worker(bob, campaign)[0]
    accept_guideline(worker=bob, campaign=campaign, version=1, skill="validate")
    with transaction.atomic():
        assert statements.lock_worker(bob, campaign)[0]
    for hindrance in (
        lambda: ExerciseItemFactory(campaign=campaign, skill="validate"),
        lambda: PauseFactory(worker=bob),
        lambda: ParticipantFactory(worker=bob),
    ):
        with transaction.atomic():
            hindrance()
            assert not statements.lock_worker(bob, campaign)[0]
            transaction.set_rollback(True)


# -- the next question, fetched early --------------------------------------------------------------
class TestASeatAhead:
    @pytest.fixture(autouse=True)
    def people(self) -> None:
        self.campaign, self.bob = CampaignFactory(), UserFactory()
        self.twins = TwinFactory.create_batch(3, campaign=self.campaign, seats=3)

    def ahead(self) -> Seat:
        return services.claim_seat(worker=self.bob, campaign=self.campaign, ahead=True)

    def test_is_the_one_after_the_seat_in_hand(self) -> None:
        first = claim(self.bob, self.campaign)
        second = self.ahead()
        assert [first.twin, second.twin] == self.twins[:2]
        assert claim(self.bob, self.campaign) == first

    def test_is_the_same_one_when_asked_for_again(self) -> None:
        claim(self.bob, self.campaign)
        assert self.ahead() == self.ahead()
        assert Seat.objects.filter(worker=self.bob).count() == 2

    def test_is_the_one_in_hand_where_there_is_none(self) -> None:
        assert self.ahead() == claim(self.bob, self.campaign)

    def test_becomes_the_one_in_hand_by_the_vote(self) -> None:
        first, second = claim(self.bob, self.campaign), self.ahead()
        services.answer_local(worker=self.bob, seat_id=first.public_id, shown_option=None)
        services.cast_vote(
            worker=self.bob, seat_id=first.public_id, shown_option=1, ambiguous=False
        )
        assert claim(self.bob, self.campaign) == second

    def test_is_not_handed_out_while_the_campaign_pauses(self) -> None:
        claim(self.bob, self.campaign)
        Campaign.objects.update(status=Campaign.Status.PAUSED)
        self.campaign.refresh_from_db()
        assert refusal(self.ahead).code == "campaign_not_open"


# -- heartbeats ------------------------------------------------------------------------------------
def lasting(seat: Seat) -> timedelta:
    seat.refresh_from_db()
    return seat.leased_until - timezone.now()


def shorten(seat: Seat, **claimed: int) -> None:
    """Let the lease of a seat be nearly over."""
    now = timezone.now()
    Seat.objects.filter(pk=seat.pk).update(
        leased_until=now + timedelta(seconds=5), claimed_at=now - timedelta(**claimed)
    )


def test_a_beat_prolongs_all_that_the_worker_holds_here(campaign: Campaign, bob: User) -> None:
    TwinFactory.create_batch(2, campaign=campaign, seats=1)
    first = claim(bob, campaign)
    second = services.claim_seat(worker=bob, campaign=campaign, ahead=True)
    for seat in (first, second):
        shorten(seat, minutes=2)
    beaten = services.beat(worker=bob, seat_id=first.public_id)
    assert beaten == first
    assert min(lasting(first), lasting(second)) > timedelta(minutes=2, seconds=50)
    assert lasting(beaten) <= timedelta(minutes=3)


def test_nobody_keeps_a_seat_by_beating_forever() -> None:
    twin, bob = TwinFactory(seats=1), UserFactory()
    seat = claim(bob, twin.campaign)
    shorten(seat, minutes=29)
    services.beat(worker=bob, seat_id=seat.public_id)
    assert timedelta(seconds=50) < lasting(seat) <= timedelta(minutes=1)


def test_a_beat_never_cuts_a_lease_short() -> None:
    twin, bob = TwinFactory(seats=1, campaign__vote_minutes=60), UserFactory()
    seat = claim(bob, twin.campaign)
    services.beat(worker=bob, seat_id=seat.public_id)
    assert lasting(seat) > timedelta(minutes=59)


def test_a_beat_after_the_lease_is_refused_and_prolongs_nothing() -> None:
    twin, bob = TwinFactory(seats=1), UserFactory()
    seat = claim(bob, twin.campaign)
    expire(seat)
    assert refusal(services.beat, worker=bob, seat_id=seat.public_id).code == "lease_expired"
    assert lasting(seat) < timedelta(0)


def test_a_beat_of_another_users_seat_finds_nothing() -> None:
    twin = TwinFactory(seats=1)
    seat = claim(UserFactory(), twin.campaign)
    error = refusal(services.beat, worker=UserFactory(), seat_id=seat.public_id)
    assert error.code == "not_found"
