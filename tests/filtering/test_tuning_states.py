"""The states of a tuning's epochs: kept while something may go on from them, and no longer."""

from collections.abc import Sequence
from typing import Any

import pytest
import torch
from django.core.files.storage import storages
from django.utils import timezone
from safetensors.torch import load_file

from corpora.models import Snapshot
from filtering import services
from filtering.models import Tuning
from filtering.runner import encodings
from modeling.finetuning import Checkpoint, loop, weights_of
from tests.filtering.stages import (
    TINY,
    Killed,
    carried,
    frozen,
    killed_after,
    lease_ends,
    snapshot_of,
)
from winoplatform.artifacts import store, upkeep
from winoplatform.runs.kinds import execute_here

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_thread")]


@pytest.fixture
def snapshot() -> Snapshot:
    return snapshot_of(frozen(pairs=10, unpaired=1))


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


def tune(snapshot: Snapshot, *, epochs: int) -> Tuning:
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


def kill(*_: object) -> None:
    raise Killed


def files() -> set[str]:
    """The names of all files in the store."""
    storage = storages["artifacts"]
    return {name for folder in storage.listdir("")[0] for name in storage.listdir(folder)[1]}


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
    tuning = tune(snapshot, epochs=3)
    validating(monkeypatch, accuracies)
    monkeypatch.setattr(encodings, "_finish", kill)
    with pytest.raises(Killed):
        execute_here(tuning)
    assert with_a_state(tuning) == held
    assert len(files()) == 1 + len(held)  # the snapshot's


def test_one_that_is_done_holds_none(snapshot: Snapshot) -> None:
    tuning = carried(tune(snapshot, epochs=2))
    assert with_a_state(tuning) == []
    assert files() == {snapshot.questions_id, tuning.used_id, tuning.weights_id}


def test_the_epoch_that_validates_best_is_kept_of_equals_the_first(
    snapshot: Snapshot, states: dict[int, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = tune(snapshot, epochs=3)
    validating(monkeypatch, [0.5, 0.75, 0.75, 0.75])  # the third epoch is begun twice
    killed_after(tuning, 2)
    done = carried(tuning)
    kept = load_file(store.local_path(done.weights_id))
    best = weights_of(states[2])
    assert done.accuracy == 0.75
    assert all(torch.equal(kept[name], part) for name, part in best.items())
    last = weights_of(states[3])
    assert not all(torch.equal(kept[name], part) for name, part in last.items())


@pytest.mark.parametrize("call", [1, 2, 3])
def test_what_a_worker_leaves_that_dies_before_it_drops_a_state_is_swept(
    snapshot: Snapshot, call: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken, tuning = carried(tune(snapshot, epochs=2)), tune(snapshot, epochs=2)
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


def test_an_epoch_that_is_not_recorded_lets_nothing_go(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = tune(snapshot, epochs=3)
    killed_after(tuning, 1)
    Tuning.objects.filter(pk=tuning.pk).update(cancel_requested=True)
    execute_here(tuning)
    tuning.refresh_from_db()
    assert (tuning.status, with_a_state(tuning)) == ("cancelled", [1])
