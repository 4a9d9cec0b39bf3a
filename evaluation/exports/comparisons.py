"""Comparisons of evaluations as files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluation.core.comparison import Versus
from evaluation.core.comparison_files import ComparisonRow, to_csv, to_jsonl, to_latex
from evaluation.core.side_by_side import Agreed, Figures, SideBySide
from evaluation.selectors import BesidePeople, Comparable, Compared, System
from stats.intervals import NOTHING, Estimate
from stats.people import NO_PEOPLE, PeopleEstimate

FORMATS: Mapping[str, tuple[Callable[[Sequence[ComparisonRow]], str], str]] = {
    "csv": (to_csv, "text/csv"),
    "jsonl": (to_jsonl, "application/x-ndjson"),
    "tex": (to_latex, "application/x-tex"),
}
"""By a file's ending: what writes it, and its media type."""

NO_AGREED = Agreed(NOTHING, NOTHING)

OF_RUN = (
    *("method", "variant", "dtype"),
    *("weights_sha256", "config_sha256", "revision", "code_version"),
)
"""The columns that are those of the newest evaluation of a system."""


def comparison_rows(
    data: Comparable, found: Compared, people: Sequence[BesidePeople] = ()
) -> list[ComparisonRow]:
    """Return the rows of a comparison, each with what its figures were computed from.

    After the systems on all questions come, for each of *people*, its majority and its single
    votes, and the systems on the same questions.
    """
    rows = [_row(data, found, found.about, system) for system in found.systems]
    for beside in people:
        rows += _people(data, found, beside)
        same = [_row(data, found, beside.about, system) for system in beside.systems]
        rows += [replace(row, sample=_sample(beside)) for row in same]
    return rows


def _sample(beside: BesidePeople) -> str:
    n, name = beside.about.n, beside.panel.public_id
    return f"{n} of {beside.n_all} questions, with all votes in human evaluation {name}"


def _people(data: Comparable, result: Compared, beside: BesidePeople) -> list[ComparisonRow]:
    """Return the rows of people: the majority with a group score, and single votes."""
    evaluation = beside.panel
    about = {
        **_figures(beside.majority),
        "method": "people",
        "sample": _sample(beside),
        "chance_accuracy": beside.about.chance.single,
        "chance_group_score": beside.about.chance.group,
        "questions": _questions(data),
        "subset": result.subset.title if result.subset else "",
        "data_sha256": data.data_sha256,
        "evaluations": str(evaluation.public_id),
        "evaluated_at": evaluation.created_at.isoformat(),
        "n_people": beside.single.n_people,
        "margin": beside.about.margin,
    }
    n = evaluation.votes_per_item
    majority = ComparisonRow(system=beside.label, variant=f"majority of {n}", **about)
    single = replace(
        majority,
        system=beside.single_label,
        variant="single votes",
        **_accuracy(beside.single),
        **_group_score(NO_PEOPLE),
        **_difference(None),
        **_agreed(NO_AGREED),
        is_compared=False,
    )
    return [majority, single]


def _questions(data: Comparable) -> str:
    return " ".join(filter(None, [data.name, data.split, data.transformation]))


def _figures(figures: Figures) -> dict[str, Any]:
    return {
        **_accuracy(figures.accuracy),
        **_group_score(figures.group_score),
        **_difference(figures.versus),
        **_agreed(figures.agreed),
        "n_dropped": figures.n_dropped,
    }


def _agreed(agreed: Agreed | None) -> dict[str, Any]:
    if agreed is None:
        return {}
    accuracy, group_score = agreed.accuracy, agreed.group_score
    return {
        "n_agreed": accuracy.n,
        **_named("agreed_accuracy", accuracy),
        **_named("agreed_group_score", group_score),
    }


def _accuracy(estimate: Estimate) -> dict[str, Any]:
    return {"n": estimate.n, **_named("accuracy", estimate)}


def _group_score(estimate: Estimate) -> dict[str, Any]:
    return {"n_groups": estimate.n, **_named("group_score", estimate)}


def _named(name: str, found: Estimate) -> dict[str, Any]:
    ends = {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
    if isinstance(found, PeopleEstimate):
        ends |= {f"{name}_people_low": found.people_low, f"{name}_people_high": found.people_high}
    return ends


def _difference(versus: Versus | None) -> dict[str, Any]:
    return {
        "difference": versus.difference.value if versus else None,
        "difference_low": versus.difference.low if versus else None,
        "difference_high": versus.difference.high if versus else None,
        "p": versus.p_corrected if versus else None,
        "difference_detectable": versus.detectable if versus else None,
        "n_lost": versus.flips.lost if versus else None,
        "n_gained": versus.flips.gained if versus else None,
        "n_partly": versus.flips.partly if versus else None,
        "mcnemar_p": versus.flips.p if versus else None,
        "equivalence_p": versus.equivalence.p if versus else None,
        "equivalence_power": versus.equivalence.power if versus else None,
        "finding": versus.verdict.value if versus else "",
    }


def _row(data: Comparable, result: Compared, about: SideBySide, system: System) -> ComparisonRow:
    run, figures = system.newest, system.figures
    spread = figures.seeds.accuracy if figures.seeds else None
    return ComparisonRow(
        system=system.name,
        # Without the folder: a file that is passed on must not name paths of this machine.
        model=run.model_name,
        seeds=" ".join(map(str, system.seeds)),
        **_figures(figures),
        is_compared=about.is_comparison,
        margin=about.margin,
        accuracy_sd=spread.sd if spread else None,
        accuracy_best=spread.best if spread else None,
        chance_accuracy=figures.chance.single,
        chance_group_score=figures.chance.group,
        questions=_questions(data),
        subset=result.subset.title if result.subset else "",
        data_sha256=data.data_sha256,
        evaluations=" ".join(str(each_run.public_id) for each_run in system.runs),
        evaluated_at=run.ended_at.isoformat() if run.ended_at else "",
        **{name: getattr(run, name) for name in OF_RUN},
    )
