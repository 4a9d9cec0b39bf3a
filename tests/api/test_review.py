"""The review queue over HTTP: contested questions, one case, its audit log, and decisions."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign, Question
from tests.api.calls import API, assert_error, ok
from tests.validation.deciding import voted_question, waiting
from validation.models import Verdict
from validation.runner import work_out
from workers.models import User


@pytest.fixture
def split(campaign: Campaign, alice: User) -> Question:
    return voted_question(campaign, alice, True, True, False)


def case_of(client: APIClient, question: Question) -> dict[str, Any]:
    found: dict[str, Any] = ok(client.get(f"{API}questions/{question.public_id}/case/"))
    return found


def change(client: APIClient, question: Question, what: str, **body: Any) -> Any:
    """Do something to a question as one who has just looked at it."""
    known = {"revision": case_of(client, question)["revision"], "note": "I have read it."}
    return client.post(f"{API}questions/{question.public_id}/{what}/", known | body)


def listed(client: APIClient, **query: str) -> list[str]:
    page = ok(client.get(f"{API}campaigns/winter/review/", query))
    return [row["question"] for row in page["results"]]


def test_the_desk_lists_what_is_contested_the_reported_first(
    as_dana: APIClient, campaign: Campaign, alice: User, split: Question
) -> None:
    reported = voted_question(campaign, alice, True, True, True, report="offensive")
    voted_question(campaign, alice, True, True, True)
    assert listed(as_dana) == [reported.public_id, split.public_id]
    assert listed(as_dana, reported="true") == [reported.public_id]
    assert listed(as_dana, state="closed") == []
    assert listed(as_dana, domain="social") == []
    assert listed(as_dana, reason="ambiguous") == []
    first = ok(as_dana.get(f"{API}campaigns/winter/review/"))["results"][1]
    assert (first["rank"], first["verdict"]["valid"]) == (333, True)


def test_the_desk_continues_page_by_page(
    as_dana: APIClient, campaign: Campaign, alice: User
) -> None:
    made = {voted_question(campaign, alice, True, True, False).public_id for _ in range(5)}
    seen, path = [], f"{API}campaigns/winter/review/?page_size=2"
    while path:
        page = ok(as_dana.get(path))
        seen += [row["question"] for row in page["results"]]
        path = page["next"]
    assert len(seen) == 5
    assert set(seen) == made


def test_a_case_shows_votes_side_by_side(as_dana: APIClient, split: Question) -> None:
    found = case_of(as_dana, split)
    assert [vote["correct"] for vote in found["votes"]] == [True, True, False]
    assert found["answer"] == split.answer
    assert found["votes"][0]["accuracy"] == {"value": None, "low": None, "high": None, "n": 0}


def test_the_posteriors_are_those_of_the_last_report_and_reading_makes_none(
    as_dana: APIClient, campaign: Campaign, split: Question
) -> None:
    def shown() -> list[Any]:
        found = case_of(as_dana, split)
        row = ok(as_dana.get(f"{API}campaigns/winter/review/"))["results"][0]
        return [found["posterior"], found["model"], found["majority"], row["posterior"]]

    assert shown() == [None] * 4
    work_out(campaign)
    posterior, model, majority, listed = shown()
    assert 0 < listed == posterior < 1
    assert (model, majority) == ("equal", 1.0)  # too few questions to tell validators apart


def test_a_curator_decides_and_the_audit_log_says_so(as_dana: APIClient, split: Question) -> None:
    body = {"valid": False, "reasons": ["ambiguous"]}
    decided = ok(change(as_dana, split, "decide", **body))
    assert decided["verdict"]["reasons"] == ["ambiguous"]
    assert decided["verdict"]["decided_by"]
    events = ok(as_dana.get(f"{API}questions/{split.public_id}/audit-log/"))["results"]
    assert [event["action"] for event in events] == ["curator", "votes"]
    assert listed(as_dana) == []
    assert listed(as_dana, state="closed") == [split.public_id]


def test_who_has_an_old_page_is_told(as_dana: APIClient, split: Question) -> None:
    old = {"revision": "1.1", "note": "Late.", "valid": True}
    answer = as_dana.post(f"{API}questions/{split.public_id}/decide/", old)
    details = assert_error(answer, 409, "changed_meanwhile")
    assert details["revision"] == case_of(as_dana, split)["revision"]


def test_one_more_return_for_revision_and_reopen(as_dana: APIClient, split: Question) -> None:
    assert ok(change(as_dana, split, "one-more"))["waiting"] == 1
    assert not Verdict.objects.exists()
    back = ok(change(as_dana, split, "return", note="Name the people."))
    assert (back["returned"], back["waiting"]) == ("Name the people.", 0)
    assert split.public_id in listed(as_dana, state="returned")
    again = ok(change(as_dana, split, "reopen"))
    assert (again["returned"], again["verdict"]["valid"]) == (None, True)


@pytest.mark.parametrize(
    "what", ["decide", "one-more", "return", "reopen", "reports-seen", "swap-answers"]
)
def test_a_change_names_the_revision_seen(as_dana: APIClient, split: Question, what: str) -> None:
    path = f"{API}questions/{split.public_id}/{what}/"
    fields = assert_error(as_dana.post(path, {"valid": True}), 400, "invalid")["fields"]
    assert "revision" in fields
    assert ("note" in fields) == (what == "return")


def test_swapped_answers_are_decided_by_the_same_votes(
    as_dana: APIClient, campaign: Campaign, alice: User
) -> None:
    question = voted_question(campaign, alice, False, False, False)
    assert not case_of(as_dana, question)["verdict"]["valid"]
    assert ok(change(as_dana, question, "swap-answers"))["verdict"]["valid"]


def test_there_is_no_desk_of_no_campaign(as_dana: APIClient) -> None:
    for path in ("campaigns/none/review/", "questions/none/case/", "questions/none/audit-log/"):
        assert_error(as_dana.get(f"{API}{path}"), 404, "not_found")


def test_a_vote_is_excluded_and_restored(
    as_dana: APIClient, split: Question, campaign: Campaign
) -> None:
    vote = split.votes.first()
    why = {"reason": "Two seconds."}
    path = f"{API}votes/{vote.public_id}"
    assert ok(as_dana.post(f"{path}/exclude/", why))["excluded_at"]
    assert waiting(split) == 1
    assert case_of(as_dana, split)["votes"][2]["exclusion_reason"] == "Two seconds."
    assert ok(as_dana.post(f"{path}/restore/", why))["excluded_at"] is None
    since = {"campaign": "winter", "since": "2020-01-01T00:00:00Z"}
    done = ok(as_dana.post(f"{API}workers/{vote.worker.public_id}/exclude/", why | since))
    assert done == {"done": 1, "left": 0}


def test_a_report_is_shown_and_looked_at(
    as_dana: APIClient, campaign: Campaign, alice: User
) -> None:
    question = voted_question(campaign, alice, True, True, True, report="offensive")
    found = case_of(as_dana, question)
    assert {report["what"] for report in found["reports"]} == {"offensive"}
    assert found["sibling"]["votes"] == 0
    assert listed(as_dana) == [question.public_id]
    ok(change(as_dana, question, "reports-seen"))
    assert listed(as_dana) == []
    assert_error(change(as_dana, question, "reports-seen"), 409, "no_report")
