"""campaigns/…/guess/: whether the machine already guesses a twin."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign
from filtering import guessing, services
from filtering.models import FilterRun, Guess
from tests.api.calls import API, assert_error, ok
from tests.factories import CampaignFactory
from tests.filtering.guessable import filter_run, new_twin
from winoplatform.runs import liveness


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send no message; a worker is there."""
    monkeypatch.setattr(services.current_app, "send_task", lambda *_, **__: None)
    monkeypatch.setattr(liveness, "alive", lambda: {"light@here": ["light"]})


@pytest.fixture
def run(db: None) -> FilterRun:
    return filter_run()


def url(run: FilterRun) -> str:
    return f"{API}campaigns/{run.encoding.snapshot.campaign.slug}/guess/"


def body(**changes: Any) -> dict[str, Any]:
    text = new_twin(**changes)
    return {"sentences": text.sentences, "options": text.options, "answers": text.answers}


def test_one_asks_until_there_is_an_answer(as_alice: APIClient, run: FilterRun) -> None:
    waiting = ok(as_alice.post(url(run), body()), 202)
    assert (waiting["status"], waiting["served"], waiting["right"]) == ("waiting", True, None)
    guessing.answer_guess(Guess.objects.get().pk)
    answered = ok(as_alice.post(url(run), body()))
    assert (answered["status"], answered["right"], answered["classifiers"]) == (
        "answered",
        [8, 8],
        8,
    )
    assert answered["filter_run"] == str(run.public_id)
    assert answered["finding"]["code"] == "machine_guesses"
    assert answered["finding"]["level"] == "warning"


def test_a_twin_that_is_not_guessed_has_no_finding(as_alice: APIClient, run: FilterRun) -> None:
    ok(as_alice.post(url(run), body(answers=(2, 1))), 202)
    guessing.answer_guess(Guess.objects.get().pk)
    assert ok(as_alice.post(url(run), body(answers=(2, 1))))["finding"] is None


def test_a_campaign_may_refuse_what_the_machine_guesses(
    as_alice: APIClient, run: FilterRun
) -> None:
    Campaign.objects.update(blocking=["machine_guesses"])
    ok(as_alice.post(url(run), body()), 202)
    guessing.answer_guess(Guess.objects.get().pk)
    assert ok(as_alice.post(url(run), body()))["finding"]["level"] == "error"


def test_it_says_when_no_worker_is_there(
    as_alice: APIClient, run: FilterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "alive", dict)
    assert ok(as_alice.post(url(run), body()), 202)["served"] is False


def test_without_a_filter_run_or_a_whole_text_there_is_nothing_to_ask(
    as_alice: APIClient, run: FilterRun
) -> None:
    CampaignFactory(slug="new")
    for path, asked in (
        (f"{API}campaigns/new/guess/", body()),
        (url(run), body(answers=(1, 0))),
        (url(run), body(sentences=("", ""))),
    ):
        nothing = ok(as_alice.post(path, asked))
        assert nothing["status"] == "impossible"
        assert nothing["reason"].startswith("There is nothing to guess")
    assert not Guess.objects.exists()


def test_a_campaign_that_one_may_not_see_is_not_there(as_alice: APIClient, db: None) -> None:
    CampaignFactory(slug="secret", status=Campaign.Status.DRAFT)
    assert_error(as_alice.post(f"{API}campaigns/secret/guess/", body()), 404, "not_found")


def test_a_malformed_body_is_refused(as_alice: APIClient, run: FilterRun) -> None:
    details = assert_error(as_alice.post(url(run), {"sentences": ["one"]}), 400, "invalid")
    assert {"sentences", "options", "answers"} <= set(details["fields"])
