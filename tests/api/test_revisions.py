"""twins/<id>/withdraw/ and revise/, and another article for the one in hand."""

import uuid

import pytest
from rest_framework.test import APIClient

from collection.models import Assignment, Campaign, Provenance, Twin
from tests.api.calls import API, assert_error, ok
from tests.api.test_assignments import submission, url
from tests.factories import SENTENCES, ArticleFactory, AssignmentFactory, VoteFactory
from workers.models import User

BETTER = [sentence.replace("brown", "old brown") for sentence in SENTENCES]


@pytest.fixture
def held(alice: User, campaign: Campaign) -> Assignment:
    return AssignmentFactory(worker=alice, campaign=campaign)


@pytest.fixture
def twin(as_alice: APIClient, held: Assignment) -> str:
    return str(ok(as_alice.post(url(held, "twin/"), submission()), 201)["id"])


def at(twin: str, action: str) -> str:
    return f"{API}twins/{twin}/{action}/"


def test_a_twin_is_withdrawn_once_and_says_so(as_alice: APIClient, twin: str) -> None:
    first = ok(as_alice.post(at(twin, "withdraw")))
    assert first["withdrawn_at"]
    assert ok(as_alice.post(at(twin, "withdraw"))) == first
    listed = ok(as_alice.get(f"{API}twins/?withdrawn=true"))["results"]
    assert [question["state"] for question in listed[0]["questions"]] == ["withdrawn"] * 2


def test_a_revision_is_a_new_twin_that_names_the_old(as_alice: APIClient, twin: str) -> None:
    body = submission(sentences=BETTER)
    new = ok(as_alice.post(at(twin, "revise"), body), 201)
    assert new["revises"] == twin
    assert [question["sentence"] for question in new["questions"]] == BETTER
    assert ok(as_alice.post(at(twin, "revise"), body))["id"] == new["id"]


def test_a_validated_twin_is_neither_withdrawn_nor_revised(as_alice: APIClient, twin: str) -> None:
    question = Twin.objects.get().questions.get(number=1)
    VoteFactory(seat__question=question, seat__number=9)
    assert_error(as_alice.post(at(twin, "withdraw")), 409, "already_validated")
    body = submission(sentences=BETTER)
    assert_error(as_alice.post(at(twin, "revise"), body), 409, "already_validated")


@pytest.mark.parametrize("action", ["withdraw", "revise"])
def test_nobody_changes_the_twin_of_another(as_bob: APIClient, twin: str, action: str) -> None:
    assert_error(as_bob.post(at(twin, action), submission(sentences=BETTER)), 404, "not_found")


def test_another_article_comes_with_a_reason(
    as_alice: APIClient, held: Assignment, campaign: Campaign
) -> None:
    ArticleFactory(campaign=campaign)
    why = {"reason": "unclear", "comment": "half of it is missing"}
    given = ok(as_alice.post(url(held, "another/"), why))
    assert given["article"]["id"] != str(held.article.public_id)
    held.refresh_from_db()
    assert (held.status, held.return_reason) == ("returned", "unclear")


def test_another_article_without_a_reason_is_refused(as_alice: APIClient, held: Assignment) -> None:
    assert_error(as_alice.post(url(held, "another/"), {}), 400, "invalid")


def test_the_evidence_of_origin_is_for_curators(
    as_alice: APIClient, as_dana: APIClient, held: Assignment
) -> None:
    draft = {"fields": {}, "version": 0, "evidence": {"typed_characters": 80, "edits": 3}}
    ok(as_alice.put(url(held, "draft/"), draft))
    twin = ok(as_alice.post(url(held, "twin/"), submission(client_key=str(uuid.uuid4()))), 201)

    assert ok(as_alice.get(f"{API}twins/{twin['id']}/"))["provenance"] is None
    shown = ok(as_dana.get(f"{API}twins/{twin['id']}/"))["provenance"]
    assert (shown["typed_characters"], shown["edits"]) == (80, 3)


def test_an_hour_of_writing_is_told_in_numbers(as_alice: APIClient, twin: str) -> None:
    assert ok(as_alice.get(f"{API}me/hourly-rates/")) == []
    Provenance.objects.filter(twin=Twin.objects.get()).update(active_seconds=144)
    assert ok(as_alice.get(f"{API}me/hourly-rates/")) == [
        {"amount": "10.00", "currency": "USD", "twins": 1, "seconds": 144}
    ]
