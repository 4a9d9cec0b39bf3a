"""Human evaluations over HTTP, for curators."""

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign
from panels.models import Panel
from tests.api.calls import API, assert_error, client_of, ok
from tests.corpora.sets import imported
from tests.factories import CampaignFactory, UserFactory
from tests.panels.people import answer_all, of_twins

PATH = f"{API}human-evaluations/"


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(slug="winter")


@pytest.fixture
def dana() -> APIClient:
    return client_of(UserFactory(curator=True))


def test_a_curator_asks_pauses_and_lists(dana: APIClient, campaign: Campaign) -> None:
    imported()
    asked = {"reference_set": "tiny", "campaign": "winter", "votes_per_item": 5, "n_groups": 2}
    made = dana.post(PATH, asked)
    assert made.status_code == 201, made.json()
    body = made.json()
    assert (body["split"], body["reward"], body["n_groups"]) == ("test", "0.03", 2)
    paused = dana.post(f"{PATH}{body['id']}/status/", {"status": "paused"})
    assert ok(paused)["status"] == "paused"
    assert [row["id"] for row in ok(dana.get(PATH))["results"]] == [body["id"]]


@pytest.mark.long
def test_results_have_progress_scores_and_domains(dana: APIClient) -> None:
    evaluation = of_twins(2)
    path = f"{PATH}{evaluation.public_id}/"
    assert ok(dana.get(path))["scores"]["majority"] == {
        "value": None, "low": None, "high": None, "n": 0,
        "people_low": None, "people_high": None, "n_people": 0,
    }  # fmt: skip
    answer_all(evaluation, UserFactory.create_batch(6))
    body = ok(dana.get(path))
    assert body["progress"]["n_votes"] == body["progress"]["n_wanted"] == 12
    assert body["scores"]["majority"]["value"] == body["scores"]["individual"]["value"] == 1
    assert set(body["by_domain"]) == {"physical"}
    lines = b"".join(dana.get(f"{path}votes.csv")).decode().splitlines()
    assert len(lines) == 13


def test_refusals_have_codes(dana: APIClient, campaign: Campaign) -> None:
    imported()
    assert dana.post(PATH, {"reference_set": "tiny"}).json()["error"]["code"] == "no_campaign"
    assert dana.post(PATH, {"campaign": "winter"}).status_code == 400
    asked = {"reference_set": "tiny", "campaign": "winter", "votes_per_item": 4}
    assert dana.post(PATH, asked).status_code == 400
    assert not Panel.objects.exists()


def test_votes_are_excluded_and_restored(dana: APIClient) -> None:
    evaluation, bob = of_twins(2), UserFactory()
    answer_all(evaluation, [bob])
    vote = evaluation.seats.filter(worker=bob).first()
    assert vote is not None
    path = f"{API}human-votes/{vote.public_id}/"
    out = ok(dana.post(f"{path}exclude/", {"reason": "Hasty."}))
    assert (out["worker"], out["exclusion_reason"]) == (bob.public_id, "Hasty.")
    assert ok(dana.post(f"{path}restore/", {"reason": "Honest."}))["excluded_at"] is None
    asked = {"worker": bob.public_id, "reason": "A program."}
    done = dana.post(f"{PATH}{evaluation.public_id}/exclude/", asked)
    assert ok(done) == {"done": 2, "left": 0}
    progress = ok(dana.get(f"{PATH}{evaluation.public_id}/"))["progress"]
    assert (progress["n_votes"], progress["n_unused"], progress["n_wanted"]) == (0, 2, 12)
    assert dana.post(f"{path}exclude/", {}).status_code == 400


def test_the_last_answer_is_changed_over_http_until_the_next(campaign: Campaign) -> None:
    evaluation = of_twins(2)
    worker = client_of(UserFactory())
    claim = f"{PATH}{evaluation.public_id}/claim/"
    seat = f"{API}human-seats/{ok(worker.post(claim))['id']}/"
    assert_error(worker.post(f"{seat}amend/", {"option": 1}), 409, "undo_over")
    ok(worker.post(f"{seat}answer/", {"option": 1, "report": "offensive"}))
    changed = ok(worker.post(f"{seat}amend/", {"option": 2}))
    assert (changed["option"], changed["report"], bool(changed["amended_at"])) == (2, "", True)
    other = f"{API}human-seats/{ok(worker.post(claim))['id']}/"
    ok(worker.post(f"{other}answer/", {"option": 1}))
    assert_error(worker.post(f"{seat}amend/", {"option": 1}), 409, "undo_over")
