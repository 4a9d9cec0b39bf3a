"""Who may write: pause, guidelines, exercise, limits, approvals; in this order."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collection import services
from collection.models import Assignment, Campaign, CrowdSession, Participant, Twin
from collection.services.joining.access import eligibility, refuse_unless_may_write
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    AttemptFactory,
    CampaignFactory,
    ConsentFactory,
    CrowdSessionFactory,
    ExerciseItemFactory,
    GuidelineFactory,
    PauseFactory,
    QualificationFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
)
from winoplatform.errors import DomainError
from workers.models import Pause, User


@pytest.fixture
def campaign() -> Campaign:
    """A campaign that asks for guidelines and an exercise."""
    campaign = CampaignFactory(guidelines="Write well.")
    ExerciseItemFactory(campaign=campaign)
    return campaign


def codes(worker: User, campaign: Campaign) -> list[str]:
    return [refusal.code for refusal in eligibility(worker, campaign).refusals]


def joined(campaign: Campaign, worker: User) -> None:
    if campaign.guideline:
        ConsentFactory(worker=worker, guideline=campaign.guideline)
    QualificationFactory(worker=worker, campaign=campaign, passed=True)


def write(worker: User, campaign: Campaign, *, hours_ago: float = 0, **fields: Any) -> Twin:
    moment = timezone.now() - timedelta(hours=hours_ago)
    return TwinFactory(author=worker, campaign=campaign, created_at=moment, **fields)


def test_who_is_between_sessions_is_told_so_before_what_would_be_to_do(campaign: Campaign) -> None:
    session = CrowdSessionFactory(study__campaign=campaign, status="returned")
    found = eligibility(session.participant.worker, campaign)
    refused = [refusal.code for refusal in found.refusals]
    assert refused == ["session_over", "guideline_not_accepted", "exercise_not_passed"]
    assert found.next_step == ""


def test_a_campaign_that_asks_for_nothing_lets_everyone_write(alice: User) -> None:
    found = eligibility(alice, CampaignFactory())
    assert (found.steps, found.next_step, found.may_work) == ((), "", True)


def test_guidelines_come_first_and_then_the_exercise(alice: User, campaign: Campaign) -> None:
    assert codes(alice, campaign) == ["guideline_not_accepted", "exercise_not_passed"]
    assert eligibility(alice, campaign).next_step == "guidelines"
    services.accept_guideline(worker=alice, campaign=campaign, version=1)
    assert codes(alice, campaign) == ["exercise_not_passed"]
    assert eligibility(alice, campaign).next_step == "exercise"
    QualificationFactory(worker=alice, campaign=campaign, passed=True)
    assert eligibility(alice, campaign).may_work


def test_a_new_version_of_the_guidelines_wants_to_be_accepted_again(
    alice: User, campaign: Campaign
) -> None:
    joined(campaign, alice)
    GuidelineFactory(campaign=campaign, version=2, text="Write better.")
    with pytest.raises(DomainError) as refused:
        refuse_unless_may_write(worker=alice, campaign=campaign)
    assert (refused.value.code, refused.value.details) == ("guideline_not_accepted", {"version": 2})


def test_who_passed_stays_so_when_the_exercise_is_another_one(
    alice: User, campaign: Campaign
) -> None:
    joined(campaign, alice)
    services.set_exercise(campaign=campaign, items=[services.ItemText("a?", ("b", "c"), 1, "d")])
    assert eligibility(alice, campaign).may_work


def test_a_failed_exercise_is_the_end_of_it(alice: User, campaign: Campaign) -> None:
    ConsentFactory(worker=alice, guideline=campaign.guideline)
    QualificationFactory(worker=alice, campaign=campaign, failed=True)
    found = eligibility(alice, campaign)
    assert found.refusal is not None
    assert (found.refusal.code, found.refusal.status, found.next_step) == (
        "exercise_failed",
        403,
        "",
    )


def test_a_pause_comes_before_everything_and_tells_its_reason(
    alice: User, campaign: Campaign
) -> None:
    PauseFactory(worker=alice, reason="Twins were copied.")
    found = eligibility(alice, campaign)
    assert found.refusal is not None
    assert found.refusal.code == "worker_paused"
    assert "Twins were copied." in found.refusal.message
    assert found.next_step == ""
    Pause.objects.update(ended_at=timezone.now())
    assert eligibility(alice, campaign).next_step == "guidelines"


def test_what_was_done_elsewhere_or_by_others_counts_for_nothing(
    alice: User, campaign: Campaign
) -> None:
    joined(campaign, UserFactory())
    joined(CampaignFactory(guidelines="Others."), alice)
    assert len(codes(alice, campaign)) == 2


def test_the_daily_limit_says_when_to_come_back(alice: User) -> None:
    campaign = CampaignFactory(twins_per_day_max=2)
    oldest = write(alice, campaign, hours_ago=20)
    write(alice, campaign, hours_ago=25)
    assert codes(alice, campaign) == []
    write(alice, campaign)
    [refusal] = eligibility(alice, campaign).refusals
    assert (refusal.code, refusal.status) == ("daily_limit", 409)
    assert refusal.details["again_at"] == (oldest.created_at + timedelta(hours=24)).isoformat()


def test_a_lowered_daily_limit_waits_until_few_enough_are_left(alice: User) -> None:
    campaign = CampaignFactory(twins_per_day_max=1)
    write(alice, campaign, hours_ago=20)
    newest = write(alice, campaign, hours_ago=2)
    [refusal] = eligibility(alice, campaign).refusals
    assert refusal.details["again_at"] == (newest.created_at + timedelta(hours=24)).isoformat()


def test_the_limit_of_one_worker_counts_what_is_in_this_campaign(alice: User) -> None:
    campaign = CampaignFactory(twins_per_worker_max=2)
    write(alice, campaign, hours_ago=100)
    write(alice, campaign, withdrawn_at=timezone.now())
    write(alice, CampaignFactory())
    write(UserFactory(), campaign)
    assert codes(alice, campaign) == []
    write(alice, campaign)
    assert codes(alice, campaign) == ["worker_limit"]


@pytest.mark.parametrize("limit", ["twins_per_day_max", "twins_per_worker_max"])
def test_a_limit_of_none_at_all_is_kept(limit: str, alice: User) -> None:
    [refusal] = eligibility(alice, CampaignFactory(**{limit: 0})).refusals
    assert refusal.details["limit"] == 0


def test_who_was_screened_out_may_not_write_until_they_arrive_again(alice: User) -> None:
    campaign = CampaignFactory()
    study, later = StudyFactory.create_batch(2, campaign=campaign)
    person = Participant.objects.create(provider="generic", external_id="p", worker=alice)
    session = {"participant": person, "external_id": "1"}
    out = {"status": "screened_out", "ended_at": timezone.now()}
    CrowdSession.objects.create(study=study, **session, **out)
    assert codes(alice, campaign) == ["approvals_too_few"]
    CrowdSession.objects.create(study=later, **session)
    assert codes(alice, campaign) == []


def test_asking_for_an_article_goes_through_the_gate(alice: User, campaign: Campaign) -> None:
    ArticleFactory(campaign=campaign)
    with pytest.raises(DomainError, match="guidelines"):
        services.request_assignment(worker=alice, campaign=campaign)
    assert not Assignment.objects.exists()


def test_where_one_stands_is_asked_in_few_queries(alice: User, campaign: Campaign) -> None:
    Campaign.objects.update(twins_per_day_max=5, twins_per_worker_max=9)
    campaign.refresh_from_db()
    joined(campaign, alice)
    AttemptFactory.create_batch(1, qualification__worker=alice)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        eligibility(alice, campaign)
    assert len(captured) <= 7


def test_a_lease_that_ended_is_not_renewed_past_a_limit(alice: User) -> None:
    campaign = CampaignFactory(twins_per_worker_max=1)
    lapsed = AssignmentFactory(
        worker=alice, campaign=campaign, leased_until=timezone.now() - timedelta(hours=1)
    )
    write(alice, campaign)

    with pytest.raises(DomainError) as caught:
        services.renew_assignment(worker=alice, assignment_id=lapsed.public_id)
    assert caught.value.code == "worker_limit"
