"""The quality of a campaign's votes over HTTP."""

import json
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from collection.models import Campaign, Question
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import PauseFactory, TwinFactory, UserFactory, VerdictFactory, VoteFactory
from tests.validation.deciding import give
from validation.models import QualityNotice, ValidatorFigures, Vote
from workers.models import Pause, User


@pytest.fixture
def validators(campaign: Campaign) -> list[User]:
    """Three validators of two questions; the third one is wrong about the second."""
    validators = UserFactory.create_batch(3)
    for right in (True, False):
        question = TwinFactory(campaign=campaign).questions.get(number=1)
        for worker, is_right in zip(validators, (True, True, right), strict=True):
            VoteFactory(question=question, worker=worker, wrong=not is_right)
        VerdictFactory(question=question)
    return validators


def test_a_report_comes_with_its_time(as_dana: APIClient, validators: list[User]) -> None:
    body = ok(as_dana.get(f"{API}campaigns/winter/quality/"))
    figures = body["figures"]
    assert body["made_at"] <= timezone.now().isoformat()
    assert figures["human"]["majority"]["value"] == 1.0
    assert (figures["n_votes"], figures["answer"]["alpha"]["n"]) == (6, 2)
    VoteFactory(question=validators[0].votes.first().question)
    renewed = ok(as_dana.post(f"{API}campaigns/winter/quality/renew/"))
    assert renewed["figures"]["n_votes"] == 7


def test_the_validators_are_listed_and_can_be_filtered(
    as_dana: APIClient, validators: list[User]
) -> None:
    ok(as_dana.post(f"{API}campaigns/winter/quality/renew/"))
    ValidatorFigures.objects.filter(worker=validators[2]).update(flags=["apart"])
    path = f"{API}campaigns/winter/quality/validators/"
    rows = ok(as_dana.get(path))["results"]
    assert {row["worker"] for row in rows} == {validator.public_id for validator in validators}
    [row] = ok(as_dana.get(path, {"flag": "apart"}))["results"]
    assert row["author"] == {
        "value": 0.5, "low": row["author"]["low"], "high": row["author"]["high"], "n": 2,
    }  # fmt: skip
    assert row["flags"][0]["sentence"].endswith(".")
    assert_error(as_dana.get(path, {"flag": "odd"}), 400, "invalid")


def test_human_performance_is_asked_of_some_questions(
    as_dana: APIClient, validators: list[User]
) -> None:
    path = f"{API}campaigns/winter/quality/human/"
    assert ok(as_dana.get(path))["majority"]["n"] == 2
    assert ok(as_dana.get(path, {"domain": "social"}))["majority"]["n"] == 0
    assert ok(as_dana.get(path, {"since": "2126-01-01T00:00:00Z"}))["majority"]["value"] is None
    assert_error(as_dana.get(path, {"since": "soon"}), 400, "invalid")
    assert_error(as_dana.get(path, {"domain": "'; --"}), 400, "invalid")


def test_human_performance_is_asked_of_named_questions(
    as_dana: APIClient, validators: list[User]
) -> None:
    path = f"{API}campaigns/winter/quality/human/"
    ids = list(
        Question.objects.filter(votes__isnull=False).distinct().values_list("public_id", flat=True)
    )
    found = ok(as_dana.post(path, {"questions": ids}))
    assert (found["majority"]["n"], found["single"]["n"], found["n_short"]) == (2, 6, 0)
    assert ok(as_dana.post(path, {"questions": ids[:1] * 2}))["majority"]["n"] == 1
    assert ok(as_dana.post(path, {"questions": ids, "kind": "gold"}))["n_short"] == 2
    elsewhere = TwinFactory().questions.get(number=1).public_id
    for wrong in ([], [elsewhere], ["\u0000"], "all", ["x"] * 10_001):
        assert_error(as_dana.post(path, {"questions": wrong}), 400, "invalid")


def test_posteriors_are_listed_by_question(as_dana: APIClient, validators: list[User]) -> None:
    rows = ok(as_dana.get(f"{API}campaigns/winter/quality/posteriors/"))["results"]
    shares = [row["posterior"] for row in rows]
    assert shares.count(None) == 2  # the other halves of the twins have no votes
    assert all(share > 0.5 for share in shares if share is not None)
    voted = [row for row in rows if row["votes"]]
    assert [(row["majority"], row["votes"]) for row in voted] == [(1.0, 3)] * 2
    assert sorted(row["right"] for row in voted) == [2, 3]
    assert {row["model"] for row in voted} == {"equal"}


def test_a_workers_months_are_theirs(as_dana: APIClient, validators: list[User]) -> None:
    [month] = ok(as_dana.get(f"{API}workers/{validators[2].public_id}/quality/"))
    assert (month["author"]["value"], month["author"]["n"]) == (0.5, 2)
    assert_error(as_dana.get(f"{API}workers/w-nobody/quality/"), 404, "not_found")


@pytest.mark.parametrize(
    ("kind", "content_type"), [("jsonl", "application/x-ndjson"), ("csv", "text/csv")]
)
def test_votes_come_as_files_whatever_the_client_accepts(
    kind: str, content_type: str, as_dana: APIClient, validators: list[User]
) -> None:
    answer: Any = as_dana.get(f"{API}campaigns/winter/votes.{kind}", HTTP_ACCEPT=content_type)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith(content_type)
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert f'"votes-winter.{kind}"' in answer["Content-Disposition"]
    content = b"".join(answer.streaming_content).decode()
    assert content.count(validators[0].public_id) == 2
    assert validators[0].username not in content
    if kind == "jsonl":
        assert len([json.loads(line) for line in content.splitlines()]) == 6


