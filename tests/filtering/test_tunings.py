"""Fine-tuned encoders: killed at any epoch, and used by encodings and filter runs."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from django.core.exceptions import ValidationError
from django.core.files.storage import storages
from django.db import IntegrityError
from django.utils import timezone
from safetensors.torch import load_file

from corpora.models import Snapshot
from filtering import selectors, services
from filtering.models import Encoding, Tuning
from filtering.runner import encodings
from modeling.encoders import load_encoder
from modeling.finetuning import Checkpoint, loop, weights_of
from modeling.specs import ModelSpec
from tests.factories import SnapshotFactory, TuningFactory
from tests.filtering.stages import (
    TINY,
    Killed,
    assert_done,
    carried,
    frozen,
    kill,
    killed_after,
    lease_ends,
    read,
    snapshot_of,
)
from winoplatform.artifacts import store, upkeep
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

pytestmark = pytest.mark.usefixtures("one_thread")
EPOCHS = 2


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(frozen(pairs=10, unpaired=1))


def tune(snapshot: Snapshot, **changes: Any) -> Tuning:
    small: dict[str, Any] = {
        "encoder": TINY,
        "n_train": 6,
        "n_validation": 4,
        "epochs": EPOCHS,
        "batch_size": 3,
        "learning_rate": 1e-3,
    }
    return services.tune(snapshot=snapshot, by=None, **(small | changes))


def encode(tuning: Tuning, **fields: Any) -> Encoding:
    return services.encode(snapshot=tuning.snapshot, by=None, tuning=tuning, **fields)


def outcome(tuning: Tuning) -> list[Any]:
    epochs = tuning.steps.values_list("number", "loss", "accuracy")
    return [tuning.weights_id, tuning.used_id, tuning.accuracy, *epochs]


@pytest.mark.long
@pytest.mark.parametrize(
    "records",
    [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(EPOCHS + 1) if n != 1)],
)
def test_killed_anywhere_it_ends_with_the_same_bytes(
    snapshot: Snapshot, records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = carried(tune(snapshot))
    tuning = tune(snapshot)
    if records < EPOCHS:
        killed_after(tuning, records)
    else:
        with monkeypatch.context() as patch:
            patch.setattr(encodings, "_finish", kill)
            with pytest.raises(Killed):
                execute_here(tuning)
        lease_ends(tuning)
    assert tuning.steps.count() == records
    assert outcome(carried(tuning)) == outcome(unbroken)
    assert tuning.attempt == 2


@pytest.mark.long
def test_what_was_used_leaves_the_data_set(snapshot: Snapshot) -> None:
    tuning = carried(tune(snapshot))
    used = read(tuning.used).split()
    assert tuning.n_used == len(used) >= 9  # one less where the single question is among them
    encoding = encode(tuning)
    assert encoding.n_questions == 21 - len(used)
    left = [question.id for question in selectors.encoded_questions(encoding)]
    assert sorted(left + used) == [question.id for question in frozen(pairs=10, unpaired=1)]


@pytest.mark.long
def test_an_encoding_has_the_rows_of_the_tuned_encoder(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding = carried(encode(carried(tune(snapshot))))
    weights = encoding.tuning.weights
    assert encoding.weights_sha256 == weights.sha256
    plain = load_encoder(TINY, dtype=encoding.dtype)
    filled = [text for q in selectors.encoded_questions(encoding) for text in q.filled]
    before = plain.encode(filled)
    plain.model.load_state_dict(load_file(store.local_path(weights.sha256)))
    after = plain.encode(filled).reshape(-1, 2, 128)
    np.testing.assert_array_equal(store.load_array(encoding.matrix), after[:, 0] - after[:, 1])
    assert not np.array_equal(before.reshape(after.shape), after)


@pytest.mark.long
def test_a_tuning_shows_how_far_it_is(snapshot: Snapshot) -> None:
    tuning = tune(snapshot)
    killed_after(tuning, 1)
    assert (tuning.done, tuning.total, tuning.share) == (1, 2, 0.5)
    encoder = load_encoder(TINY)
    assert (tuning.base_sha256, tuning.config_sha256, tuning.pooling_used) == (
        encoder.weights_sha256,
        encoder.config_sha256,
        "mean",
    )


@pytest.mark.long
def test_a_tuning_does_not_continue_with_other_weights(
    snapshot: Snapshot, tmp_path: Path, settings: Any
) -> None:
    settings.ENCODER_FOLDERS = [str(tmp_path)]
    folder = shutil.copytree(ModelSpec.parse(TINY).folder(), tmp_path / "encoder")
    tuning = tune(snapshot, encoder=str(folder))
    killed_after(tuning, 1)
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    execute_here(tuning)
    tuning.refresh_from_db()
    assert f"expected {tuning.base_sha256}" in tuning.failure


def test_a_snapshot_that_is_too_small_is_refused_at_once(snapshot: Snapshot) -> None:
    with pytest.raises(DomainError, match="more than half of 21") as caught:
        services.tune(snapshot=snapshot, by=None)
    assert (caught.value.code, caught.value.status) == ("snapshot_too_small", 409)


def test_one_that_turns_out_too_small_fails_the_tuning(snapshot: Snapshot) -> None:
    tuning = services.tune(snapshot=SnapshotFactory(), by=None)
    Tuning.objects.filter(pk=tuning.pk).update(snapshot=snapshot)
    execute_here(tuning)
    tuning.refresh_from_db()
    assert tuning.status == RunStatus.FAILED
    assert "more than half of 21" in tuning.failure


@pytest.mark.long
def test_an_encoding_waits_for_its_tuning(snapshot: Snapshot) -> None:
    tuning = tune(snapshot)
    encoding = encode(tuning)
    execute_here(encoding)
    encoding.refresh_from_db()
    assert (encoding.status, encoding.n_questions) == (RunStatus.QUEUED, None)
    carried(tuning)
    encoding.refresh_from_db()
    assert_done(carried(encoding))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"encoder": "roberta-large"}, "tuning_has_its_encoder"),
        ({"pooling": "cls"}, "tuning_has_its_encoder"),
        ({"snapshot": None}, "tuning_of_other_snapshot"),
    ],
)
def test_an_encoding_that_contradicts_its_tuning_is_refused(
    snapshot: Snapshot, fields: dict[str, Any], code: str
) -> None:
    fields = {"snapshot": snapshot, "tuning": tune(snapshot)} | fields
    fields["snapshot"] = fields["snapshot"] or SnapshotFactory()
    with pytest.raises(DomainError) as caught:
        services.encode(by=None, **fields)
    assert caught.value.code == code


def test_the_same_tuning_is_not_queued_twice_at_a_time(snapshot: Snapshot) -> None:
    first = tune(snapshot)
    with pytest.raises(ValidationError, match="under way already"):
        tune(snapshot)
    assert tune(snapshot, seed=1).pk != first.pk


@pytest.mark.parametrize(
    ("setting", "value"),
    [("epochs", 0), ("batch_size", 0), ("batch_size", 1025), ("learning_rate", 0)],
)
def test_the_database_holds_no_setting_out_of_range(setting: str, value: int) -> None:
    tuning = TuningFactory()
    with pytest.raises(IntegrityError, match="filtering_tuning_settings_are_in_range"):
        Tuning.objects.filter(pk=tuning.pk).update(**{setting: value})


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> dict[int, Any]:
    """What every epoch came to, as it was recorded; by number."""
    found: dict[int, Any] = {}
    recorded = encodings._recorded

    def recording(run: Tuning, epoch: Checkpoint, **options: Any) -> Any:
        found[epoch.number] = epoch.state
        return recorded(run, epoch, **options)

    monkeypatch.setattr(encodings, "_recorded", recording)
    return found


def tune_epochs(snapshot: Snapshot, *, epochs: int) -> Tuning:
    return services.tune(
        snapshot=snapshot,
        by=None,
        encoder=TINY,
        n_train=6,
        n_validation=4,
        epochs=epochs,
        batch_size=3,
        learning_rate=1e-3,
    )


def validating(patch: pytest.MonkeyPatch, accuracies: Sequence[float]) -> None:
    left = iter(accuracies)
    patch.setattr(loop, "accuracy", lambda *_: next(left))


def with_a_state(tuning: Tuning) -> list[int]:
    """The epochs whose states are held, with their files."""
    held = dict(tuning.steps.exclude(state=None).values_list("number", "state_id"))
    assert set(held.values()) <= files()
    return sorted(held)


def files() -> set[str]:
    """The names of all files in the store."""
    storage = storages["artifacts"]
    return {name for folder in storage.listdir("")[0] for name in storage.listdir(folder)[1]}


@pytest.mark.long
@pytest.mark.parametrize(
    ("accuracies", "held"),
    [([0.5, 0.25, 0.25], [1, 3]), ([0.5, 0.75, 0.25], [2, 3]), ([0.25, 0.5, 0.75], [3])],
)
def test_the_last_epochs_state_and_the_best_ones_are_held_and_no_other(
    snapshot: Snapshot,
    accuracies: list[float],
    held: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tuning = tune_epochs(snapshot, epochs=3)
    validating(monkeypatch, accuracies)
    monkeypatch.setattr(encodings, "_finish", kill)
    with pytest.raises(Killed):
        execute_here(tuning)
    assert with_a_state(tuning) == held
    assert len(files()) == 1 + len(held)  # the snapshot's


def test_one_that_is_done_holds_none(snapshot: Snapshot) -> None:
    tuning = carried(tune_epochs(snapshot, epochs=2))
    assert with_a_state(tuning) == []
    assert files() == {snapshot.questions_id, tuning.used_id, tuning.weights_id}


@pytest.mark.long
def test_the_epoch_that_validates_best_is_kept_of_equals_the_first(
    snapshot: Snapshot, states: dict[int, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = tune_epochs(snapshot, epochs=3)
    validating(monkeypatch, [0.5, 0.75, 0.75, 0.75])  # the third epoch is begun twice
    killed_after(tuning, 2)
    done = carried(tuning)
    kept = load_file(store.local_path(done.weights_id))
    best = weights_of(states[2])
    assert done.accuracy == 0.75
    assert all(torch.equal(kept[name], part) for name, part in best.items())
    last = weights_of(states[3])
    assert not all(torch.equal(kept[name], part) for name, part in last.items())


@pytest.mark.long
@pytest.mark.parametrize("call", [1, 2, 3])
def test_what_a_worker_leaves_that_dies_before_it_drops_a_state_is_swept(
    snapshot: Snapshot, call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken, tuning = carried(tune_epochs(snapshot, epochs=2)), tune_epochs(snapshot, epochs=2)
    drop, calls = upkeep.drop, 0

    def dying(names: list[str]) -> None:
        nonlocal calls
        calls += 1
        if calls == call:
            raise Killed
        drop(names)

    with monkeypatch.context() as patch:
        patch.setattr(upkeep, "drop", dying)
        with pytest.raises(Killed):
            execute_here(tuning)
    lease_ends(tuning)
    execute_here(tuning)
    tuning.refresh_from_db()
    assert (tuning.status, tuning.weights_id) == ("done", unbroken.weights_id)
    upkeep.sweep(now=timezone.now() + upkeep.KEPT_UNREFERENCED)
    assert files() == {snapshot.questions_id, tuning.used_id, tuning.weights_id}


@pytest.mark.long
def test_an_epoch_that_is_not_recorded_lets_nothing_go(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = tune_epochs(snapshot, epochs=3)
    killed_after(tuning, 1)
    Tuning.objects.filter(pk=tuning.pk).update(cancel_requested=True)
    execute_here(tuning)
    tuning.refresh_from_db()
    assert (tuning.status, with_a_state(tuning)) == ("cancelled", [1])
