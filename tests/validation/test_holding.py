"""Seats in a validator's hands: the next one fetched ahead, and heartbeats that keep them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from collection.models import Campaign
from tests.factories import (
    CampaignFactory,
    TwinFactory,
    UserFactory,
)
from tests.validation.claiming import claim, expire, refused
from validation import services
from validation.models import Seat


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
        assert refused(self.ahead).code == "campaign_not_open"


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


def test_a_beat_prolongs_all_that_the_worker_holds_here() -> None:
    campaign, bob = CampaignFactory(), UserFactory()
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
    assert refused(services.beat, worker=bob, seat_id=seat.public_id).code == "lease_expired"
    assert lasting(seat) < timedelta(0)


def test_a_beat_of_another_users_seat_finds_nothing() -> None:
    twin = TwinFactory(seats=1)
    seat = claim(UserFactory(), twin.campaign)
    error = refused(services.beat, worker=UserFactory(), seat_id=seat.public_id)
    assert error.code == "not_found"
