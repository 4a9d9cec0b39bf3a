"""Executes assessments, one kind of evidence after another."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA

from corpora.core.items import TwinItem
from corpora.selectors import kept_ids
from filtering import provenance, selectors
from filtering.core.contrasts import contrast
from filtering.core.divergence import (
    bin_edges,
    bins_of,
    label_divergence,
    reduced_divergence,
)
from filtering.core.examples import choose_examples, twin_results
from filtering.core.filter_results import FORMAT, canonical, plain
from filtering.core.pmi import SMOOTHING as PMI_SMOOTHING
from filtering.core.probes import ProbeKind
from filtering.core.surface import FEATURES, LEAST_COUNT, leaning_words, surface
from filtering.core.table import fit_axes, project
from filtering.models import Assessment, AssessmentPart
from filtering.runner.filter_runs import probed
from stats.intervals import Estimate
from stats.keys import priorities
from winoplatform.artifacts import store
from winoplatform.runs import attempts
from winoplatform.runs.attempts import Attempt

POINTS = 2000
POINT_DIGITS = 4

Bools = NDArray[np.bool_]
Figures = dict[str, Any]


@dataclass(frozen=True)
class Material:
    """Input of all parts: the encoded questions, their features, and which are kept."""

    run: Assessment
    questions: list[TwinItem]

    @cached_property
    def features(self) -> NDArray[Any]:
        assert self.run.filter_run.encoding.matrix is not None
        return store.load_array(self.run.filter_run.encoding.matrix)

    @cached_property
    def kept_mask(self) -> Bools:
        stays = kept_ids(self.run.filter_run.selection)
        return np.array([question.id in stays for question in self.questions], dtype=bool)

    @cached_property
    def first(self) -> Bools:
        """True where the answer is option 1 (n,)."""
        return np.array([question.answer == 1 for question in self.questions], dtype=bool)

    @cached_property
    def units(self) -> NDArray[np.intp]:
        """The same number for the questions of a twin (n,)."""
        return np.unique(self.twins, return_inverse=True)[1]

    @cached_property
    def axes(self) -> PCA:
        return fit_axes(self.features)

    @cached_property
    def places(self) -> NDArray[np.float64]:
        """The questions on the axes of the whole set (n, 1 or 2)."""
        return project(self.axes, self.features)

    @cached_property
    def ids(self) -> list[str]:
        return [question.id for question in self.questions]

    @cached_property
    def twins(self) -> list[str]:
        return [question.group for question in self.questions]


def assessment(attempt: Attempt[Assessment]) -> None:
    run = attempt.run
    material = Material(run, selectors.encoded_questions(run.filter_run.encoding))
    done = len(attempts.steps_done(AssessmentPart.objects.filter(run=run)))
    attempt.report(done, total=len(PARTS), activity="reading the questions")
    for number, (name, part) in islice(enumerate(PARTS.items(), 1), done, None):
        attempt.report(number - 1, activity=ACTIVITIES[name])
        start = time.monotonic()
        figures = plain({"format": FORMAT, **part(material, attempt)})
        step = AssessmentPart(run=run, number=number, name=name, figures=figures)
        step.seconds = time.monotonic() - start
        attempt.record(step, done=number)
    attempt.finish(
        report=store.put_bytes(canonical(_report(run))),
        places=store.put_array(material.places.astype(np.float32)),
    )


def _report(run: Assessment) -> Figures:
    """Join the stored parts, with content hashes of their inputs."""
    filtered = run.filter_run
    return {
        "format": FORMAT,
        "filter_run": str(filtered.public_id),
        "settings": provenance.filter_settings(filtered),
        "kept_sha256": filtered.selection.kept_id,
        "matrix_sha256": filtered.encoding.matrix_id,
        "questions_sha256": filtered.encoding.snapshot.questions_id,
        "seed": run.seed,
        "warnings": filtered.warnings,
        "parts": {part.name: part.figures for part in run.steps.order_by("number")},
    }


def _results(material: Material, attempt: Attempt[Assessment]) -> Figures:
    run = material.run.filter_run
    facts = ("number", "n_before", "n_removed", "eligible", "tied_at_cutoff", "never_held_out")
    return {
        "n": len(material.questions),
        "kept": int(material.kept_mask.sum()),
        "stop_reason": run.stop_reason,
        "phases": list(run.steps.order_by("number").values(*facts, "accuracy")),
        "twins": twin_results(material.twins, material.kept_mask),
        "repeats": run.repeats,
    }


def _projection(material: Material, attempt: Attempt[Assessment]) -> Figures:
    """Project both sets on axes of the whole set; also use an axis fitted to the kept set only.

    For the whole set, also estimate the divergence after random reduction to the number of
    questions kept.
    """
    places = material.places
    edges = bin_edges(places[:, 0])
    everyone = np.ones(len(places), dtype=bool)
    sets = {
        name: _figures(material, places, edges, among)
        for name, among in {"all": everyone, "kept": material.kept_mask}.items()
        if among.any()
    }
    if "kept" in sets:
        sets["all"]["reduced"] = reduced_divergence(
            places[:, 0],
            material.first,
            material.units,
            n=int(material.kept_mask.sum()),
            seed=material.run.seed,
        )
    return {
        "explained": material.axes.explained_variance_ratio_,
        "edges": edges,
        **sets,
        "kept_own": _own(material),
    }


def _figures(
    material: Material, places: NDArray[np.float64], edges: NDArray[np.float64], among: Bools
) -> Figures:
    rows = np.flatnonzero(among)
    random = priorities(
        [material.ids[row] for row in rows], seed=material.run.seed, purpose="points"
    )
    sample = rows[np.sort(np.argsort(random)[:POINTS])]
    bins = bins_of(places[rows, 0], edges)
    return {
        "divergence": _apart(material, rows, places[rows, 0]),
        **{
            f"answer{answer}": {
                "n": int(its[rows].sum()),
                "histogram": np.bincount(bins[its[rows]], minlength=len(edges) - 1),
                "points": plain(places[sample[its[sample]]], digits=POINT_DIGITS),
            }
            for answer, its in ((1, material.first), (2, ~material.first))
        },
    }


def _own(material: Material) -> Any:
    rows = np.flatnonzero(material.kept_mask)
    if not len(rows):
        return None
    own = fit_axes(material.features, rows=rows, n_components=1)
    return _apart(material, rows, project(own, material.features)[rows, 0])


def _apart(material: Material, rows: NDArray[np.intp], d1: NDArray[np.float64]) -> Estimate:
    return label_divergence(d1, material.first[rows], material.units[rows], seed=material.run.seed)


def _linear(material: Material, attempt: Attempt[Assessment]) -> Figures:
    """Reuse the figures of the filter run, whatever the seed, so that a model has one figure."""
    fresh = material.run.filter_run.fresh_models
    if fresh is not None and fresh["format"] == FORMAT:
        return dict(fresh)
    return _probe("linear", material, attempt)


def _probe(kind: ProbeKind, material: Material, attempt: Attempt[Assessment]) -> Figures:
    run, questions, seed = material.run.filter_run, material.questions, material.run.seed

    def measured(among: Bools | None) -> Figures:
        return probed(kind, run, questions, among, seed=seed, attempt=attempt)

    whole = _known_whole(kind, material.run) or measured(None)
    return {"all": whole, "kept": measured(material.kept_mask)}


def _known_whole(kind: ProbeKind, run: Assessment) -> Figures | None:
    """Reuse another assessment's figures: the whole set is the same for all its filters."""
    parts = AssessmentPart.objects.filter(
        name=kind, run__seed=run.seed, run__filter_run__encoding=run.filter_run.encoding_id
    )
    part = parts.filter(figures__format=FORMAT).first()
    return part.figures["all"] if part else None


def _surface(material: Material, attempt: Attempt[Assessment]) -> Figures:
    features = surface(material.questions)
    answers = [question.answer for question in material.questions]
    everyone = np.ones(len(answers), dtype=bool)
    return {
        "pmi_smoothing": PMI_SMOOTHING,
        "features": {
            name: {
                "neutral": neutral,
                "all": contrast(features.values[name], everyone, material.units).kept,
                **asdict(contrast(features.values[name], material.kept_mask, material.units)),
            }
            for name, neutral in FEATURES.items()
        },
        "words_least": LEAST_COUNT,
        "words": leaning_words(features, answers, material.kept_mask),
        "examples": choose_examples(
            material.questions, material.kept_mask, features, seed=material.run.seed
        ),
    }


ACTIVITIES = {
    "filter_results": "counting",
    "projection": "projecting",
    "linear": "linear model",
    "nonlinear": "non-linear model",
    "surface": "reading the sentences",
}
PARTS: dict[str, Callable[[Material, Attempt[Assessment]], Figures]] = {
    "filter_results": _results,
    "projection": _projection,
    "linear": _linear,
    "nonlinear": partial(_probe, "nonlinear"),
    "surface": _surface,
}
