"""Random reduction and PMI filtering as runs: to the size of a reference, with AFLite's record."""

import json
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError

from filtering import selectors, services
from filtering.models import Assessment, Encoding, FilterRun
from tests.factories import UserFactory
from tests.filtering.stages import (
    Killed,
    carried,
    contents,
    encoding_of,
    frozen,
    kill_after,
    leaking,
    lease_ends,
    read,
    release_of,
)
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

QUESTIONS = frozen(pairs=40, unpaired=10)
AFLITE: dict[str, Any] = {"stop": "published", "n": 5, "m": 40, "k": 8, "seed": 3}


@pytest.fixture
def encoding() -> Encoding:
    return encoding_of(QUESTIONS, leaking(QUESTIONS))


@pytest.fixture
def reference(encoding: Encoding) -> FilterRun:
    return carried(services.start_filter_run(encoding=encoding, by=None, **AFLITE))


def control(encoding: Encoding, **parameters: Any) -> FilterRun:
    return services.start_filter_run(encoding=encoding, by=None, **parameters)


@pytest.mark.long
def test_a_control_keeps_as_many_as_its_reference_under_its_seed_and_policy(
    encoding: Encoding, reference: FilterRun
) -> None:
    run = carried(control(encoding, method="random", reference=reference))
    assert reference.n_kept - 1 <= run.n_kept <= reference.n_kept
    assert (run.seed, run.removal, run.stop_reason) == (3, "together", "size_reached")
    assert read(run.selection.kept) != read(reference.selection.kept)


def test_a_control_is_one_phase_that_predicts_nothing(encoding: Encoding) -> None:
    run = carried(control(encoding, method="pmi", pmi_score="signed", size=30))
    phase = run.steps.get()
    rows, correct, held_out, removed = store.load_array(phase.arrays)
    assert (phase.n_before, phase.n_removed, phase.n_left) == (90, 60, 30)
    assert (phase.accuracy, phase.histogram) == (None, [])
    assert not correct.any()
    assert not held_out.any()
    kept = [QUESTIONS[row].id for row in rows[removed == 0]]
    assert read(run.selection.kept).split() == kept


def test_it_waits_for_its_reference_and_fails_with_it(encoding: Encoding) -> None:
    reference = services.start_filter_run(encoding=encoding, by=None, **AFLITE)
    run = control(encoding, method="random", reference=reference)
    execute_here(run)
    run.refresh_from_db()
    assert run.status == RunStatus.QUEUED
    FilterRun.objects.filter(pk=reference.pk).update(status=RunStatus.FAILED)
    execute_here(run)
    run.refresh_from_db()
    assert (run.status, "has failed" in run.failure) == (RunStatus.FAILED, True)


def test_killed_before_its_end_it_ends_with_the_same_bytes(
    encoding: Encoding, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = carried(control(encoding, method="pmi", pmi_score="maximum", size=30))
    run = control(encoding, method="pmi", pmi_score="maximum", size=30)
    with monkeypatch.context() as patch:
        kill_after(patch, 0)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    assert carried(run).selection.kept_id == unbroken.selection.kept_id


@pytest.mark.long
def test_all_controls_of_a_run_are_asked_for_at_once_and_only_those_missing(
    encoding: Encoding, reference: FilterRun
) -> None:
    control(encoding, method="random", reference=reference)
    runs = services.start_controls(run=reference, by=None)
    assert [run.pmi_score for run in runs] == ["signed", "absolute", "maximum", "pairs"]
    with pytest.raises(DomainError, match="already has all its baselines"):
        services.start_controls(run=reference, by=None)
    reference.controls.filter(method="random").update(status=RunStatus.FAILED)
    assert [run.method for run in services.start_controls(run=reference, by=None)] == ["random"]


def test_a_run_without_a_result_gets_no_controls(encoding: Encoding, reference: FilterRun) -> None:
    FilterRun.objects.filter(pk=reference.pk).update(status=RunStatus.CANCELLED)
    reference.refresh_from_db()
    with pytest.raises(DomainError, match="was cancelled, so it has no size"):
        services.start_controls(run=reference, by=None)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"method": "random"}, "needs either a reference run or a size"),
        ({"size": 30}, "AFLite takes neither"),
        ({"method": "pmi", "size": 30}, "PMI filtering needs a score"),
        ({"method": "random", "size": 30, "pmi_score": "pairs"}, "nothing else has one"),
        ({"method": "random", "size": 91}, "cannot keep 91 questions: the encoding has 90"),
        ({"method": "luck", "size": 30}, "method"),
    ],
)
def test_what_is_no_control_is_refused_with_a_sentence(
    encoding: Encoding, changes: dict[str, Any], sentence: str
) -> None:
    with pytest.raises((ValidationError, DomainError), match=sentence):
        control(encoding, **changes)
    assert not Assessment.objects.exists()


def test_a_reference_is_a_run_of_aflite_over_the_same_encoding(
    encoding: Encoding, reference: FilterRun
) -> None:
    elsewhere = encoding_of(QUESTIONS, leaking(QUESTIONS, every=2))
    with pytest.raises(DomainError, match="another encoding"):
        control(elsewhere, method="random", reference=reference)
    random = control(encoding, method="random", size=30)
    with pytest.raises(DomainError, match="is a baseline"):
        control(encoding, method="random", reference=random)


def test_the_same_control_is_known_whatever_aflites_settings_say(encoding: Encoding) -> None:
    control(encoding, method="random", size=30, n=5, m=40)
    with pytest.raises(ValidationError, match="under way already"):
        control(encoding, method="random", size=30, tau=0.9)


@pytest.mark.long
def test_a_release_of_a_control_says_how_it_was_made(
    encoding: Encoding, reference: FilterRun
) -> None:
    run = carried(control(encoding, method="pmi", pmi_score="pairs", reference=reference))
    release = release_of(run, "control")
    execute_here(release)
    said = json.loads(contents(release)["manifest.json"])["selection"]["filter"]
    assert (said["method"], said["pmi_score"], said["pmi_smoothing"]) == ("pmi", "pairs", 100)
    assert (said["size"], said["seed"]) == (reference.n_kept, 3)
    assert said["reference_kept_sha256"] == reference.selection.kept_id
    assert "tau" not in said


def test_a_control_says_nothing_of_a_campaigns_filter_results(
    encoding: Encoding, reference: FilterRun
) -> None:
    services.choose_run(run=reference, by=UserFactory(curator=True))
    carried(control(encoding, method="random", size=30))
    assert selectors.chosen_run(encoding.snapshot.campaign) == reference
    assert np.isin(read(reference.selection.kept).split(), [q.id for q in QUESTIONS]).all()
