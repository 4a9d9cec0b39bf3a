"""Comparison of several filter runs over one encoding."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, count, islice
from typing import Any

from django.db.models import QuerySet

from filtering.core.comparing import Agreement, Outcome, Stability, compare, stability
from filtering.models import AFLITE_SETTINGS, CONTROL_SETTINGS, FilterRun
from winoplatform.artifacts import store
from winoplatform.errors import Conflict, DomainError, NotFound
from winoplatform.models import Artifact
from winoplatform.runs.models import RunStatus

RUNS_AT_MOST = 12
SETTINGS = ("method", *AFLITE_SETTINGS, *[n for n in CONTROL_SETTINGS if n != "method"])
CONTROLS_GO_BY = ("method", "seed", "removal", "pmi_score", "reference", "size")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of the runs compared, by their indices in the list."""

    a: int
    b: int
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class SeedGroup:
    """Indices of runs that differ only in the seed, and how stable their results are."""

    runs: tuple[int, ...]
    stability: Stability


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several runs over the same questions.

    Parameters
    ----------
    n_rows : int
        Questions at the start of each run.
    differing : tuple of str
        Settings in which the runs differ.
    pairs : tuple of Pair
    seeds : tuple of SeedGroup
    """

    runs: tuple[FilterRun, ...]
    n_rows: int
    differing: tuple[str, ...]
    pairs: tuple[Pair, ...]
    seeds: tuple[SeedGroup, ...]


def goes_by(run: FilterRun) -> tuple[str, ...]:
    """Return the settings that apply to a run's method and stopping rule."""
    if run.method != FilterRun.Method.AFLITE:
        return CONTROLS_GO_BY
    names = ("method", *AFLITE_SETTINGS)
    is_neutral = run.stop == FilterRun.Stop.NEUTRAL
    return tuple(name for name in names if name != "tau") if is_neutral else names


def differing(runs: Sequence[FilterRun]) -> tuple[str, ...]:
    """Return the settings in which runs differ, comparing only runs to which a setting applies."""
    return tuple(
        name
        for name in SETTINGS
        if len({getattr(run, name) for run in runs if name in goes_by(run)} - {None, ""}) > 1
    )


def siblings(run: FilterRun) -> "QuerySet[FilterRun]":
    """Return the runs with the same encoding and settings and any seed, including *run*."""
    same = {name: getattr(run, name) for name in SETTINGS if name != "seed"}
    return FilterRun.objects.filter(encoding=run.encoding, **same)


def unused_seeds(run: FilterRun, number: int) -> list[int]:
    """Return the smallest seeds that no sibling of *run* has."""
    used = set(siblings(run).values_list("seed", flat=True))
    return list(islice((seed for seed in count(1) if seed not in used), number))


def runs_to_compare(ids: Sequence[uuid.UUID]) -> tuple[FilterRun, ...]:
    """Return the runs with these public ids, in the given order, without duplicates.

    Raises
    ------
    DomainError
        When there are fewer than two or too many, one does not exist or is not done, or they
        are not over one encoding.
    """
    wanted = list(dict.fromkeys(ids))
    if len(wanted) < 2:
        raise DomainError("too_few_runs", "Choose at least two runs.")
    if len(wanted) > RUNS_AT_MOST:
        raise DomainError("too_many_runs", f"Choose at most {RUNS_AT_MOST} runs.")
    rows = FilterRun.objects.select_related(
        "encoding__snapshot__campaign", "encoding__tuning", "reference", "selection", "created_by"
    )
    rows = rows.filter(public_id__in=wanted).prefetch_related("steps")
    by_id = {row.public_id: row for row in rows}
    if len(by_id) < len(wanted):
        raise NotFound("filter run")
    runs = tuple(by_id[id] for id in wanted)
    _refuse_unlike(runs)
    return runs


def _refuse_unlike(runs: tuple[FilterRun, ...]) -> None:
    if len({run.encoding_id for run in runs}) > 1:
        raise Conflict(
            "other_encoding",
            "Only runs over one encoding can be compared: other encodings have other questions or "
            "other features.",
        )
    if open_ones := [run for run in runs if run.status != RunStatus.DONE]:
        raise Conflict(
            "run_not_done", f"Only runs that are done can be compared; {open_ones[0]} is not."
        )


def compare_runs(runs: tuple[FilterRun, ...]) -> Comparison:
    """Compare all pairs of runs returned by ``runs_to_compare``."""
    keys = [_Key.of(run) for run in runs]
    return Comparison(
        runs=runs,
        n_rows=runs[0].encoding.n_questions or 0,
        differing=differing(runs),
        pairs=tuple(
            Pair(a, b, _agreement(keys[a], keys[b])) for a, b in combinations(range(len(runs)), 2)
        ),
        seeds=tuple(_seed_groups(runs, keys)),
    )


@dataclass(frozen=True, slots=True)
class _Key:
    """Cache key of a finished run's outcome, which never changes."""

    public_id: uuid.UUID
    n_rows: int
    arrays: tuple[str, ...]  # SHA-256, of each phase

    @classmethod
    def of(cls, run: FilterRun) -> "_Key":
        arrays = tuple(phase.arrays_id for phase in run.steps.all())
        return cls(run.public_id, run.encoding.n_questions or 0, arrays)


# With ranks, 2 MB per run for 47,000 questions, 45 MB for a million.
@lru_cache(maxsize=RUNS_AT_MOST)
def _outcome(key: _Key) -> Outcome:
    phases: Any = (store.load_array(Artifact(sha256=sha256)) for sha256 in key.arrays)
    return Outcome.of(key.n_rows, phases)


@lru_cache(maxsize=1024)
def _agreement(a: _Key, b: _Key) -> Agreement:
    return compare(_outcome(a), _outcome(b))


@lru_cache(maxsize=64)
def _stability(keys: tuple[_Key, ...]) -> Stability:
    return stability([_outcome(key).kept for key in keys])


def _seed_groups(runs: Sequence[FilterRun], keys: Sequence[_Key]) -> Iterator[SeedGroup]:
    groups: dict[tuple[Any, ...], list[int]] = {}
    for place, run in enumerate(runs):
        same = tuple(getattr(run, name) for name in SETTINGS if name != "seed")
        groups.setdefault(same, []).append(place)
    for places in groups.values():
        if len({runs[place].seed for place in places}) > 1:
            yield SeedGroup(tuple(places), _stability(tuple(keys[place] for place in places)))
