"""Advice over the interface."""

import pytest

from collection.core.findings import ADVICE, RULES
from tests.api.calls import API, assert_error, client_of, ok
from tests.collection.stored_twins import stored
from tests.factories import (
    OPTIONS,
    SENTENCES,
    AssignmentFactory,
    CampaignFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

BODY = {"sentences": SENTENCES, "options": OPTIONS, "answers": [1, 2], "anchor": "suitcase"}
ADVISE = f"{API}campaigns/winter/advise/"


def test_a_program_gets_advice_with_numbers_and_examples() -> None:
    campaign = CampaignFactory(slug="winter", trigger_uses_max=1)
    stored(campaign, SENTENCES)
    findings = ok(client_of(UserFactory()).post(ADVISE, BODY))
    assert [finding["code"] for finding in findings] == ["near_duplicate", "trigger_overused"]
    assert findings[0]["value"] == 1.0
    assert findings[0]["example"] == SENTENCES[0]
    assert {finding["level"] for finding in findings} == {"warning"}


def test_the_twin_of_the_assignment_that_is_revised_does_not_count() -> None:
    alice = UserFactory()
    held = AssignmentFactory(campaign=CampaignFactory(slug="winter"), worker=alice)
    stored(held.campaign, SENTENCES, author=alice, assignment=held)
    body = BODY | {"assignment": str(held.public_id)}
    assert ok(client_of(alice).post(ADVISE, body)) == []
    assert ok(client_of(UserFactory()).post(ADVISE, body)) != []


def test_an_unfinished_twin_gets_no_advice() -> None:
    CampaignFactory(slug="winter")
    body = BODY | {"sentences": ["", ""], "answers": [None, None]}
    assert ok(client_of(UserFactory()).post(ADVISE, body)) == []


def test_a_campaign_that_is_not_there_is_not_found() -> None:
    assert_error(client_of(UserFactory()).post(ADVISE, BODY), 404, "not_found")


def test_the_rules_list_all_advice_after_the_rules() -> None:
    listed = ok(client_of(UserFactory()).get(f"{API}rules/"))
    assert [rule["code"] for rule in listed] == [*RULES, *ADVICE]
    assert {rule["level"] for rule in listed[len(RULES) :]} == {"warning"}
