"""How many people can validate, and how many are missing for one pair."""

import pytest

from collection.models import Campaign, Membership
from collection.selectors.able_people import able_validators, validators_missing
from collection.services import withdraw_consent
from tests.factories import (
    CampaignFactory,
    ConsentFactory,
    GuidelineFactory,
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


def test_who_has_withdrawn_does_not_count_until_they_come_back(campaign: Campaign) -> None:
    guideline = GuidelineFactory(campaign=campaign)
    people = UserFactory.create_batch(8)
    for person in people:
        for skill in ("write", "validate"):
            ConsentFactory(guideline=guideline, worker=person, skill=skill)
    QualificationFactory(campaign=campaign, skill="validate", failed=True, worker=people[0])
    for person in people[:2]:
        withdraw_consent(worker=person, campaign=campaign)
    assert missing(campaign) == 1
    assert set(able_validators(campaign)) == set(people[2:])
    ConsentFactory(guideline=guideline, worker=people[1], skill="validate")
    assert missing(campaign) == 0
    assert people[1] in able_validators(campaign)


def test_of_a_campaign_for_invited_people_only_they_count(campaign: Campaign) -> None:
    invited, joined, gone, *_ = UserFactory.create_batch(8)
    other = CampaignFactory(is_by_invitation=True)
    guideline = GuidelineFactory(campaign=other)
    for person in (invited, gone):
        Membership.objects.create(campaign=other, user=person, role="worker")
    for person in (joined, gone):
        ConsentFactory(guideline=guideline, worker=person)
    withdraw_consent(worker=gone, campaign=other)
    assert set(able_validators(other)) == {invited, joined}
    assert validators_missing([campaign, other]) == {campaign.pk: 0, other.pk: 5}


def test_a_study_that_is_open_brings_validators(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, skill="validate")
    assert missing(campaign) == 0
    type(study).objects.update(is_open=False)
    assert missing(campaign) == 6
