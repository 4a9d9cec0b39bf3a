"""What an hour of work paid, from the times that are stored."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from collection.models import Campaign, Provenance
from tests.factories import (
    CampaignFactory,
    LedgerEntryFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from validation.models import Seat
from validation.selectors.rates import LONGEST_SECONDS, hourly_report, recent_report
from workers.models import User

START = timezone.now() - timedelta(hours=2)


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(hourly_floor=Decimal("9.00"))


def validated(
    campaign: Campaign, bob: User, claimed: float, voted: float, reward: str | None = "0.03"
) -> Seat:
    """A seat of Bob's with its vote, and its times in seconds from the start."""
    seat = SeatFactory(
        question=TwinFactory(campaign=campaign).questions.get(number=1),
        worker=bob,
        claimed_at=START + timedelta(seconds=claimed),
        answered_at=START + timedelta(seconds=voted),
        reward=reward and Decimal(reward),
    )
    VoteFactory(seat=seat, worker=bob, question=seat.question)
    return seat


def test_validating_time_runs_from_the_question_to_the_vote(campaign: Campaign, bob: User) -> None:
    validated(campaign, bob, 0, 20), validated(campaign, bob, 30, 50)
    [one] = hourly_report(campaign).validating.below
    assert (one.worker, one.seconds, one.units) == (bob.public_id, 40, 2)


def test_a_question_fetched_ahead_is_not_timed_while_another_is_validated(
    campaign: Campaign, bob: User
) -> None:
    validated(campaign, bob, 0, 30), validated(campaign, bob, 1, 40)
    [one] = hourly_report(campaign).validating.below
    assert one.seconds == 40


def test_a_validator_who_was_away_is_timed_for_five_minutes_at_most(campaign: Campaign) -> None:
    validated(campaign, UserFactory(), 0, 4000)
    assert hourly_report(campaign).validating.below[0].seconds == LONGEST_SECONDS


def test_work_without_a_time_or_a_promise_is_left_out(campaign: Campaign, bob: User) -> None:
    Seat.objects.filter(pk=validated(campaign, bob, 0, 10).pk).update(claimed_at=None)
    validated(campaign, bob, 0, 10, reward=None)
    validated(CampaignFactory(), bob, 0, 10)
    report = hourly_report(campaign)
    assert (report.validating.n_workers, report.writing.n_workers) == (0, 0)


def test_writing_is_what_the_desk_counted_over_what_the_twin_paid(campaign: Campaign) -> None:
    twin = TwinFactory(campaign=campaign)
    Provenance.objects.create(twin=twin, active_seconds=180)
    gone = TwinFactory(campaign=campaign, author=twin.author, withdrawn_at=timezone.now())
    Provenance.objects.create(twin=gone, active_seconds=900)
    Provenance.objects.create(twin=TwinFactory(campaign=campaign), active_seconds=0)
    for written in (twin, gone):
        LedgerEntryFactory(
            worker=twin.author,
            kind="twin",
            unit=str(written.public_id),
            amount=Decimal("0.40"),
            budget=campaign.public_id,
        )
    report = hourly_report(campaign).writing
    assert (report.median, report.n_workers, report.n_units) == (Decimal("8.00"), 1, 1)


def test_what_one_or_two_workers_earned_is_told_to_nobody(campaign: Campaign) -> None:
    for n_workers in range(1, 4):
        validated(campaign, UserFactory(), 0, 36)
        found = recent_report(campaign, writing=False)
        assert (found is not None) == (n_workers == 3)
    assert found is not None
    assert (found.median, found.n_units, found.seconds_per_unit) == (Decimal("3.00"), 3, 36)
    assert recent_report(campaign, writing=True) is None
