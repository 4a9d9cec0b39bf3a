"""assignments/: take an article, hand in a twin."""

import uuid
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from collection.models import Assignment, Campaign, Twin
from tests.api.calls import API, assert_error, ok
from tests.factories import OPTIONS, SENTENCES, AssignmentFactory
from validation.models import Seat
from workers.models import LedgerEntry, User

REQUEST = f"{API}campaigns/winter/assignments/"


@pytest.fixture
def held(alice: User, campaign: Campaign) -> Assignment:
    return AssignmentFactory(worker=alice, campaign=campaign)


def url(assignment: Assignment, action: str = "") -> str:
    return f"{API}assignments/{assignment.public_id}/{action}"


def submission(**changes: object) -> dict[str, object]:
    return {
        "client_key": str(uuid.uuid4()),
        "sentences": list(SENTENCES),
        "options": list(OPTIONS),
        "answers": [1, 2],
        "anchor": "suitcase",
        "domain": "physical",
    } | changes


def expire(assignment: Assignment) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )


def test_asking_twice_gives_the_same_article(as_alice: APIClient, campaign: Campaign) -> None:
    first = ok(as_alice.post(REQUEST))
    assert first["article"]["anchors"][0]["text"]
    assert ok(as_alice.post(REQUEST))["id"] == first["id"]


def test_a_twin_is_stored_paid_and_handed_to_the_validators(
    as_alice: APIClient, held: Assignment
) -> None:
    twin = ok(as_alice.post(url(held, "twin/"), submission()), 201)
    assert [question["sentence"] for question in twin["questions"]] == list(SENTENCES)
    assert LedgerEntry.objects.get().amount == Decimal("0.40")
    assert Seat.objects.count() == 6
    assert ok(as_alice.get(url(held)))["twin"] == twin["id"]


def test_white_space_of_any_kind_is_stored_as_one_space(
    as_alice: APIClient, held: Assignment
) -> None:
    body = submission(
        sentences=[SENTENCES[0].replace(" ", "\r\n"), SENTENCES[1].replace(" ", "\u00a0 ")],
        options=[f" {OPTIONS[0]}\t", OPTIONS[1]],
    )
    twin = ok(as_alice.post(url(held, "twin/"), body), 201)
    assert [question["sentence"] for question in twin["questions"]] == list(SENTENCES)
    assert twin["options"] == list(OPTIONS)
    assert ok(as_alice.post(url(held, "twin/"), submission())) == twin


def test_submitting_again_returns_the_first_result(as_alice: APIClient, held: Assignment) -> None:
    body = submission()
    first = ok(as_alice.post(url(held, "twin/"), body), 201)
    assert ok(as_alice.post(url(held, "twin/"), body)) == first
    assert ok(as_alice.post(url(held, "twin/"), submission())) == first  # the same text
    assert (Twin.objects.count(), LedgerEntry.objects.count()) == (1, 1)


def test_an_expired_lease_loses_nothing(as_alice: APIClient, held: Assignment) -> None:
    expire(held)
    assert_error(as_alice.post(url(held, "twin/"), submission()), 410, "lease_expired")
    assert ok(as_alice.post(url(held, "renew/")))["status"] == "open"
    ok(as_alice.post(url(held, "twin/"), submission()), 201)


def test_a_broken_rule_is_told_with_its_findings(as_alice: APIClient, held: Assignment) -> None:
    response = as_alice.post(url(held, "twin/"), submission(answers=[1, 1]))
    details = assert_error(response, 400, "rules_broken")
    assert [finding["code"] for finding in details["findings"]] == ["answers_same"]
    assert not Twin.objects.exists()


def test_an_anchor_must_come_from_the_article(as_alice: APIClient, held: Assignment) -> None:
    response = as_alice.post(url(held, "twin/"), submission(anchor="bed bug"))
    details = assert_error(response, 400, "rules_broken")
    assert "anchor_not_in_article" in {finding["code"] for finding in details["findings"]}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("client_key", "no key"),
        ("client_key", None),
        ("sentences", SENTENCES[0]),
        ("sentences", [SENTENCES[0]]),
        ("sentences", [SENTENCES[0], [SENTENCES[1]]]),
        ("sentences", [SENTENCES[0], "x" * 5001]),
        ("sentences", ["a\x00b", SENTENCES[1]]),
        ("options", ["trophy", "\udfff"]),
        ("options", ["trophy", "x" * 121]),
        ("options", {}),
        ("answers", [1, 3]),
        ("answers", [1, 10**30]),
        ("answers", [1, None]),
        ("answers", "12"),
        ("anchor", ["suitcase"]),
        ("domain", "animals"),
    ],
)
def test_a_malformed_submission_is_refused_field_by_field(
    as_alice: APIClient, held: Assignment, field: str, value: object
) -> None:
    response = as_alice.post(url(held, "twin/"), submission(**{field: value}))
    assert set(assert_error(response, 400, "invalid")["fields"]) == {field}


def test_anothers_assignment_does_not_exist(
    as_carol: APIClient, as_dana: APIClient, held: Assignment
) -> None:
    assert_error(as_carol.get(url(held)), 404, "not_found")
    assert ok(as_carol.get(f"{API}assignments/"))["results"] == []
    for action in ("return/", "renew/"):
        assert_error(as_carol.post(url(held, action)), 404, "not_found")
        assert_error(as_dana.post(url(held, action)), 404, "not_found")
    assert_error(as_carol.post(url(held, "twin/"), submission()), 404, "not_found")


def test_curators_see_every_assignment(as_dana: APIClient, held: Assignment) -> None:
    [row] = ok(as_dana.get(f"{API}assignments/?campaign=winter&status=open"))["results"]
    assert row["worker"] == held.worker.public_id
    id = held.campaign.public_id
    assert len(ok(as_dana.get(f"{API}assignments/?campaign={id}"))["results"]) == 1
    assert ok(as_dana.get(url(held)))["article"]["title"] == "How to Pack a Suitcase"


def test_an_article_is_given_back_once_or_twice(as_alice: APIClient, held: Assignment) -> None:
    assert ok(as_alice.post(url(held, "return/")))["status"] == "returned"
    assert ok(as_alice.post(url(held, "return/")))["status"] == "returned"
    assert_error(as_alice.post(url(held, "twin/"), submission()), 409, "assignment_ended")


def test_an_id_that_is_none_is_not_found(as_alice: APIClient) -> None:
    for path in ("1/", "x/", f"{uuid.uuid4()}/", "%00/", f"{uuid.uuid4()}/twin/"):
        response = as_alice.get(f"{API}assignments/{path}")
        assert response.status_code in (404, 405)
        assert_error(response, response.status_code, response.json()["error"]["code"])
