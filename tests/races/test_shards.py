"""Several workers on one encoding: each shard is encoded once, by one of them."""

from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError

from corpora.models import Snapshot
from filtering import loading, services
from filtering.models import Encoding, EncodingShard
from filtering.runner import encodings
from modeling.encoders import Encoder, load_encoder
from tests.filtering.stages import TINY, assert_done, carried, frozen, snapshot_of
from tests.races.threads import at_once
from winoplatform.runs import helping, sharing
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here, help_run
from winoplatform.runs.shards import execute_together
from winoplatform.runs.sharing import Share

WORKERS, SHARDS = 4, 12


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(frozen(pairs=SHARDS))


@pytest.fixture(autouse=True)
def shared_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the encoder once: threads of one process stand for workers here."""
    encoder = load_encoder(TINY)
    monkeypatch.setattr(loading, "load_encoder", lambda *_, **__: encoder)
    monkeypatch.setattr(helping, "ask_for_help", lambda *_, **__: None)


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note each shard that is encoded, as often as it is."""
    noted: list[int] = []
    encode = encodings.Shards.encode

    def noting(self: encodings.Shards, encoder: Encoder, number: int) -> EncodingShard:
        noted.append(number)
        return encode(self, encoder, number)

    monkeypatch.setattr(encodings.Shards, "encode", noting)
    return noted


def new(snapshot: Snapshot) -> Encoding:
    encoding = services.encode(snapshot=snapshot, by=None, encoder=TINY)
    Encoding.objects.filter(pk=encoding.pk).update(shard_size=2)
    return encoding


def executed_by_many(encoding: Encoding) -> Any:
    assert ended_of_many(encoding) == [None] * WORKERS
    assert_done(encoding)
    return encoding


def ended_of_many(encoding: Encoding) -> list[Any]:
    """Execute an encoding in one thread; the others help as soon as there is something to do."""

    def help_when_it_runs() -> None:
        while not Encoding.objects.exclude(weights_sha256="").filter(pk=encoding.pk).exists():
            pass
        help_run("filtering.encoding", encoding.pk)

    helpers = [help_when_it_runs] * (WORKERS - 1)
    return at_once(partial(execute_here, encoding), *helpers)


@pytest.mark.long
def test_many_workers_encode_each_shard_once_with_the_same_bytes(
    snapshot: Snapshot, encoded: list[int]
) -> None:
    alone = carried(new(snapshot))
    encoded.clear()
    together = executed_by_many(new(snapshot))
    assert sorted(encoded) == list(range(1, SHARDS + 1))
    assert together.matrix == alone.matrix
    assert (together.done, together.steps.count()) == (2 * SHARDS, SHARDS)


def test_without_the_lock_they_do_the_same_work_which_is_recorded_once(
    snapshot: Snapshot, encoded: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = carried(new(snapshot))
    encoded.clear()
    monkeypatch.setattr(sharing, "held", lambda name: nullcontext(True))
    together = executed_by_many(new(snapshot))
    assert len(encoded) > SHARDS
    assert together.matrix == alone.matrix
    assert together.steps.count() == SHARDS


def test_without_taking_turns_a_shard_done_twice_breaks_the_constraint(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: looking first and recording later records twice."""
    monkeypatch.setattr(sharing, "held", lambda name: nullcontext(True))
    monkeypatch.setattr(encodings.Shards, "_record", record_unseen)
    ends = ended_of_many(new(snapshot))
    assert any(isinstance(end, IntegrityError) for end in ends)


def record_unseen(self: encodings.Shards, shard: Any) -> None:
    Attempt.record(self.attempt, shard, done=0)


def test_processes_with_shares_encode_each_shard_once_and_all_end(
    snapshot: Snapshot, encoded: list[int]
) -> None:
    alone = carried(new(snapshot))
    encoded.clear()
    encoding = new(snapshot)

    def process(index: int) -> None:
        execute_together(Encoding.objects.get(pk=encoding.pk), Share(index, WORKERS))

    assert at_once(*(partial(process, index) for index in range(WORKERS))) == [None] * WORKERS
    assert_done(encoding)
    assert sorted(encoded) == list(range(1, SHARDS + 1))
    assert encoding.matrix == alone.matrix
