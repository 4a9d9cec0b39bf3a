"""Claims that meet, and votes after a lease's end: a seat has one holder and its pay one owner."""

import threading
import time
import uuid
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from collection.models import Campaign
from collection.selectors.budget import committed
from collection.services.campaigns import pay
from panels.models import PanelSeat
from panels.services import change_panel_status, seats
from tests.factories import CampaignFactory, SeatFactory, TwinFactory, UserFactory
from tests.panels import people
from tests.races.statements import without
from tests.races.threads import Meeting, at_once
from tests.races.validating import opened_seats, vote
from validation import services
from validation.models import Seat, Vote
from validation.services import golds
from validation.services.validating import statements, votes
from workers.models import LedgerEntry, User


def test_a_worker_who_claims_in_many_tabs_at_once_holds_one_seat() -> None:
    twins = [TwinFactory(seats=3, campaign=CampaignFactory())]
    campaign, bob = twins[0].campaign, UserFactory()
    TwinFactory.create_batch(3, campaign=campaign, seats=3)
    seats = at_once(*[partial(services.claim_seat, worker=bob, campaign=campaign)] * 6)
    assert len({seat.public_id for seat in seats}) == 1
    assert Seat.objects.filter(worker=bob).count() == 1


def test_of_two_workers_who_claim_the_last_seat_at_once_one_gets_it() -> None:
    seat = SeatFactory()
    claims = at_once(
        *[
            partial(services.claim_seat, worker=worker, campaign=seat.campaign)
            for worker in UserFactory.create_batch(2)
        ]
    )
    assert [claim.pk for claim in claims if isinstance(claim, Seat)] == [seat.pk]


def test_a_claim_and_a_late_vote_of_one_worker_do_not_lock_each_other_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lease has ended while the vote is stored; the claim then takes the seat away."""
    seat, meeting = SeatFactory(worker=UserFactory(), opened=True, expired=True), Meeting()
    monkeypatch.setattr(votes, "hold_again", meeting.hold)
    claim = partial(services.claim_seat, worker=seat.worker, campaign=seat.campaign)
    voted, claimed = at_once(partial(vote, seat), partial(meeting.then, claim))
    assert isinstance(voted, Vote)
    assert claimed.code == "queue_empty"


def test_a_late_worker_does_not_take_the_seat_back_from_the_one_who_has_it_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Bob sees his ended lease while Carol's claim of the same seat is being stored."""
    seat = SeatFactory(worker=UserFactory(), expired=True)
    bob, carol = seat.worker, UserFactory()
    lease = statements.lease

    def lease_slowly(*args: Any, **values: Any) -> Any:
        leased = lease(*args, **values)
        time.sleep(0.4)
        return leased

    def claim_later() -> Seat:
        time.sleep(0.2)
        return services.claim_seat(worker=bob, campaign=seat.campaign)

    monkeypatch.setattr(statements, "lease", lease_slowly)
    claimed, late = at_once(
        partial(services.claim_seat, worker=carol, campaign=seat.campaign), claim_later
    )
    assert claimed == seat
    assert late.code == "queue_empty"
    assert Seat.objects.get().worker == carol


def test_nobody_votes_with_a_seat_that_was_given_to_another_meanwhile() -> None:
    seat = SeatFactory(worker=UserFactory(), opened=True, expired=True)
    carol = UserFactory()
    services.claim_seat(worker=carol, campaign=seat.campaign)
    (refused,) = at_once(partial(vote, seat))
    assert refused.code == "lease_expired"
    assert not Vote.objects.exists()
    assert Seat.objects.get(worker=carol) == seat


def test_many_workers_at_one_seat_at_once_are_one_holder() -> None:
    for _ in range(3):
        seat, workers = SeatFactory(), UserFactory.create_batch(6)
        claims = at_once(
            *[
                partial(services.claim_seat, worker=worker, campaign=seat.campaign)
                for worker in workers
            ]
        )
        held = [claim for claim in claims if isinstance(claim, Seat)]
        assert [claim.pk for claim in held] == [seat.pk]
        assert {error.code for error in claims if not isinstance(error, Seat)} == {"queue_empty"}
        seat.refresh_from_db()
        assert seat.worker_id == held[0].worker_id


