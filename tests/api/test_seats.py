"""seats/ and votes/: validating in two steps, blindly."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import jsonschema_rs
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from collection.models import Campaign, Twin
from tests.api.calls import API, assert_error, client_of, ok
from tests.api.description import description
from tests.factories import OPTIONS, SENTENCES, TwinFactory, UserFactory, VoteFactory
from validation.models import Seat, Vote
from workers.models import LedgerEntry, User

CLAIM = f"{API}campaigns/winter/seats/"


@pytest.fixture
def twin(alice: User, campaign: Campaign) -> Twin:
    """Alice's twin, which nobody has validated yet."""
    return TwinFactory(author=alice, campaign=campaign, seats=3)


def claim(client: APIClient) -> str:
    return f"{API}seats/{ok(client.post(CLAIM))['seat']['id']}/"


@pytest.fixture
def url(as_bob: APIClient, twin: Twin) -> str:
    """The address of the seat that Bob holds."""
    return claim(as_bob)


def expire() -> None:
    Seat.objects.exclude(worker=None).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_validator_answers_in_two_steps_and_is_paid(as_bob: APIClient, twin: Twin) -> None:
    seat = ok(as_bob.post(CLAIM))["seat"]
    assert (seat["step"], seat["sentence"]) == ("local", None)
    assert seat["local_context"].startswith("because the _")
    assert sorted(seat["options"]) == sorted(OPTIONS)
    url = f"{API}seats/{seat['id']}/"
    opened = ok(as_bob.post(f"{url}local/", {"option": None}))
    assert (opened["step"], opened["sentence"]) == ("sentence", SENTENCES[0])
    chosen = seat["options"].index("trophy") + 1
    vote = ok(as_bob.post(f"{url}vote/", {"option": chosen, "ambiguous": False}), 201)
    assert (vote["option"], vote["options"]) == (chosen, seat["options"])
    assert Vote.objects.get().option == 1
    assert LedgerEntry.objects.get().amount == Decimal("0.03")


def assert_described(answer: Any, name: str) -> None:
    """Assert that an answer is what the description says of the component *name*."""
    nullable = json.loads(json.dumps(description()["components"]), object_hook=_as_json_schema)
    jsonschema_rs.validate({"$ref": f"#/components/schemas/{name}", "components": nullable}, answer)


def _as_json_schema(node: dict[str, Any]) -> dict[str, Any]:
    """OpenAPI 3.0 has a word of its own for what may be null."""
    return {"anyOf": [node, {"type": "null"}]} if node.pop("nullable", None) is True else node


def test_every_answer_with_a_seat_is_as_described(as_bob: APIClient, twin: Twin) -> None:
    claimed = ok(as_bob.post(CLAIM))
    assert_described(claimed, "Claim")
    url = f"{API}seats/{claimed['seat']['id']}/"
    again = as_bob.post(CLAIM)
    local = {"option": 1}
    opened = (as_bob.get(url), as_bob.post(f"{url}beat/"), as_bob.post(f"{url}local/", local))
    for seat in (claimed["seat"], ok(again)["seat"], *map(ok, opened), ok(as_bob.get(url))):
        assert_described(seat, "Seat")
        assert seat["reward"] == "0.03"
    voted = as_bob.post(f"{url}vote/", {"option": 1, "ambiguous": False})
    assert_described(ok(voted, 201), "Vote")


def test_an_empty_queue_says_why_and_is_no_error(
    as_alice: APIClient, as_bob: APIClient, campaign: Campaign
) -> None:
    empty = ok(as_bob.post(CLAIM))
    assert (empty["seat"], empty["reason"]) == (None, "all_validated")
    assert empty["message"]
    TwinFactory(author=UserFactory(username="erin"), campaign=campaign, seats=1)
    claim(as_bob)
    claim(as_alice)
    busy = ok(client_of(UserFactory()).post(CLAIM))
    assert (busy["seat"], busy["reason"]) == (None, "all_leased")
    assert busy["again_at"]


def test_an_author_never_validates_the_own_twin(as_alice: APIClient, twin: Twin) -> None:
    assert ok(as_alice.post(CLAIM))["reason"] == "yours_or_validated"


