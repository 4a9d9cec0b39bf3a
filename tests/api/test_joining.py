"""Guidelines, the exercise, attributes and eligibility over the interface."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from collection import services
from collection.models import Campaign
from tests.api.calls import API, assert_error, ok
from tests.factories import CampaignFactory
from workers.models import LedgerEntry, User

HERE = f"{API}campaigns/winter/"
ITEM = {"prompt": "a?", "choices": ["b", "c", "d"], "answer": 3, "explanation": "Because."}


@pytest.fixture
def exercise(campaign: Campaign, as_dana: APIClient) -> list[dict[str, Any]]:
    """Two items in which the third choice is right."""
    items = [ITEM, ITEM | {"prompt": "e?"}]
    set_ = ok(as_dana.put(f"{HERE}exercise/items/", {"items": items}))["items"]
    assert set_ == items
    return set_


def answers(shown: dict[str, Any], text: str = "d") -> list[dict[str, Any]]:
    return [
        {"item": item["id"], "choice": item["choices"].index(text) + 1} for item in shown["items"]
    ]


def test_from_nothing_to_an_article(
    as_alice: APIClient, as_dana: APIClient, exercise: list[Any]
) -> None:
    text = {"text": "Be kind.", "aids_policy": "No machines."}
    published = ok(as_dana.post(f"{HERE}guidelines/", text), 201)
    assert published["version"] == 1
    where = ok(as_alice.get(f"{HERE}eligibility/"))
    assert (where["may_work"], where["next_step"]) == (False, "guidelines")
    assert_error(as_alice.post(f"{HERE}assignments/"), 409, "guideline_not_accepted")

    [read] = ok(as_alice.get(f"{HERE}guidelines/"))["results"]
    assert read["aids_policy"] == "No machines."
    accept = {"version": read["version"]}
    first = ok(as_alice.post(f"{HERE}guidelines/accept/", accept))
    assert ok(as_alice.post(f"{HERE}guidelines/accept/", accept)) == first
    assert_error(as_alice.post(f"{HERE}assignments/"), 409, "exercise_not_passed")

    shown = ok(as_alice.get(f"{HERE}exercise/"))
    assert (shown["reward"], shown["status"], shown["attempts_left"]) == ("0.50", None, 2)
    body = {"number": 1, "answers": answers(shown)}
    made = ok(as_alice.post(f"{HERE}exercise/attempts/", body))
    assert (made["n_right"], made["items"][0]["is_right"]) == (2, True)
    assert ok(as_alice.get(f"{HERE}eligibility/"))["may_work"]
    ok(as_alice.post(f"{HERE}assignments/"))


def test_nothing_before_an_attempt_tells_the_answer(
    as_alice: APIClient, exercise: list[Any]
) -> None:
    response = as_alice.get(f"{HERE}exercise/")
    assert all(set(item) == {"id", "number", "prompt", "choices"} for item in ok(response)["items"])
    assert b"Because" not in response.content


def test_a_failed_attempt_explains_and_leaves_another(
    as_alice: APIClient, exercise: list[Any], alice: User
) -> None:
    shown = ok(as_alice.get(f"{HERE}exercise/"))
    body = {"number": 1, "answers": answers(shown, "b")}
    made = ok(as_alice.post(f"{HERE}exercise/attempts/", body))
    item = made["items"][0]
    assert (item["is_right"], item["explanation"]) == (False, "Because.")
    assert item["choices"][item["answer"] - 1] == "d"
    assert ok(as_alice.post(f"{HERE}exercise/attempts/", body)) == made
    after = ok(as_alice.get(f"{HERE}exercise/"))
    assert (after["status"], after["attempts_left"], len(after["attempts"])) == ("started", 1, 1)
    other = {"number": 1, "answers": answers(shown)}
    assert_error(as_alice.post(f"{HERE}exercise/attempts/", other), 409, "attempt_made")
    assert not LedgerEntry.objects.exists()
    assert after["least_paid"] == 2
    ok(as_alice.post(f"{HERE}exercise/attempts/", other | {"number": 2}))
    assert LedgerEntry.objects.get().worker == alice


def test_an_attempt_is_refused_with_the_reason(as_alice: APIClient, exercise: list[Any]) -> None:
    shown = ok(as_alice.get(f"{HERE}exercise/"))
    there = f"{HERE}exercise/attempts/"
    assert_error(as_alice.post(there, {"number": 1}), 400, "invalid")
    assert_error(as_alice.post(there, {"number": 1, "answers": []}), 400, "exercise_incomplete")
    body = {"number": 2, "answers": answers(shown)}
    assert_error(as_alice.post(there, body), 409, "attempt_out_of_turn")


def test_another_version_is_not_the_one_to_accept(
    as_alice: APIClient, as_dana: APIClient, campaign: Campaign
) -> None:
    there = f"{HERE}guidelines/accept/"
    assert_error(as_alice.post(there, {"version": 1}), 409, "guideline_outdated")
    for text in ("One.", "Two."):
        ok(as_dana.post(f"{HERE}guidelines/", {"text": text}), 201)
    details = assert_error(as_alice.post(there, {"version": 1}), 409, "guideline_outdated")
    assert details == {"version": 2}


def test_a_curators_mistake_in_an_exercise_is_told(as_dana: APIClient, exercise: list[Any]) -> None:
    items = [ITEM, ITEM | {"answer": 4}]
    response = as_dana.put(f"{HERE}exercise/items/", {"items": items})
    assert_error(response, 400, "invalid")
    assert "Item 2" in response.json()["error"]["message"]
    assert len(ok(as_dana.get(f"{HERE}exercise/items/"))["items"]) == 2


def test_the_table_is_searched_by_everybody_and_set_by_curators(
    as_alice: APIClient, as_dana: APIClient, campaign: Campaign
) -> None:
    rows = [
        {"name": "weight", "domain": "physical", "pairs": [["heavy", "light"]]},
        {"name": "mood", "domain": "social", "pairs": [["glad", "sad"]]},
    ]
    there = f"{HERE}attributes/"
    assert_error(as_alice.put(there, {"attributes": rows}), 403, "permission_denied")
    ok(as_dana.put(there, {"attributes": rows}))

    def found(query: str) -> list[str]:
        return [row["name"] for row in ok(as_alice.get(f"{there}?{query}"))["attributes"]]

    assert found("") == ["mood", "weight"]
    assert found("q=LIGHT") == ["weight"]
    assert found("domain=social&q=") == ["mood"]
    assert_error(as_alice.get(f"{there}?domain=moral"), 400, "invalid")
    assert_error(as_alice.get(f"{there}?q={'x' * 101}"), 400, "invalid")
    assert_error(as_alice.get(f"{there}?q=%00"), 400, "invalid")


def test_what_a_draft_campaign_asks_is_seen_by_curators_only(
    as_alice: APIClient, as_dana: APIClient
) -> None:
    CampaignFactory(slug="winter", status=Campaign.Status.DRAFT)
    for path in ("eligibility/", "guidelines/", "exercise/", "attributes/"):
        assert_error(as_alice.get(f"{HERE}{path}"), 404, "not_found")
        ok(as_dana.get(f"{HERE}{path}"))


def test_guidelines_need_a_text(as_dana: APIClient, campaign: Campaign) -> None:
    for text in ("", None, "a\x00b", "x" * 50_001):
        assert_error(as_dana.post(f"{HERE}guidelines/", {"text": text}), 400, "invalid")
    assert services.publish_guideline(campaign=campaign, text="x").version == 1