def claims_that_meet(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Six claims of one seat, each in the middle of it when the others begin."""
    seat, workers = SeatFactory(), UserFactory.create_batch(6)
    lease = statements.lease

    def lease_slowly(*args: Any, **values: Any) -> Any:
        leased = lease(*args, **values)
        time.sleep(0.3)
        return leased

    monkeypatch.setattr(statements, "lease", lease_slowly)
    return at_once(
        *[partial(services.claim_seat, worker=worker, campaign=seat.campaign) for worker in workers]
    )


def test_claims_that_meet_at_one_seat_are_one_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = claims_that_meet(monkeypatch)
    assert sum(isinstance(claim, Seat) for claim in claims) == 1


def test_control_without_the_seats_lock_many_believe_to_hold_one_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lock = 'FOR NO KEY UPDATE OF "validation_seat" SKIP LOCKED'
    without(lock, statements.claims(statements.HEAD), monkeypatch)
    claims = claims_that_meet(monkeypatch)
    assert sum(isinstance(claim, Seat) for claim in claims) > 1


def test_a_vote_at_the_end_of_its_lease_and_the_next_claim_are_never_both_right() -> None:
    """Whichever comes first: the vote stands and the seat is taken, or the seat has moved on."""
    for number in range(8):
        soon = timezone.now() + timedelta(seconds=0.05)
        seat = SeatFactory(worker=UserFactory(), opened=True, leased_until=soon)
        carol = UserFactory()

        def claim_at_the_end(seat: Seat = seat, carol: User = carol, number: int = number) -> Seat:
            time.sleep(0.03 + 0.005 * number)
            return services.claim_seat(worker=carol, campaign=seat.campaign)

        def vote_at_the_end(seat: Seat = seat) -> Vote:
            time.sleep(0.05)
            return vote(seat)

        voted, claimed = at_once(vote_at_the_end, claim_at_the_end)
        stands = Seat.objects.get(pk=seat.pk)
        assert isinstance(voted, Vote) == (stands.answered_at is not None)
        assert isinstance(claimed, Seat) == (stands.worker_id == carol.pk)
        assert not (isinstance(voted, Vote) and isinstance(claimed, Seat))
        assert Vote.objects.filter(seat=seat).count() == int(isinstance(voted, Vote))


def test_two_tabs_that_beat_claim_ahead_and_vote_hold_two_seats_at_most() -> None:
    campaign, bob = CampaignFactory(), UserFactory()
    TwinFactory.create_batch(6, campaign=campaign, seats=3)
    ahead = partial(services.claim_seat, worker=bob, campaign=campaign, ahead=True)
    first = services.claim_seat(worker=bob, campaign=campaign)
    services.answer_local(worker=bob, seat_id=first.public_id, shown_option=None)
    beat = partial(services.beat, worker=bob, seat_id=first.public_id)
    results = at_once(ahead, ahead, ahead, beat, beat)
    assert all(isinstance(result, Seat) for result in results), results
    assert len({seat.pk for seat in results[:3]}) == 1
    assert Seat.objects.filter(worker=bob, answered_at=None).count() == 2
    first.worker = bob
    at_once(partial(vote, first), partial(vote, first), ahead, ahead)
    assert Seat.objects.filter(worker=bob, answered_at=None).count() <= 2
    assert Vote.objects.count() == LedgerEntry.objects.count() == 1


def test_two_writers_at_once_never_share_a_place() -> None:
    campaign = CampaignFactory()
    twins = TwinFactory.create_batch(6, campaign=campaign)
    results = at_once(*[partial(services.open_seats, twin=twin) for twin in twins])
    assert results == [None] * len(twins)
    firsts = Seat.objects.filter(number=1).values_list("place", flat=True)
    assert len(firsts) == len(set(firsts)) == 12


def lapsed_seat() -> Seat:
    """The only open seat of a campaign, whose holder was away for four minutes."""
    campaign = CampaignFactory(votes_per_question=1)
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    [seat] = opened_seats(question, 1)
    Seat.objects.update(leased_until=timezone.now() - timedelta(minutes=4))
    seat.refresh_from_db()
    return seat


def claim_while_a_late_vote_is_stored(monkeypatch: pytest.MonkeyPatch) -> tuple[Seat, list[Any]]:
    """Another validator claims after the late vote has read its seat, and before it is stored."""
    seat, inside, claimed = lapsed_seat(), threading.Event(), threading.Event()
    is_lost = golds.is_lost

    def decide_slowly(of: Seat) -> bool:
        inside.set()
        claimed.wait(1)
        return is_lost(of)

    def claim() -> Seat:
        inside.wait(5)
        try:
            return services.claim_seat(worker=UserFactory(), campaign=seat.campaign)
        finally:
            claimed.set()

    monkeypatch.setattr(golds, "is_lost", decide_slowly)
    results = at_once(partial(vote, seat), claim)
    seat.refresh_from_db()
    return seat, results


def test_a_late_vote_keeps_its_seat_from_the_next_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    seat, (voted, claimed) = claim_while_a_late_vote_is_stored(monkeypatch)
    assert isinstance(voted, Vote)
    assert getattr(claimed, "code", "") == "queue_empty"
    assert seat.worker == voted.worker


def test_control_without_the_lock_one_seat_has_two_validators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(
        ' FOR NO KEY UPDATE OF "collection_question", "validation_seat"',
        statements.locking(),
        monkeypatch,
    )
    seat, (voted, claimed) = claim_while_a_late_vote_is_stored(monkeypatch)
    assert isinstance(claimed, Seat)
    assert isinstance(voted, Exception) or seat.worker != voted.worker


def test_of_a_late_vote_and_a_claim_at_once_exactly_one_gets_the_seat() -> None:
    for _ in range(8):
        seat, other = lapsed_seat(), UserFactory()
        claim = partial(services.claim_seat, worker=other, campaign=seat.campaign)
        voted, claimed = at_once(partial(vote, seat), claim)
        seat.refresh_from_db()
        assert isinstance(voted, Vote) != isinstance(claimed, Seat)
        assert seat.worker == (seat.worker if isinstance(voted, Vote) else other)
        assert Vote.objects.filter(seat=seat).count() == isinstance(voted, Vote)


REWARD = Decimal("0.05")


def closed_while_an_answer_is_stored(monkeypatch: pytest.MonkeyPatch) -> tuple[Campaign, list[Any]]:
    """Close after a late answer has found its panel open, and promise what that frees."""
    panel = people.of_a_set(reward=REWARD)
    seat, campaign = people.claim(UserFactory(), panel), panel.campaign
    PanelSeat.objects.filter(pk=seat.pk).update(leased_until="2026-01-01T00:00Z")
    Campaign.objects.filter(pk=campaign.pk).update(budget_cap=committed(campaign))
    campaign.refresh_from_db()
    inside, spent = threading.Event(), threading.Event()
    refuse_unless_asking = seats.refuse_unless_asking

    def slowly(of: Any) -> None:
        refuse_unless_asking(of)
        inside.set()
        spent.wait(2)

    def promise() -> Any:
        inside.wait(5)
        change_panel_status(panel=panel, status="closed")
        freed = campaign.budget_cap - committed(campaign)
        try:
            return pay.write_extra(
                campaign=campaign,
                worker=UserFactory(),
                kind="bonus",
                amount=freed,
                reason="Good.",
                client_key=uuid.uuid4(),
                by=UserFactory(curator=True),
            )
        finally:
            spent.set()

    monkeypatch.setattr(seats, "refuse_unless_asking", slowly)
    return campaign, at_once(partial(people.vote, seat), promise)


def test_a_close_waits_for_a_late_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, results = closed_while_an_answer_is_stored(monkeypatch)
    assert not any(isinstance(one, Exception) for one in results), results
    assert committed(campaign) <= campaign.budget_cap


def test_control_without_the_lock_more_is_committed_than_the_cap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seats, "lock_panel", lambda of: None)
    campaign, _ = closed_while_an_answer_is_stored(monkeypatch)
    assert committed(campaign) == campaign.budget_cap + REWARD