def test_a_seat_tells_nothing_of_author_answer_votes_or_twin(
    as_bob: APIClient, twin: Twin, bob: User
) -> None:
    question = twin.questions.get(number=1)
    earlier = VoteFactory(question=question, seat__number=9, comment="I chose the trophy")
    seen = [as_bob.post(CLAIM)]
    url = f"{API}seats/{seen[0].json()['seat']['id']}/"
    seen.append(as_bob.get(url))
    seen.append(as_bob.post(f"{url}local/", {"option": 1}))
    seen.append(as_bob.post(f"{url}vote/", {"option": 1, "ambiguous": True}))
    seen.append(as_bob.get(f"{API}votes/"))
    told = "".join(json.dumps(response.json()) for response in seen)
    other = twin.questions.get(number=2)
    for secret in (
        twin.author.public_id, str(twin.public_id), question.public_id, other.public_id,
        other.sentence, earlier.comment, str(earlier.public_id), str(twin.client_key),
    ):  # fmt: skip
        assert secret not in told
    [vote] = ok(seen[-1])["results"]
    assert vote["worker"] is vote["question"] is vote["correct"] is None
    keys = set(seen[0].json()["seat"])
    assert keys == {
        "id", "campaign", "step", "local_context", "options", "sentence", "leased_until",
        "reward", "currency",
    }  # fmt: skip


def test_the_sentence_stays_covered_until_the_local_answer(as_bob: APIClient, twin: Twin) -> None:
    url = claim(as_bob)
    assert ok(as_bob.get(url))["sentence"] is None
    early = as_bob.post(f"{url}vote/", {"option": 1, "ambiguous": False})
    assert_error(early, 409, "local_context_first")


def test_the_first_local_answer_stands(as_bob: APIClient, twin: Twin, url: str) -> None:
    first = ok(as_bob.post(f"{url}local/", {"option": None}))
    assert ok(as_bob.post(f"{url}local/", {"option": None})) == first
    details = assert_error(as_bob.post(f"{url}local/", {"option": 2}), 409, "already_answered")
    assert details == {"option": None}
    vote = ok(as_bob.post(f"{url}vote/", {"option": 2, "ambiguous": False}), 201)
    assert vote["local_option"] is None


def test_voting_again_returns_the_first_vote(as_bob: APIClient, twin: Twin, url: str) -> None:
    ok(as_bob.post(f"{url}local/", {"option": 1}))
    first = ok(as_bob.post(f"{url}vote/", {"option": 1, "ambiguous": False}), 201)
    assert ok(as_bob.post(f"{url}vote/", {"option": 1, "ambiguous": False})) == first
    other = as_bob.post(f"{url}vote/", {"option": 2, "ambiguous": True})
    assert assert_error(other, 409, "already_answered")["option"] == 1
    assert (Vote.objects.count(), LedgerEntry.objects.count()) == (1, 1)


def test_an_expired_lease_takes_no_answer_once_the_seat_is_free_for_nobody(
    as_bob: APIClient, twin: Twin, url: str
) -> None:
    expire()
    Campaign.objects.update(status="paused")
    assert_error(as_bob.post(f"{url}local/", {"option": 1}), 410, "lease_expired")
    late = as_bob.post(f"{url}vote/", {"option": 1, "ambiguous": False})
    assert_error(late, 410, "lease_expired")
    assert not Vote.objects.exists()


def test_a_seat_belongs_to_its_holder_alone(
    as_bob: APIClient, as_carol: APIClient, as_dana: APIClient, twin: Twin, url: str
) -> None:
    for client, *refusal in ((as_carol, 404, "not_found"), (as_dana, 403, "permission_denied")):
        assert_error(client.get(url), *refusal)
        assert_error(client.post(f"{url}local/", {"option": 1}), *refusal)
        assert_error(client.post(f"{url}return/"), *refusal)
        vote = client.post(f"{url}vote/", {"option": 1, "ambiguous": False})
        assert_error(vote, *refusal)


def test_a_curator_who_can_look_answers_up_does_not_validate(
    as_dana: APIClient, twin: Twin
) -> None:
    response = as_dana.post(f"{API}campaigns/{twin.campaign.slug}/seats/")
    assert_error(response, 403, "permission_denied")
    assert "they do not validate" in response.json()["error"]["message"]


def test_a_returned_seat_is_free_at_once(
    as_bob: APIClient, as_carol: APIClient, twin: Twin, url: str
) -> None:
    ok(as_bob.post(f"{url}return/"), 204)
    assert_error(as_bob.get(url), 404, "not_found")
    assert claim(as_carol) == url


def test_a_vote_is_not_given_back(as_bob: APIClient, twin: Twin, url: str) -> None:
    ok(as_bob.post(f"{url}local/", {"option": 1}))
    ok(as_bob.post(f"{url}vote/", {"option": 1, "ambiguous": False}), 201)
    assert_error(as_bob.post(f"{url}return/"), 409, "already_voted")


