"""twins/ and questions/: where what was written stands."""

import uuid

from rest_framework.test import APIClient

from collection.models import Campaign
from tests.api.calls import API, assert_error, ok
from tests.factories import TwinFactory, VerdictFactory
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
