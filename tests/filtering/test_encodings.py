"""Encoding in shards, killed at any of them."""

import numpy as np
import pytest

from filtering import runner, services
from filtering.core.encoders import load_encoder
from filtering.models import Encoding, Snapshot
from tests.filtering.stages import (
    TINY,
    Killed,
    assert_done,
    frozen,
    kill_after,
    lease_ends,
    snapshot_of,
)
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus

pytestmark = pytest.mark.django_db
SHARDS = 3


@pytest.fixture
def snapshot(monkeypatch: pytest.MonkeyPatch) -> Snapshot:
    """Nine questions, to be encoded in three shards."""
    monkeypatch.setattr(runner, "SHARD", 3)
    return snapshot_of(frozen(pairs=4, lone=1))


def encode(snapshot: Snapshot, **fields: str) -> Encoding:
    return services.encode(snapshot=snapshot, by=None, encoder=TINY, **fields)


def carried(encoding: Encoding) -> Encoding:
    runner.carry_encoding(encoding.pk)
    assert_done(encoding)
    return encoding


def test_features_are_the_difference_of_the_two_option_vectors(snapshot: Snapshot) -> None:
    done = carried(encode(snapshot))
    matrix = store.load_array(done.matrix)
    question = frozen(pairs=4, lone=1)[5]
    first, second = load_encoder(TINY).encode(list(question.filled))
    np.testing.assert_allclose(matrix[5], first - second, atol=1e-5)
    assert matrix.shape == (9, done.n_features) == (9, 128)


def test_features_can_be_both_vectors_side_by_side(snapshot: Snapshot) -> None:
    done = carried(encode(snapshot, features="concatenation"))
    difference = store.load_array(carried(encode(snapshot)).matrix)
    matrix = store.load_array(done.matrix)
    assert matrix.shape == (9, 256)
    np.testing.assert_array_equal(matrix[:, :128] - matrix[:, 128:], difference)


def test_an_encoding_names_the_weights_and_the_pooling_it_used(snapshot: Snapshot) -> None:
    encoder = load_encoder(TINY)
    done = carried(encode(snapshot))
    assert (done.weights_sha256, done.pooling) == (encoder.weights_sha256, encoder.pooling)


def test_progress_counts_questions(snapshot: Snapshot) -> None:
    done = carried(encode(snapshot))
    assert (done.done, done.total, done.activity) == (9, 9, "")
    assert done.steps.count() == SHARDS


@pytest.mark.parametrize("records", range(SHARDS + 1))
def test_killed_anywhere_it_ends_with_the_same_bytes(
    snapshot: Snapshot, records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = carried(encode(snapshot))
    encoding = encode(snapshot)
    with monkeypatch.context() as patch:
        kill_after(patch, records)
        if records == SHARDS:
            patch.setattr(runner, "_join", kill)
        with pytest.raises(Killed):
            runner.carry_encoding(encoding.pk)
    assert encoding.steps.count() == records
    lease_ends(encoding)
    assert carried(encoding).matrix == unbroken.matrix
    assert encoding.attempt == 2


def kill(*_: object) -> None:
    raise Killed


def test_shards_that_are_recorded_are_not_encoded_again(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding = encode(snapshot)
    with monkeypatch.context() as patch:
        kill_after(patch, 2)
        with pytest.raises(Killed):
            runner.carry_encoding(encoding.pk)
    before = list(encoding.steps.values("pk", "created_at"))
    lease_ends(encoding)
    carried(encoding)
    assert list(encoding.steps.values("pk", "created_at"))[:2] == before


def test_an_unknown_encoder_is_refused_at_once(snapshot: Snapshot) -> None:
    with pytest.raises(DomainError) as caught:
        services.encode(snapshot=snapshot, by=None, encoder="pkg:no such thing")
    assert caught.value.code == "encoder_unknown"


def test_an_encoder_that_is_not_there_fails_the_run_with_the_way_out(snapshot: Snapshot) -> None:
    encoding = services.encode(snapshot=snapshot, by=None, encoder="/no/such/folder")
    runner.carry_encoding(encoding.pk)
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.FAILED
    assert "/no/such/folder" in encoding.failure


def test_without_a_name_the_installations_own_encoder_is_used(snapshot: Snapshot, settings) -> None:  # type: ignore[no-untyped-def]
    settings.ENCODER = TINY
    assert services.encode(snapshot=snapshot, by=None).encoder == TINY