@pytest.mark.parametrize(
    "body",
    [{}, {"option": 0}, {"option": 3}, {"option": "x"}, {"option": 10**400}, {"option": [1]}, []],
)
def test_a_malformed_answer_is_refused(as_bob: APIClient, twin: Twin, body: object) -> None:
    url = claim(as_bob)
    assert_error(as_bob.post(f"{url}local/", body), 400, "invalid")
    assert_error(as_bob.post(f"{url}vote/", body), 400, "invalid")


@pytest.mark.parametrize("comment", ["a\x00b", "\ud800", "x" * 501, None, {}])
def test_a_comment_that_cannot_be_stored_is_refused(
    as_bob: APIClient, twin: Twin, comment: object, url: str
) -> None:
    ok(as_bob.post(f"{url}local/", {"option": 1}))
    body = {"option": 1, "ambiguous": False, "comment": comment}
    details = assert_error(as_bob.post(f"{url}vote/", body), 400, "invalid")
    assert set(details["fields"]) == {"comment"}


def test_curators_see_who_validated_what_and_whether_rightly(
    as_dana: APIClient, bob: User, twin: Twin
) -> None:
    question = twin.questions.get(number=1)
    VoteFactory(question=question, worker=bob, seat__number=9, wrong=True)
    [vote] = ok(as_dana.get(f"{API}votes/?campaign=winter"))["results"]
    assert (vote["worker"], vote["question"]) == (bob.public_id, question.public_id)
    assert vote["correct"] is False


def test_what_a_voter_is_told_at_once_is_what_the_list_says_later(
    as_bob: APIClient, twin: Twin, url: str
) -> None:
    ok(as_bob.post(f"{url}local/", {"option": 1}))
    body = {"option": 1, "ambiguous": True, "comment": "Hm.", "report": "offensive"}
    vote = ok(as_bob.post(f"{url}vote/", body), 201)
    assert ok(as_bob.get(f"{API}votes/"))["results"] == [vote]
    amended = ok(as_bob.post(f"{url}amend/", body | {"option": 2, "report": ""}))
    assert (amended["option"], amended["report"]) == (2, "")
    assert amended["amended_at"]
    assert ok(as_bob.get(f"{API}votes/"))["results"] == [amended]


def test_the_next_question_can_be_fetched_early(
    as_bob: APIClient, twin: Twin, campaign: Campaign
) -> None:
    TwinFactory(campaign=campaign, seats=3)
    first = ok(as_bob.post(CLAIM, {}))["seat"]["id"]
    second = ok(as_bob.post(CLAIM, {"ahead": True}))["seat"]["id"]
    assert first != second
    assert ok(as_bob.post(CLAIM, {"ahead": True}))["seat"]["id"] == second
    assert ok(as_bob.post(CLAIM))["seat"]["id"] == first
    assert_error(as_bob.post(CLAIM, {"ahead": "soon"}), 400, "invalid")


def test_a_beat_prolongs_the_lease(as_bob: APIClient, as_carol: APIClient, twin: Twin) -> None:
    url = claim(as_bob)
    Seat.objects.filter(worker__isnull=False).update(
        leased_until=timezone.now() + timedelta(seconds=5)
    )
    seat = ok(as_bob.post(f"{url}beat/"))
    left = datetime.fromisoformat(seat["leased_until"]) - timezone.now()
    assert left > timedelta(minutes=2)
    assert_error(as_carol.post(f"{url}beat/"), 404, "not_found")
    expire()
    assert_error(as_bob.post(f"{url}beat/"), 410, "lease_expired")


def test_an_undo_that_comes_too_late_is_refused(as_bob: APIClient, twin: Twin, url: str) -> None:
    ok(as_bob.post(f"{url}local/", {"option": 1}))
    ballot = {"option": 1, "ambiguous": False}
    ok(as_bob.post(f"{url}vote/", ballot), 201)
    Vote.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert_error(as_bob.post(f"{url}amend/", ballot | {"option": 2}), 409, "undo_over")


def test_a_draft_does_not_exist_for_workers(as_bob: APIClient, campaign: Campaign) -> None:
    Campaign.objects.update(status=Campaign.Status.DRAFT)
    assert_error(as_bob.post(CLAIM), 404, "not_found")
    assert_error(as_bob.post(f"{API}campaigns/none/seats/"), 404, "not_found")
