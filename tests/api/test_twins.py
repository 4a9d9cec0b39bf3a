"""twins/ and drafts: kept while written, handed in, withdrawn, revised, and where they stand."""

import uuid

import pytest
from rest_framework.test import APIClient

from collection.models import Assignment, Campaign, Draft, Provenance, Twin
from tests.api.calls import API, assert_error, ok
from tests.api.test_any_body import NASTY
from tests.api.test_assignments import submission, url
from tests.factories import (
    SENTENCES,
    ArticleFactory,
    AssignmentFactory,
    TwinFactory,
    VerdictFactory,
)
from workers.models import User


def test_an_author_sees_where_each_question_stands(
    alice: User, as_alice: APIClient, campaign: Campaign
) -> None:
    twin = TwinFactory(author=alice, campaign=campaign)
    first, second = twin.questions.all()
    VerdictFactory(question=first)
    assert [q["state"] for q in ok(as_alice.get(f"{API}twins/{twin.public_id}/"))["questions"]] == [
        "valid",
        "awaiting_votes",
    ]
    VerdictFactory(question=second, reasons=["ambiguous", "local"])
    question = ok(as_alice.get(f"{API}twins/"))["results"][0]["questions"][1]
    assert question["state"] == "invalid"
    assert [reason["code"] for reason in question["reasons"]] == ["ambiguous", "local"]
    assert question["reasons"][0]["sentence"] == "The validators found both options plausible."


def test_anothers_twin_does_not_exist(alice: User, as_carol: APIClient, as_dana: APIClient) -> None:
    twin = TwinFactory(author=alice)
    assert_error(as_carol.get(f"{API}twins/{twin.public_id}/"), 404, "not_found")
    assert ok(as_carol.get(f"{API}twins/"))["results"] == []
    assert ok(as_dana.get(f"{API}twins/{twin.public_id}/"))["author"] == alice.public_id
    assert_error(as_dana.get(f"{API}twins/{uuid.uuid4()}/"), 404, "not_found")


def test_published_and_unpaired_questions_are_shown_as_what_they_are(as_dana: APIClient) -> None:
    TwinFactory(published=True, sentences=["An unpaired _ here."])
    [twin] = ok(as_dana.get(f"{API}twins/?origin=published"))["results"]
    assert twin["author"] is None
    assert [question["state"] for question in twin["questions"]] == ["published"]


def test_curators_filter_questions_by_verdict_and_reason(as_dana: APIClient) -> None:
    good, bad = TwinFactory().questions.all()
    VerdictFactory(question=good)
    VerdictFactory(question=bad, reasons=["wrong_answer", "ambiguous"])
    waiting = TwinFactory().questions.first()

    def ids(query: str) -> set[str]:
        return {row["id"] for row in ok(as_dana.get(f"{API}questions/?{query}"))["results"]}

    assert ids("valid=true") == {good.public_id}
    assert ids("valid=false") == ids("reason=ambiguous") == {bad.public_id}
    assert_error(as_dana.get(f"{API}questions/?valid=maybe"), 400, "invalid")
    assert ids("reason=local") == set()
    assert waiting.public_id in ids(f"campaign={waiting.twin.campaign.slug}")
    assert len(ids("")) == 4


def test_a_curator_sees_verdict_reasons_and_counts(as_dana: APIClient) -> None:
    verdict = VerdictFactory(reasons=["local"])
    [row] = ok(as_dana.get(f"{API}questions/?valid=false"))["results"]
    assert row["verdict"]["reasons"] == ["local"]
    assert row["verdict"]["counts"] == verdict.counts
    assert row["author"] == verdict.question.twin.author.public_id


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
