"""Advice over the interface."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from collection.core.findings import ADVICE, RULES
from collection.models import Assignment, Campaign, Twin
from tests.api.calls import API, assert_error, client_of, ok
from tests.collection.stored_twins import stored
from tests.factories import (
    OPTIONS,
    SENTENCES,
    AssignmentFactory,
    CampaignFactory,
    UserFactory,
    VoteFactory,
)

BODY = {"sentences": SENTENCES, "options": OPTIONS, "answers": [1, 2], "anchor": "suitcase"}
Status = Assignment.Status


@pytest.fixture
def held(db: None) -> Assignment:
    return AssignmentFactory(campaign=CampaignFactory(slug="winter", trigger_uses_max=1))


def advise(held: Assignment, **changes: Any) -> Any:
    address = f"{API}assignments/{held.public_id}/advise/"
    return client_of(held.worker).post(address, BODY | changes)


def submitted(held: Assignment, **fields: Any) -> Twin:
    Assignment.objects.update(status=Status.SUBMITTED)
    return stored(held.campaign, SENTENCES, author=held.worker, assignment=held, **fields)


def test_a_program_gets_advice_in_words(held: Assignment) -> None:
    stored(held.campaign, SENTENCES)
    findings = ok(advise(held))
    assert [finding["code"] for finding in findings] == ["near_duplicate", "trigger_overused"]
    assert {finding["level"] for finding in findings} == {"warning"}
    assert set(findings[0]) == {"code", "level", "message", "sentence", "start", "end"}


def test_the_twin_that_one_revises_does_not_count(held: Assignment) -> None:
    submitted(held)
    assert ok(advise(held)) == []
    stored(held.campaign, SENTENCES)
    assert ok(advise(held)) != []


def test_a_withdrawn_twin_may_be_written_again_with_advice(held: Assignment) -> None:
    submitted(held, withdrawn_at=timezone.now())
    assert ok(advise(held)) == []
    AssignmentFactory(worker=held.worker, campaign=held.campaign)
    assert_error(advise(held), 409, "another_assignment_open")


def test_a_twin_with_a_vote_stands_and_gets_no_advice(held: Assignment) -> None:
    VoteFactory(question=submitted(held).questions.get(number=1))
    assert_error(advise(held), 409, "already_validated")


def test_an_assignment_that_is_over_gets_no_advice(held: Assignment) -> None:
    Assignment.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert_error(advise(held), 410, "lease_expired")
    Assignment.objects.update(status=Status.RETURNED)
    assert_error(advise(held), 409, "assignment_ended")


@pytest.mark.parametrize("is_submitted", [False, True])
def test_a_closed_campaign_gives_no_advice(held: Assignment, is_submitted: bool) -> None:
    if is_submitted:
        submitted(held)
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    assert_error(advise(held), 409, "campaign_closed")


def test_an_unfinished_twin_gets_no_advice(held: Assignment) -> None:
    assert ok(advise(held, sentences=["", ""], answers=[None, None])) == []


def test_an_assignment_that_is_not_there_is_not_found() -> None:
    nowhere = f"{API}assignments/{uuid.uuid4()}/advise/"
    assert_error(client_of(UserFactory()).post(nowhere, BODY), 404, "not_found")


def test_the_rules_list_all_advice_after_the_rules() -> None:
    listed = ok(client_of(UserFactory()).get(f"{API}rules/"))
    assert [rule["code"] for rule in listed] == [*RULES, *ADVICE]
    assert {rule["level"] for rule in listed[len(RULES) :]} == {"warning"}
