"""A vote after the lease's end and another validator's claim: the seat is one of theirs."""

import threading
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.races.statements import without
from tests.races.threads import at_once
from tests.races.validating import opened_seats, vote
from validation import services
from validation.models import Seat, Vote
from validation.services import golds
from validation.services.validating import queries


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
        queries.locking(),
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
