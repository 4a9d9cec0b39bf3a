"""Evaluations of the same questions, beside one another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, F, FloatField, IntegerField, Max, QuerySet
from django.db.models.fields.json import KT, KeyTransform
from django.db.models.functions import Cast

from evaluation.core.comparison import MARGIN
from evaluation.core.side_by_side import Figures, SideBySide, side_by_side
from evaluation.models import Evaluation, FineTuning
from evaluation.selectors.answers import in_words, key_of, scored_items, scores_of
from evaluation.selectors.questions import Subset, shared, subsets_of
from evaluation.selectors.visibility import evaluations_visible_to
from winoplatform.errors import DomainError
from winoplatform.ids import as_uuid
from winoplatform.runs.models import RunStatus
from workers.models import User

FIELDS = {"release": "release__name", "reference-set": "reference_set__name"}
FIELDS |= {"snapshot": "snapshot__public_id"}
# What distinguishes systems, besides the seed. The hashes: a name may mean other weights later,
# and other code may score the same options differently.
SYSTEM = (
    *("model", "method", "variant", "dtype", "encoding_id", "system_name", "member_ids"),
    *("weights_sha256", "config_sha256", "revision", "code_version"),
)
# What distinguishes fine-tuned models, besides the seed.
TRAINED = (
    *("release_id", "reference_set_id", "train_split", "size", "transformation"),
    *(name for name in FineTuning.SETTINGS if name != "seed"),
    *("dev_release_id", "dev_reference_set_id", "dev_split", "keep", "patience"),
    *("config_sha256", "revision", "code_version", "model"),
)
ACCURACY = Cast(KT("metrics__accuracy__value"), FloatField())
ESTIMATE = KeyTransform("accuracy", "metrics")
N_ANSWERED = Cast(KT("metrics__accuracy__n"), IntegerField())


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable:
    """Questions that evaluations scored: a set, its split and a transformation.

    ``kind`` is 'release', 'reference-set' or 'snapshot'; ``name`` is the name of the set, or the
    snapshot's id. ``title`` is for people. ``best`` is the highest accuracy of those evaluations
    that dropped the fewest questions, with its interval and n, as an evaluation stores it.
    """

    kind: str
    name: str
    title: str
    split: str
    transformation: str
    data_sha256: str
    n_evaluations: int
    best: Mapping[str, Any]
    latest: datetime

    @property
    def label(self) -> str:
        return " · ".join(filter(None, [self.title, self.split, in_words(self.transformation)]))


def comparable(user: User, **which: Any) -> "QuerySet[Evaluation, dict[str, Any]]":
    """Return the questions that finished evaluations have scored, latest evaluation first.

    Each row has what `as_comparable` needs.
    """
    rows = evaluations_visible_to(user).filter(status=RunStatus.DONE, **which).order_by()
    rows_of_sets: QuerySet[Evaluation, dict[str, Any]] = rows.values(
        *FIELDS.values(), "snapshot__campaign__name", "reference_set__title",
        "split", "transformation", "data_sha256",
    ).annotate(
        n_evaluations=Count("pk"),
        accuracies=ArrayAgg(ESTIMATE, order_by=[N_ANSWERED.desc(), ACCURACY.desc()]),
        latest=Max("ended_at"),
    ).order_by(F("latest").desc(), "data_sha256")  # fmt: skip
    return rows_of_sets


def as_comparable(row: Mapping[str, Any]) -> Comparable:
    """Return a row of `comparable` as an object."""
    kind = next(kind for kind, field in FIELDS.items() if row[field] is not None)
    name = str(row[FIELDS[kind]])
    title = row["reference_set__title"] or name
    if kind == "snapshot":
        title = f"{row['snapshot__campaign__name']} {name[:8]}"
    same = ("split", "transformation", "data_sha256", "n_evaluations", "latest")
    return Comparable(
        kind=kind,
        name=name,
        title=title,
        best=row["accuracies"][0],
        **{column: row[column] for column in same},
    )


def find_comparable(
    user: User, kind: str, name: str, split: str, *, transformation: str = "", data: str = ""
) -> tuple[Comparable, list[Comparable]]:
    """Return the questions of an address that *user* may see, and other versions of them.

    Versions differ in the questions that the transformation made. Without *data*, the hash of a
    version, it is the one evaluated last.

    Raises
    ------
    DomainError
        When there are none.
    """
    rows = []
    if kind in FIELDS and (kind != "snapshot" or as_uuid(name)):
        which = {FIELDS[kind]: name, "split": split, "transformation": transformation}
        rows = [as_comparable(row) for row in comparable(user, **which)]
    matching = [row for row in rows if data in ("", row.data_sha256)]
    if not matching:
        message = "There is no finished evaluation of these questions, or it is not visible to you."
        raise DomainError("not_found", message, status=404)
    return matching[0], [row for row in rows if row != matching[0]]


def evaluations_of(user: User, found: Comparable) -> "QuerySet[Evaluation, Any]":
    """Return the finished evaluations of some questions that *user* may see, newest first."""
    return with_systems(
        evaluations_visible_to(user).filter(
            status=RunStatus.DONE,
            split=found.split,
            transformation=found.transformation,
            data_sha256=found.data_sha256,
            **{FIELDS[found.kind]: found.name},
        )
    )


def with_systems(rows: "QuerySet[Evaluation, Any]") -> "QuerySet[Evaluation, Any]":
    """Return evaluations, newest first, with what distinguishes their systems."""
    return (
        rows.select_related("release__snapshot", "reference_set", "snapshot", "encoding")
        .select_related("fine_tuning__release", "fine_tuning__reference_set", "fine_tuning__before")
        .annotate(member_ids=ArrayAgg("members", default=None, order_by="members"))
        .order_by("-pk")
    )


@dataclass(frozen=True, slots=True)
class System:
    """A model, method and variant with one evaluation per seed.

    ``n_earlier`` counts older evaluations of the same system and seed, which are not shown.
    ``code`` tells it from systems of the same name: what only its code version has.
    """

    runs: tuple[Evaluation, ...]
    n_earlier: int
    figures: Figures
    code: str = ""

    @property
    def newest(self) -> Evaluation:
        return max(self.runs, key=lambda run: run.pk)

    @property
    def name(self) -> str:
        """The system in words, with its code version if another one has the same name."""
        code = f"code {self.code}" if self.code else ""
        return " · ".join(filter(None, [_name(self.newest), code]))

    @property
    def n_collapsed(self) -> int:
        """Seeds whose accuracy cannot be told from that of a system that learned nothing."""
        spread = self.figures.seeds
        return sum(run.collapsed for run in spread.runs) if spread else 0

    @property
    def detectable(self) -> float | None:
        """The accuracy at which 80 % of seeds are told from such a system; None if all were."""
        runs = self.figures.seeds.runs if self.figures.seeds else ()
        return max((run.detectable or 1.0 for run in runs if run.collapsed), default=None)

    @property
    def seeds(self) -> tuple[int, ...]:
        return tuple(run.system_seed for run in self.runs)


@dataclass(frozen=True, slots=True)
class Compared:
    """Systems on the same questions, the most accurate first."""

    systems: tuple[System, ...]
    subsets: tuple[Subset, ...]
    subset: Subset | None
    about: SideBySide


def compared(runs: Sequence[Evaluation], *, subset: str = "", margin: float = MARGIN) -> Compared:
    """Compare evaluations of the same questions, newest first.

    Parameters
    ----------
    runs : sequence of Evaluation, at least one
        As from `evaluations_of`.
    subset : str
        The name of one of the set's subsets, or empty for all questions.
    margin : float in (0, 1)
        Of the tests of equivalence.

    Raises
    ------
    DomainError
        When the set has no such subset, or the questions are not those that were scored.
    """
    subsets = {choice.name: choice for choice in _subsets(_CacheKey((key_of(runs[0]),), (runs,)))}
    if subset and subset not in subsets:
        raise DomainError("no_such_subset", f"There is no subset “{subset}”.", status=404)
    chosen = subsets.get(subset)
    grouped = _systems(runs)
    means = figures_of([of_seeds for of_seeds, _ in grouped], chosen, margin)
    codes = _codes([of_seeds[0] for of_seeds, _ in grouped])
    systems = [
        System(of_seeds, n_earlier, figures, code)
        for (of_seeds, n_earlier), figures, code in zip(grouped, means.systems, codes, strict=True)
    ]
    systems.sort(key=lambda system: -(system.figures.accuracy.value or 0))
    return Compared(tuple(systems), tuple(subsets.values()), chosen, means)


def figures_of(
    systems: Sequence[Sequence[Evaluation]], subset: Subset | None, margin: float
) -> SideBySide:
    """Return the figures of systems; computed once, as evaluations never change."""
    return _figures(_CacheKey.of(systems, subset, margin))


@dataclass(frozen=True, slots=True)
class _CacheKey:
    """What is compared, equal to the same predictions of the same questions with the same choices.

    The key has hashes of files and no content: it names what all processes share.
    """

    key: tuple[Any, ...]
    systems: Sequence[Sequence[Evaluation]] = field(compare=False)
    subset: Subset | None = None
    margin: float = MARGIN

    @classmethod
    def of(
        cls, systems: Sequence[Sequence[Evaluation]], subset: Subset | None, margin: float
    ) -> "_CacheKey":
        predictions = (tuple(run.predictions_id for run in runs) for runs in systems)
        return cls((key_of(systems[0][0]), *predictions), systems, subset, margin)

    @property
    def name(self) -> str:
        return f"{self.key} {self.subset and self.subset.name} {self.margin}"


@lru_cache(maxsize=64)
def _subsets(key: _CacheKey) -> tuple[Subset, ...]:
    def compute() -> tuple[Subset, ...]:
        return tuple(subsets_of(scored_items(key.systems[0][0]).items))

    return shared(tuple[Subset, ...], f"subsets {key.name}", compute)


@lru_cache(maxsize=64)
def _figures(key: _CacheKey) -> SideBySide:
    return shared(SideBySide, f"figures {key.name}", partial(_computed, key))


def _computed(key: _CacheKey) -> SideBySide:
    scored = scored_items(key.systems[0][0])
    rows = key.subset.rows(scored.items) if key.subset else range(len(scored.items))
    scores = [
        [[found[n] for n in rows] for found in (scores_of(run, scored.items) for run in runs)]
        for runs in key.systems
    ]
    items = [scored.items[n] for n in rows]
    return side_by_side(items, scores, groups_before=scored.groups_before, margin=key.margin)


def newest_of_seeds(runs: Sequence[Evaluation]) -> list[Evaluation]:
    """Return the newest evaluation of each system and seed, of runs from `with_systems`."""
    return [run for of_seeds, _ in _systems(runs) for run in of_seeds]


def _systems(runs: Sequence[Evaluation]) -> list[tuple[tuple[Evaluation, ...], int]]:
    """Group evaluations by system: the newest of each seed, and the number of the others."""
    systems: dict[str, list[Evaluation]] = {}
    for run in runs:
        systems.setdefault(str(_identity(run)), []).append(run)
    grouped = []
    for same in systems.values():
        newest = {run.system_seed: run for run in reversed(same)}
        of_seeds = tuple(newest[seed] for seed in sorted(newest))
        grouped.append((of_seeds, len(same) - len(newest)))
    return grouped


def _identity(run: Evaluation) -> list[Any]:
    """Return what tells a system from others; a fine-tuned model's weights differ by its seed."""
    if run.fine_tuning is None:
        return [getattr(run, name) for name in SYSTEM]
    trained = [[getattr(tuning, name) for name in TRAINED] for tuning in run.fine_tuning.chain]
    return [run.method, run.dtype, run.code_version, *trained]


def _name(run: Evaluation) -> str:
    """Return a system in words, with its dtype if it is not the usual one."""
    dtype = "" if run.dtype == Evaluation.Dtypes.FLOAT32 else run.dtype
    return " · ".join(filter(None, [run.system, dtype]))


def _codes(runs: Sequence[Evaluation]) -> list[str]:
    """Return what tells the code version of each system from others of the same name."""
    parts = [run.code_version.split() for run in runs]
    shared = {
        name: set.intersection(*(set(p) for run, p in zip(runs, parts, strict=True)
                                 if _name(run) == name))
        for name in map(_name, runs)
    }  # fmt: skip
    return [
        " ".join(part for part in scores if part not in shared[_name(run)])
        for run, scores in zip(runs, parts, strict=True)
    ]
