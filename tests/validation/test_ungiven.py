"""Votes that are wanted and that nobody can give."""

import pytest

from collection.models import Campaign
from tests.factories import CampaignFactory, TwinFactory, UserFactory, VoteFactory
from validation.selectors.free_seats import ungiven_votes


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(votes_per_question=3)


def test_with_its_writer_alone_nobody_gives_the_six_votes_of_a_pair(campaign: Campaign) -> None:
    TwinFactory(campaign=campaign, seats=3)
    assert ungiven_votes(campaign) == 6


def test_who_votes_on_one_question_cannot_vote_on_its_twin(campaign: Campaign) -> None:
    twin = TwinFactory(campaign=campaign, seats=3)
    UserFactory.create_batch(2)
    assert ungiven_votes(campaign) == 4
    seat = twin.seats.filter(number=1).earliest("pk")
    VoteFactory(seat=seat, question=seat.question)  # by a third person
    assert ungiven_votes(campaign) == 3
    UserFactory.create_batch(3)
    assert ungiven_votes(campaign) == 0
