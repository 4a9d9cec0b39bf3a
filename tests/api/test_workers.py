"""workers/: what people have done; pause and resume."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from collection.models import Campaign, Provenance
from tests.api.calls import API, assert_error, ok
from tests.factories import PauseFactory, TwinFactory, UserFactory, VerdictFactory, VoteFactory
from workers.models import Pause, User


def test_a_worker_is_listed_with_what_they_have_done(as_dana: APIClient, alice: User) -> None:
    first, second = TwinFactory(author=alice), TwinFactory(author=alice)
    TwinFactory(author=alice, withdrawn_at=timezone.now())
    for question in first.questions.all():
        VerdictFactory(question=question)
    VerdictFactory(question=second.questions.get(number=1), reasons=["local"])
    Provenance.objects.create(twin=first, typed_characters=150, pasted_characters=50)
    VoteFactory(worker=alice)
    row = next(
        row for row in ok(as_dana.get(f"{API}workers/"))["results"] if row["id"] == alice.public_id
    )
    assert (row["twins"], row["withdrawn"], row["votes"]) == (2, 1, 1)
    assert (row["validated"], row["valid"], row["valid_share"]) == (3, 2, pytest.approx(2 / 3))
    assert (row["typed"], row["pasted"], row["pasted_share"]) == (150, 50, 0.25)
    assert row["paused"] is None
    assert ok(as_dana.get(f"{API}workers/{alice.public_id}/")) == row
    assert "alice" not in str(row)


def test_who_has_done_nothing_has_no_shares(as_dana: APIClient, alice: User) -> None:
    row = ok(as_dana.get(f"{API}workers/{alice.public_id}/"))
    assert (row["twins"], row["valid_share"], row["pasted_share"]) == (0, None, None)


def test_the_list_is_filtered_by_pause(as_dana: APIClient, alice: User, bob: User) -> None:
    PauseFactory(worker=alice)
    PauseFactory(worker=bob, ended_at=timezone.now() + timedelta(hours=1))

    def found(value: str) -> list[str]:
        rows = ok(as_dana.get(f"{API}workers/?paused={value}"))["results"]
        return [row["id"] for row in rows]

    assert found("true") == [alice.public_id]
    assert found("false") == [bob.public_id]


def test_a_paused_worker_hears_the_reason_wherever_they_ask_for_work(
    as_alice: APIClient, as_dana: APIClient, alice: User, campaign: Campaign
) -> None:
    TwinFactory(campaign=campaign, seats=3)
    there = f"{API}workers/{alice.public_id}/"
    pause = ok(as_dana.post(f"{there}pause/", {"reason": "Copied twins."}))
    assert (pause["worker"], pause["reason"], pause["ended_at"]) == (
        alice.public_id,
        "Copied twins.",
        None,
    )
    for what in ("assignments", "seats"):
        response = as_alice.post(f"{API}campaigns/winter/{what}/")
        details = assert_error(response, 403, "worker_paused")
        assert details["reason"] == "Copied twins."
    assert ok(as_dana.get(there))["paused"]["reason"] == "Copied twins."
    assert ok(as_dana.post(f"{there}resume/"))["ended_at"] is not None
    for what in ("assignments", "seats"):
        ok(as_alice.post(f"{API}campaigns/winter/{what}/"))


def test_pausing_twice_and_resuming_twice_are_refused(as_dana: APIClient, alice: User) -> None:
    there = f"{API}workers/{alice.public_id}/"
    assert_error(as_dana.post(f"{there}resume/"), 409, "not_paused")
    ok(as_dana.post(f"{there}pause/", {"reason": "One."}))
    assert_error(as_dana.post(f"{there}pause/", {"reason": "Two."}), 409, "already_paused")
    assert Pause.objects.get().reason == "One."


@pytest.mark.parametrize("reason", [None, "", "  ", "x" * 501, "a\x00b", "\ud800", ["a"]])
def test_a_reason_that_nobody_can_read_is_refused(
    reason: object, as_dana: APIClient, alice: User
) -> None:
    response = as_dana.post(f"{API}workers/{alice.public_id}/pause/", {"reason": reason})
    assert_error(response, 400, "invalid")


def test_curators_and_strangers_are_no_workers(as_dana: APIClient, dana: User) -> None:
    other = UserFactory(curator=True)
    for public_id in (other.public_id, dana.public_id, "w-none"):
        assert_error(as_dana.get(f"{API}workers/{public_id}/"), 404, "not_found")
        response = as_dana.post(f"{API}workers/{public_id}/pause/", {"reason": "x"})
        assert_error(response, 404, "not_found")
