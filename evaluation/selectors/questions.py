"""The questions of an evaluation: facets, subsets and the sets that systems share."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy
import scipy
from django.db.models import Count, F, Func, Q, QuerySet, Sum

from corpora.core.bundle.codec import from_json
from corpora.core.items import Item
from corpora.models import Release
from corpora.selectors import Labelled, labelled, labelled_of_release
from evaluation.core.facets import FacetCounts, Pattern, agreement_of, count_facets
from evaluation.models import ArtifactDetection
from evaluation.selectors.answers import in_words
from evaluation.selectors.memberships import Bit, Source, members_of
from evaluation.selectors.question_list import FACETS, RELEASE, RUN, QuestionList
from filtering.models import Encoding, FilterRun
from winoplatform.db import locks
from winoplatform.processes import shared_cache
from winoplatform.runs.code import code_sha256
from winoplatform.runs.models import RunStatus
from workers.models import User

DEV = "dev"


def to_examine(run: ArtifactDetection) -> Labelled:
    """Return the labelled questions in which *run* looks for artifacts; none of a blind split."""
    if run.release is None:
        return labelled(run)
    labelled_set = labelled_of_release(run.release, DEV)
    parts = {"train": labelled_set.train, "dev": labelled_set.items}
    items = parts.get(run.split, labelled_set.train + labelled_set.items)
    return Labelled(items, [], {item.id: labelled_set.origins[item.id] for item in items})


def encodings_for(run: ArtifactDetection) -> QuerySet[Encoding]:
    """Return the encodings that have, or will have, every question that *run* can examine.

    Those of the snapshot without a tuning, whose questions are not encoded, and the one that a
    release was filtered with. None for a reference set.
    """
    snapshot = run.snapshot if run.release is None else run.release.snapshot
    complete = Q(tuning=None)
    if run.release is not None and run.release.selection is not None:
        complete |= Q(filter_runs__selection=run.release.selection)
    rows = Encoding.objects.filter(complete, snapshot=snapshot, snapshot__isnull=False)
    return rows.exclude(status__in=Encoding.RESUMABLE).distinct().order_by("-pk")


T = TypeVar("T")
WAIT_SECONDS = 15.0
CODE = ("evaluation", "training", "corpora/core", "stats")
"""Where the code is that makes the figures from the files."""


def shared(kind: Any, name: str, make: Callable[[], T]) -> T:
    """Return what is stored under *name* and this version of the code, or what *make* makes.

    Of processes that need it at the same time one makes it and the others wait; after 15 seconds,
    or without Redis, they make it themselves.

    Parameters
    ----------
    kind : type
        Of the result, for `from_json`.
    name : str
        Hashes of the files that the result follows from; no content.
    """
    full = f"{code_sha256(*CODE)} {numpy.__version__} {scipy.__version__} {name}"

    def look_up() -> T | None:
        stored = shared_cache.get(full)
        try:
            return None if stored is None else from_json(kind, stored.decode())
        except ValueError:
            return None

    def compute() -> T:
        result = make()
        shared_cache.put(full, as_json(result))
        return result

    result = locks.once(full, found=look_up, make=compute, seconds=WAIT_SECONDS)
    return compute() if result is None else result


def as_json(result: Any) -> bytes:
    """Return a result of dataclasses, tuples, and numbers of Python or NumPy as JSON."""
    return json.dumps(result, default=_plain).encode()


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else asdict(value)


MOST_VALUES = 6  # of an entry that is a category; more would be names or texts


@dataclass(frozen=True, slots=True)
class Subset:
    """The questions with one value of a metadata entry; ``name`` is used in addresses."""

    key: str
    value: Any
    n: int

    @property
    def name(self) -> str:
        return f"{self.key}={_text(self.value)}"

    @property
    def title(self) -> str:
        """The entry in words: ``associative``, ``not associative``, ``type 1``."""
        key = in_words(self.key)
        if isinstance(self.value, bool):
            return key if self.value else f"not {key}"
        return f"{key} {_text(self.value)}"

    def rows(self, items: Sequence[Item]) -> list[int]:
        """Return the rows of the items that are in the subset."""
        return [n for n, item in enumerate(items) if _is(item.metadata.get(self.key), self.value)]


def subsets_of(items: Sequence[Item]) -> list[Subset]:
    """Return the subsets of a set by the metadata that are true or false, or a category.

    An entry is a category if it has 2 to `MOST_VALUES` different short values. An entry that all
    items have with one value distinguishes nothing, and is left out.
    """
    counts: dict[str, Counter[Any]] = {}
    for item in items:
        for key, value in item.metadata.items():
            if isinstance(value, bool | int | str) and len(str(value)) <= 40:
                counts.setdefault(key, Counter())[(type(value).__name__, value)] += 1
    return [
        Subset(key, value, n)
        for key, n_of_set in counts.items()
        if len(n_of_set) <= MOST_VALUES and max(n_of_set.values()) < len(items)
        for (_, value), n in sorted(n_of_set.items(), key=lambda pair: str(pair[0]), reverse=True)
        if n > 1
    ]


def _is(stored_value: Any, value: Any) -> bool:
    # In Python 1 == True: an entry that is sometimes a number must not be in the wrong subset.
    return type(stored_value) is type(value) and stored_value == value


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


ON_REQUEST = ("writer", "validator", "anchor")
"""Facets with many values: each is counted by a query of its own, if it is asked for."""
IN_ONE_PASS = tuple(facet for facet in FACETS if facet not in ON_REQUEST)
NEWEST = 4
"""The runs and releases that are counted, beside the chosen ones."""
VALUES_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Facets:
    """The questions of a list counted by facets, and the runs and releases that are among them."""

    counted: FacetCounts
    runs: Mapping[str, FilterRun]
    releases: Mapping[str, Release]


def facets_of(questions: QuestionList) -> Facets:
    """Count all facets but those ``ON_REQUEST``, of a list in one campaign.

    The numbers of a facet count what matches the choices in all other facets.
    """
    runs, releases = _runs(questions), _releases(questions)
    sets: list[tuple[str, str, Source]] = [(RUN, name, run.selection) for name, run in runs.items()]
    sets += [(RELEASE, name, release) for name, release in releases.items()]
    members = members_of([source for _, _, source in sets])
    chosen = questions.asked.choices()
    facets = [facet for facet in (RUN, RELEASE) if facet in chosen]
    rows = (
        questions.facts(but=IN_ONE_PASS)
        .annotate(**{f"in_{facet}": questions.in_chosen(facet) for facet in facets})
        .values_list(
            "state", "reasons", "n_right", "n_votes", "domain", *(f"in_{facet}" for facet in facets)
        )
        .annotate(
            n=Count("*"),
            **{f"n_{at}": Sum(Bit(ids)) for at, ids in enumerate(members)},
        )
    )
    names = [(facet, name) for facet, name, _ in sets]
    counted = count_facets((_pattern(row, facets, names) for row in rows), chosen)
    return Facets(counted, runs, releases)


def _pattern(row: Any, facets: list[str], names: list[tuple[str, str]]) -> Pattern:
    state, reasons, n_right, n_votes, domain, *rest = row
    members: dict[str, dict[str, int]] = {}
    for (facet, name), n in zip(names, rest[len(facets) + 1 :], strict=True):
        members.setdefault(facet, {})[name] = n
    return Pattern(
        values={
            "verdict": [state],
            "reason": reasons,
            "agreement": [agreement_of(n_right, n_votes)],
            "domain": [domain],
        },
        n=rest[len(facets)],
        members=members,
        in_chosen={facet: bool(n) for facet, n in zip(facets, rest, strict=False)},
    )


def _runs(questions: QuestionList) -> dict[str, FilterRun]:
    rows = FilterRun.objects.filter(
        encoding__snapshot__campaign=questions.campaign, status=RunStatus.DONE
    )
    newest = rows.select_related("selection__kept").order_by("-pk")[:NEWEST]
    return {str(run.public_id): run for run in newest} | questions.runs


def _releases(questions: QuestionList) -> dict[str, Release]:
    rows = Release.objects.filter(snapshot__campaign=questions.campaign, status=RunStatus.DONE)
    return {each.name: each for each in rows.order_by("-pk")[:NEWEST]} | questions.releases


def count_values(questions: QuestionList, facet: str) -> dict[str, int]:
    """Count the values of a facet that is counted ``ON_REQUEST``, the most frequent first."""
    rows = questions.facts(but=[facet])
    if facet == "anchor":
        return dict(_largest(rows.exclude(anchor=""), F("anchor")))
    key = F("author_id") if facet == "writer" else Func(F("validators"), function="unnest")
    counts = _largest(rows, key)
    names = User.objects.in_bulk([value for value, _ in counts if value is not None])
    return {names[value].public_id: n for value, n in counts if value in names}


def _largest(rows: Any, key: Any) -> list[tuple[Any, int]]:
    counts = rows.annotate(value=key).values_list("value").annotate(n=Count("*"))
    return list(counts.order_by("-n", "value")[:VALUES_SHOWN])
