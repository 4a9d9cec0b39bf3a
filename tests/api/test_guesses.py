"""campaigns/…/guess/: whether the machine already guesses a twin."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Assignment, Campaign
from filtering import guessing
from filtering.models import FilterRun, Guess
from filtering.services import guesses as asking
from tests.api.calls import API, assert_error, ok
from tests.factories import AssignmentFactory, CampaignFactory
from tests.filtering.guessable import filter_run, new_twin
from winoplatform.runs import liveness
from workers.models import User


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no message; a worker is there."""
    monkeypatch.setattr(asking.current_app, "send_task", lambda *_, **__: None)
    monkeypatch.setattr(liveness, "alive", lambda: {"light@here": ["light"]})


@pytest.fixture(scope="module")
def run_kept(kept: str) -> int:
    return filter_run().pk


@pytest.fixture
def run(run_kept: int, db: None) -> FilterRun:
    return FilterRun.objects.get(pk=run_kept)


def url(run: FilterRun) -> str:
    return f"{API}campaigns/{run.encoding.snapshot.campaign.slug}/guess/"


@pytest.fixture
def held(run: FilterRun, alice: User) -> Assignment:
    return AssignmentFactory(worker=alice, campaign=run.encoding.snapshot.campaign)


def body(held: Assignment, **changes: Any) -> dict[str, Any]:
    text = new_twin(**changes)
    return {
        "sentences": text.sentences,
        "options": text.options,
        "answers": text.answers,
        "assignment": str(held.public_id),
    }


def test_one_asks_until_there_is_an_answer(
    as_alice: APIClient, run: FilterRun, held: Assignment
) -> None:
    waiting = ok(as_alice.post(url(run), body(held)), 202)
    assert waiting == {"status": "waiting", "reason": "", "served": True, "finding": None}
    guessing.answer_guess(Guess.objects.get().pk)
    answered = ok(as_alice.post(url(run), body(held)))
    assert set(answered) == {"status", "reason", "served", "finding"}  # and no counts
    assert answered["status"] == "answered"
    assert answered["finding"]["code"] == "machine_guesses"
    assert answered["finding"]["level"] == "warning"


def test_a_twin_that_is_not_guessed_has_no_finding(
    as_alice: APIClient, run: FilterRun, held: Assignment
) -> None:
    ok(as_alice.post(url(run), body(held, answers=(2, 1))), 202)
    guessing.answer_guess(Guess.objects.get().pk)
    assert ok(as_alice.post(url(run), body(held, answers=(2, 1))))["finding"] is None


def test_why_the_machine_cannot_guess_is_for_curators(
    as_alice: APIClient, run: FilterRun, held: Assignment, settings: Any
) -> None:
    settings.ENCODER_FOLDERS = ["/no/such"]
    type(run.encoding).objects.update(encoder="/no/such/folder")
    ok(as_alice.post(url(run), body(held)), 202)
    guessing.answer_guess(Guess.objects.get().pk)
    failed = ok(as_alice.post(url(run), body(held)))
    assert (failed["status"], failed["reason"]) == ("failed", "The machine cannot guess now.")
    assert "/no/such/folder" in Guess.objects.get().failure


def test_it_says_when_no_worker_is_there(
    as_alice: APIClient, run: FilterRun, held: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "alive", dict)
    assert ok(as_alice.post(url(run), body(held)), 202)["served"] is False


def test_without_a_filter_run_or_a_whole_text_there_is_nothing_to_ask(
    as_alice: APIClient, alice: User, run: FilterRun, held: Assignment
) -> None:
    elsewhere = AssignmentFactory(worker=alice, campaign=CampaignFactory(slug="new"))
    for path, asked in (
        (f"{API}campaigns/new/guess/", body(elsewhere)),
        (url(run), body(held, answers=(1, 0))),
        (url(run), body(held, answers=(1, 1))),
        (url(run), body(held, sentences=("", ""))),
    ):
        nothing = ok(as_alice.post(path, asked))
        assert nothing["status"] == "impossible"
        assert nothing["reason"].startswith("There is nothing to guess")
    assert not Guess.objects.exists()


def test_one_asks_with_ones_own_assignment_of_the_campaign(
    as_alice: APIClient, as_bob: APIClient, alice: User, run: FilterRun, held: Assignment
) -> None:
    elsewhere = AssignmentFactory(worker=alice)
    assert_error(as_bob.post(url(run), body(held)), 404, "not_found")
    assert_error(as_alice.post(url(run), body(elsewhere)), 404, "not_found")
    without = {name: value for name, value in body(held).items() if name != "assignment"}
    details = assert_error(as_alice.post(url(run), without), 400, "invalid")
    assert set(details["fields"]) == {"assignment"}
    assert not Guess.objects.exists()


def test_a_campaign_that_one_may_not_see_is_not_there(as_alice: APIClient, alice: User) -> None:
    draft = CampaignFactory(slug="secret", status=Campaign.Status.DRAFT)
    held = AssignmentFactory(worker=alice, campaign=draft)
    assert_error(as_alice.post(f"{API}campaigns/secret/guess/", body(held)), 404, "not_found")


def test_a_malformed_body_is_refused(as_alice: APIClient, run: FilterRun) -> None:
    details = assert_error(as_alice.post(url(run), {"sentences": ["one"]}), 400, "invalid")
    assert {"sentences", "options", "answers", "assignment"} <= set(details["fields"])
