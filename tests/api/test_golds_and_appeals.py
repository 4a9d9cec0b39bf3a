"""Gold questions, appeals and notices over HTTP: what curators do, what workers see."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign, Question
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import PauseFactory, TwinFactory, VoteFactory
from tests.validation.deciding import give
from validation.models import QualityNotice, Vote
from workers.models import Pause, User


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
    gold = ok(as_dana.post(path, {"question": valid.public_id}), 201)
    assert (gold["origin"], gold["answers"], gold["right"]) == ("chosen", 0, 0)
    assert [row["id"] for row in ok(as_dana.get(path))["results"]] == [gold["id"]]
    assert ok(as_dana.post(f"{API}golds/{gold['id']}/retire/"))["retired_at"]
    assert ok(as_dana.get(path, {"retired": "false"}))["results"] == []
    assert len(ok(as_dana.get(path, {"retired": "true"}))["results"]) == 1


def test_what_is_not_valid_is_no_gold(as_dana: APIClient, campaign: Campaign) -> None:
    question = TwinFactory(campaign=campaign).questions.get(number=1)
    path = f"{API}campaigns/winter/golds/"
    assert_error(as_dana.post(path, {"question": question.public_id}), 409, "not_valid")
    assert_error(as_dana.post(path, {"question": "none"}), 404, "not_found")


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
