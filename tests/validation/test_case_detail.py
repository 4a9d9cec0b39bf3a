"""How long a vote took, in the review queue, the export and the quality report."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from collection.models import Campaign
from tests.factories import SeatFactory, TwinFactory, UserFactory, VoteFactory
from validation.core.votes import step_seconds
from validation.exports.campaigns import opened
from validation.models import Seat, Vote
from validation.selectors.case_detail import WITH_ALL, case_detail
from validation.selectors.quality.columns import votes_of


def fetched_ahead(campaign: Campaign) -> Vote:
    """A vote whose seat was taken 100 s before; its validator was busy elsewhere until 20 s."""
    validator, now = UserFactory(), timezone.now()
    for ended, begun in ((20, 60), (0, 5)):
        question = TwinFactory(campaign=campaign).questions.get(number=1)
        at = now - timedelta(seconds=ended)
        times = {
            "claimed_at": now - timedelta(seconds=100),
            "local_at": now - timedelta(seconds=begun),
            "answered_at": at,
        }
        seat = SeatFactory(question=question, worker=validator, opened=True)
        Seat.objects.filter(pk=seat.pk).update(**times)
        vote = VoteFactory(seat=seat, worker=validator, question=question, created_at=at)
    return vote


def test_a_question_that_was_fetched_ahead_is_read_from_the_vote_before_it(
    campaign: Campaign,
) -> None:
    vote = fetched_ahead(campaign)
    [shown] = case_detail(WITH_ALL.get(pk=vote.question_id), report=None).votes
    assert (shown.local_seconds, shown.seconds) == pytest.approx((15, 5))
    first, second = step_seconds(votes_of(campaign))
    assert (first[-1], second[-1]) == pytest.approx((15, 5))
    lines = b"".join(opened(campaign, "votes", "jsonl").blocks).splitlines()
    assert float(json.loads(lines[-1])["seconds_local"]) == pytest.approx(15)
