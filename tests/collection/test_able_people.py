"""How many people can validate, and how many are missing for one pair."""

import pytest

from collection.models import Campaign
from collection.selectors.able_people import able_validators, validators_missing
from tests.factories import (
    CampaignFactory,
    PauseFactory,
    QualificationFactory,
    StudyFactory,
    UserFactory,
)


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(votes_per_question=3)


def missing(campaign: Campaign) -> int:
    return validators_missing([campaign])[campaign.pk]


def test_a_pair_needs_twice_its_votes_besides_its_writer(campaign: Campaign) -> None:
    assert missing(campaign) == 6
    UserFactory.create_batch(3)
    assert missing(campaign) == 4
    UserFactory.create_batch(4)
    assert missing(campaign) == 0


def test_who_cannot_come_does_not_count(campaign: Campaign) -> None:
    UserFactory(curator=True)
    UserFactory(is_active=False)
    for origin in ("simulated", "imported", "crowd"):
        UserFactory(origin=origin)
    PauseFactory(worker=UserFactory())
    failed = QualificationFactory(campaign=campaign, skill="validate", failed=True)
    assert not able_validators(campaign).exists()
    other = CampaignFactory()
    assert list(able_validators(other)) == [failed.worker]
    UserFactory.create_batch(3)
    assert validators_missing([campaign, other]) == {campaign.pk: 4, other.pk: 3}


def test_a_study_that_is_open_brings_validators(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, skill="validate")
    assert missing(campaign) == 0
    type(study).objects.update(is_open=False)
    assert missing(campaign) == 6
