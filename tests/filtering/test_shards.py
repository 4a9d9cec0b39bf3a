"""The shards of one encoding, shared by several workers."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from corpora.models import Snapshot
from filtering import services
from filtering.models import Encoding
from filtering.runner import encodings
from modeling.encoders import Encoder
from modeling.specs import ModelUnavailable
from tests.filtering.stages import (
    PUBLISHED,
    TINY,
    carried,
    encoding_of,
    frozen,
    killed_after,
    leaking,
    lease_ends,
    snapshot_of,
)
from winoplatform.processes import broker
from winoplatform.runs import helping, sharing
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import help_run
from winoplatform.runs.models import RunStatus
from winoplatform.runs.shards import execute_together
from winoplatform.runs.sharing import Share

SHARDS = 4


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(frozen(pairs=4))


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[Any]]]:
    """Collect invitations instead of sending them."""
    found: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        helping.current_app, "send_task", lambda task, args, **_: found.append((task, args))
    )
    return found


def encode(snapshot: Snapshot) -> Encoding:
    encoding = services.encode(snapshot=snapshot, by=None, encoder=TINY)
    Encoding.objects.filter(pk=encoding.pk).update(shard_size=2)
    return encoding


def under_way(snapshot: Snapshot, records: int = 0) -> Encoding:
    """An encoding whose attempt has died, but whose lease has not ended."""
    encoding = encode(snapshot)
    killed_after(encoding, records)
    lease = timezone.now() + timedelta(seconds=60)
    Encoding.objects.filter(pk=encoding.pk).update(leased_until=lease)
    return encoding


@pytest.mark.long
def test_a_helper_records_what_is_missing_and_the_attempt_joins_it(snapshot: Snapshot) -> None:
    alone = carried(encode(snapshot))
    encoding = under_way(snapshot, records=1)
    help_run("filtering.encoding", encoding.pk)
    encoding.refresh_from_db()
    assert (encoding.status, encoding.steps.count(), encoding.done) == ("running", SHARDS, 8)
    lease_ends(encoding)
    assert carried(encoding).matrix == alone.matrix
    assert set(encoding.steps.values_list("attempt", flat=True)) == {1}


def test_an_attempt_asks_others_for_help_once_in_a_while(
    snapshot: Snapshot, sent: list[tuple[str, list[Any]]]
) -> None:
    encoding = carried(encode(snapshot))
    assert sent == [("winoplatform.help_run", ["filtering.encoding", encoding.pk])] * (SHARDS - 1)


@pytest.mark.long
def test_without_a_broker_it_continues_alone(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise helping.BROKER_AWAY[0]

    beside_others = carried(encode(snapshot)).matrix
    monkeypatch.setattr(helping.current_app, "send_task", away)
    assert carried(encode(snapshot)).matrix == beside_others


@pytest.mark.parametrize("status", [RunStatus.QUEUED, RunStatus.FAILED, RunStatus.CANCELLED])
def test_what_nobody_executes_gets_no_help(snapshot: Snapshot, status: str) -> None:
    encoding = under_way(snapshot)
    Encoding.objects.filter(pk=encoding.pk).update(status=status)
    help_run("filtering.encoding", encoding.pk)
    assert encoding.steps.count() == 0


@pytest.mark.long
@pytest.mark.parametrize("change", [{"cancel_requested": True}, {"attempt": 7}])
def test_a_helper_stops_with_the_attempt_that_it_helps(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    encoding = under_way(snapshot)
    record = Attempt.record

    def then(self: Attempt[Any], *args: Any, **options: Any) -> None:
        record(self, *args, **options)
        Encoding.objects.filter(pk=encoding.pk).update(**change)

    monkeypatch.setattr(Attempt, "record", then)
    help_run("filtering.encoding", encoding.pk)
    encoding.refresh_from_db()
    assert (encoding.status, encoding.steps.count()) == (RunStatus.RUNNING, 1)


def test_a_helper_without_the_encoder_fails_nothing(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(attempt: Attempt[Encoding]) -> Encoder:
        raise ModelUnavailable("It is not installed here.")

    encoding = under_way(snapshot)
    monkeypatch.setattr(encodings, "_encoder", unavailable)
    help_run("filtering.encoding", encoding.pk)
    encoding.refresh_from_db()
    assert (encoding.status, encoding.failure) == (RunStatus.RUNNING, "")


def test_patience_is_three_times_what_the_slowest_shard_took(
    snapshot: Snapshot, settings: Any
) -> None:
    settings.RUN_LEASE_SECONDS = 30
    encoding = under_way(snapshot, records=2)
    waiting = encodings.Shards(Attempt(encoding), frozen(pairs=4))
    assert waiting._patience() == 30
    encoding.steps.filter(number=2).update(seconds=100)
    assert waiting._patience() == 300


@pytest.mark.long
def test_a_shard_that_another_worker_holds_is_encoded_again_when_patience_ends(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """As after a network that broke: the database holds a lock that nobody uses."""
    settings.RUN_LEASE_SECONDS = 1
    encoding = encode(snapshot)
    others = f"filtering.encoding {encoding.pk}, step 2"
    monkeypatch.setattr(sharing, "held", lambda name: nullcontext(name != others))
    assert carried(encoding).steps.count() == SHARDS


@pytest.fixture
def without_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("A process of `shard` asked for Redis.")

    monkeypatch.setattr(broker, "client", refuse)


@pytest.mark.long
@pytest.mark.parametrize(("index", "of"), [(0, 1), (1, 2), (2, 7)])
def test_any_number_of_processes_gives_the_same_bytes_without_a_broker(
    snapshot: Snapshot, without_broker: None, index: int, of: int
) -> None:
    with broker.left_alone():
        alone = carried(encode(snapshot))
        encoding = encode(snapshot)
    execute_together(encoding, Share(index, of))
    assert (encoding.status, encoding.matrix) == (RunStatus.DONE, alone.matrix)
    first = encoding.steps.order_by("pk").first()
    assert first is not None
    assert first.number == index + 1


@pytest.mark.long
def test_a_process_finishes_what_a_killed_one_began(snapshot: Snapshot) -> None:
    alone, encoding = carried(encode(snapshot)), under_way(snapshot, records=1)
    waits = []

    def killed_ones_lease_ends(run: Encoding) -> None:
        waits.append(run.steps.count())
        lease_ends(run)

    execute_together(encoding, Share(1, 2), tell=killed_ones_lease_ends)
    assert waits == [SHARDS]  # it computed all before it took the run over
    assert encoding.matrix == alone.matrix
    assert encoding.attempt == 2


def test_what_has_no_parts_is_finished_by_another_process_if_one_is_killed(db: None) -> None:
    questions = frozen(pairs=60)
    encoding = encoding_of(questions, leaking(questions))
    small = {**PUBLISHED, "n": 5, "m": 40, "k": 8}
    alone = carried(services.start_filter_run(encoding=encoding, by=None, **small))
    run = services.start_filter_run(encoding=encoding, by=None, **small)
    killed_after(run, records=1)
    execute_together(run, Share(1, 2))
    assert (run.status, run.attempt) == (RunStatus.DONE, 2)
    assert run.selection.kept_id == alone.selection.kept_id
    assert run.n_kept < len(questions)


@pytest.mark.parametrize("id", ["", "7", "8f6dbb3a-3c1a-4f0e-9d58-0f5f0d0c0a01"])
def test_an_id_of_nothing_is_said(db: None, id: str) -> None:
    with pytest.raises(CommandError, match="There is no encoding"):
        call_command("shard", "encoding", id)


@pytest.mark.parametrize("share", [(2, 2), (-1, 2), (0, 0)])
def test_an_index_that_is_none_is_refused(db: None, share: tuple[int, int]) -> None:
    with pytest.raises(CommandError, match="from 0"):
        call_command("shard", "encoding", "7", index=share[0], of=share[1])