def test_a_validator_learns_nothing_of_it(
    as_bob: APIClient, bob: User, campaign: Campaign, validators: list[User]
) -> None:
    for part in ("quality/", "quality/validators/", "quality/posteriors/", "votes.jsonl"):
        assert_error(as_bob.get(f"{API}campaigns/winter/{part}"), 403, "permission_denied")
    assert_error(as_bob.get(f"{API}workers/{bob.public_id}/quality/"), 403, "permission_denied")
    assert reverse("quality", args=["winter"]) == "/campaigns/winter/quality/"


@pytest.fixture
def valid(campaign: Campaign, alice: User) -> Question:
    question = TwinFactory(campaign=campaign, author=alice, seats=3).questions.get(number=1)
    give(question, True, True, True)
    return question


def exclude(client: APIClient, vote: Vote) -> None:
    ok(client.post(f"{API}votes/{vote.public_id}/exclude/", {"reason": "Two seconds."}))


def made(client: APIClient, **body: Any) -> Any:
    return client.post(f"{API}appeals/", {"text": "Look again.", **body})


def test_curators_choose_list_and_retire_gold(as_dana: APIClient, valid: Question) -> None:
    path = f"{API}campaigns/winter/golds/"
    undecided = TwinFactory(campaign=valid.twin.campaign).questions.first()
    assert_error(as_dana.post(path, {"question": undecided.public_id}), 409, "not_valid")
    assert_error(as_dana.post(path, {"question": "0" * 12}), 404, "not_found")
    gold = ok(as_dana.post(path, {"question": valid.public_id}), 201)
    assert (gold["origin"], gold["answers"], gold["right"]) == ("chosen", 0, 0)
    assert [row["id"] for row in ok(as_dana.get(path))["results"]] == [gold["id"]]
    assert ok(as_dana.post(f"{API}golds/{gold['id']}/retire/"))["retired_at"]
    assert ok(as_dana.get(path, {"retired": "false"}))["results"] == []
    assert len(ok(as_dana.get(path, {"retired": "true"}))["results"]) == 1


def test_a_worker_sees_which_votes_are_not_used_and_why(
    as_dana: APIClient, as_carol: APIClient, valid: Question
) -> None:
    vote = valid.votes.first()
    exclude(as_dana, vote)
    path = f"{API}votes/excluded/"
    [mine] = ok(client_of(vote.worker).get(path))["results"]
    assert (mine["id"], mine["exclusion_reason"]) == (str(vote.public_id), "Two seconds.")
    assert ok(as_carol.get(path))["results"] == []


def test_a_worker_appeals_and_reads_the_answer(
    as_dana: APIClient, as_carol: APIClient, valid: Question
) -> None:
    vote = valid.votes.first()
    exclude(as_dana, vote)
    validator = client_of(vote.worker)
    about = {"subject": "vote", "unit": str(vote.public_id)}
    open_one = ok(made(validator, **about), 201)
    assert_error(made(validator, **about), 409, "already_appealed")
    assert ok(as_carol.get(f"{API}appeals/"))["results"] == []
    assert len(ok(as_dana.get(f"{API}appeals/", {"status": "open"}))["results"]) == 1
    answer = {"upheld": True, "answer": "It was honest."}
    path = f"{API}appeals/{open_one['id']}/answer/"
    assert ok(as_dana.post(path, answer))["status"] == "upheld"
    assert_error(as_dana.post(path, answer), 409, "already_answered")
    [read] = ok(validator.get(f"{API}appeals/"))["results"]
    assert (read["status"], read["answer"]) == ("upheld", "It was honest.")
    assert ok(validator.get(f"{API}votes/excluded/"))["results"] == []


def test_nobody_appeals_in_anothers_matter(
    as_carol: APIClient, as_dana: APIClient, valid: Question
) -> None:
    vote = valid.votes.first()
    exclude(as_dana, vote)
    for subject, unit in (("vote", vote.public_id), ("question", valid.public_id)):
        assert_error(made(as_carol, subject=subject, unit=str(unit)), 404, "not_found")
    assert_error(made(as_carol, subject="wages", unit="1"), 400, "invalid")


def test_a_pause_is_appealed_by_its_number(as_bob: APIClient, bob: User) -> None:
    pause = PauseFactory(worker=bob)
    assert ok(made(as_bob, subject="pause", unit=str(pause.pk)), 201)["status"] == "open"
    assert Pause.objects.open().exists()


def test_a_notice_says_nothing_of_what_was_asked(
    as_bob: APIClient, bob: User, campaign: Campaign
) -> None:
    QualityNotice.objects.create(
        worker=bob, campaign=campaign, kind="warning", n_right=1, n_answers=5
    )
    [notice] = ok(as_bob.get(f"{API}me/notices/"))["results"]
    assert set(notice) == {"campaign", "kind", "unit", "text", "day", "seen_at"}
    assert (notice["unit"], notice["text"]) == ("", "")
    assert len(notice["day"]) == len("2026-01-02")  # its time would say after which vote


def test_a_notice_tells_of_a_vote_that_is_not_used(
    as_bob: APIClient, as_dana: APIClient, campaign: Campaign, bob: User
) -> None:
    vote = VoteFactory(worker=bob, question=TwinFactory(campaign=campaign).questions.first())
    why = {"reason": "It was given in two seconds."}
    ok(as_dana.post(f"{API}votes/{vote.public_id}/exclude/", why))
    [notice] = ok(as_bob.get(f"{API}me/notices/"))["results"]
    assert (notice["kind"], notice["unit"]) == ("vote_excluded", str(vote.public_id))
    assert notice["text"] == why["reason"]
    ok(as_dana.post(f"{API}votes/{vote.public_id}/restore/", why))
    assert ok(as_bob.get(f"{API}me/notices/"))["results"] == []
