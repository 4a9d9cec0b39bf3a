"""assignments/<id>/draft/: what was typed, kept for its writer alone."""

import pytest
from rest_framework.test import APIClient

from collection.models import Assignment, Draft
from tests.api.calls import API, assert_error, ok
from tests.api.test_any_body import NASTY
from tests.factories import AssignmentFactory
from workers.models import User

TYPED = {"sentence1": "The trophy did not fit", "answer1": "1"}


@pytest.fixture
def address(alice: User) -> str:
    return f"{API}assignments/{AssignmentFactory(worker=alice).public_id}/draft/"


def saving(version: int, **fields: object) -> dict[str, object]:
    return {"fields": TYPED | fields, "version": version}


def test_nothing_saved_is_version_none(as_alice: APIClient, address: str) -> None:
    assert ok(as_alice.get(address)) == {"fields": {}, "version": 0, "saved_at": None}


def test_what_is_saved_comes_back(as_alice: APIClient, address: str) -> None:
    first = ok(as_alice.put(address, saving(0)))
    assert first["version"] == 1
    assert ok(as_alice.get(address)) == first
    assert first["fields"] == TYPED


def test_a_save_that_missed_another_is_told_what_is_stored(
    as_alice: APIClient, address: str
) -> None:
    ok(as_alice.put(address, saving(0)))
    ok(as_alice.put(address, saving(1, sentence2="newer")))
    details = assert_error(as_alice.put(address, saving(1, sentence2="x")), 409, "draft_outdated")
    assert (details["version"], details["fields"]["sentence2"]) == (2, "newer")
    assert details["saved_at"]


def test_anothers_draft_is_not_there(
    as_alice: APIClient, as_carol: APIClient, as_dana: APIClient, address: str
) -> None:
    ok(as_alice.put(address, saving(0)))
    for other in (as_carol, as_dana):
        assert_error(other.get(address), 404, "not_found")
        assert_error(other.put(address, saving(1, sentence1="mine")), 404, "not_found")
    assert Draft.objects.get().fields == TYPED


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "version"),
        (saving(-1), "version"),
        (saving(0, sentence1="x" * 10_001), "fields"),
        (saving(0) | {"evidence": {"edits": -1}}, "evidence"),
        (saving(0) | {"fields": "text"}, "fields"),
    ],
)
def test_a_malformed_draft_is_refused(
    as_alice: APIClient, address: str, body: dict[str, object], field: str
) -> None:
    assert field in assert_error(as_alice.put(address, body), 400, "invalid")["fields"]


@pytest.mark.parametrize("value", NASTY, ids=[f"{n}" for n in range(len(NASTY))])
def test_no_field_takes_just_anything(value: object, as_alice: APIClient, address: str) -> None:
    for body in (
        value,
        saving(0) | {"fields": value},
        saving(0) | {"version": value},
        saving(0) | {"evidence": value},
        saving(0, sentence1=value),
        saving(0) | {"evidence": {"edits": value}},
    ):
        assert as_alice.put(address, body).status_code in (200, 400, 409)


def test_an_assignment_that_has_ended_keeps_its_draft(as_alice: APIClient, address: str) -> None:
    for version, status in enumerate(set(Assignment.Status) - {Assignment.Status.SUBMITTED}):
        Assignment.objects.update(status=status)
        kept = ok(as_alice.put(address, saving(version, sentence2=f"text {version}")))
        assert ok(as_alice.get(address)) == kept
        assert kept["fields"]["sentence2"] == f"text {version}"


def test_a_submitted_assignment_takes_no_draft_and_keeps_the_one_it_has(
    as_alice: APIClient, address: str
) -> None:
    kept = ok(as_alice.put(address, saving(0)))
    Assignment.objects.update(status=Assignment.Status.SUBMITTED)
    assert_error(as_alice.put(address, saving(1, sentence2="late")), 410, "article_finished")
    assert ok(as_alice.get(address)) == kept
