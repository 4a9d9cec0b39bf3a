"""A comparison of evaluations as CSV, as JSON lines and as LaTeX tables."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import groupby

from evaluation.core.comparison import MARGIN, Verdict
from tabular.writing import csv_text, jsonl_text, latex, latex_percent, latex_spanning, latex_table


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """One system of a comparison, with what its figures were computed from.

    Parameters
    ----------
    system : str
        Model, method and variant in words.
    model, method, variant, dtype, seeds : str
        As requested; several seeds are separated by spaces.
    n, n_groups : int
        Questions, and groups of at least two questions; votes for single votes of people.
    n_dropped : int
        Questions that the method dropped, which ``n`` does not count. Such a system is compared
        with no other one.
    accuracy, group_score : float in [0, 1], or None
        With the limits of their 95 % intervals; of several seeds, the mean. For people they are
        for these people.
    accuracy_people_low, accuracy_people_high : float or None
        Limits for people like them; None for systems, and for too few people.
    group_score_people_low, group_score_people_high : float or None
        As those of the accuracy.
    n_people : int
        0 for a system.
    accuracy_sd, accuracy_best : float or None
        Over seeds; None for fewer than two.
    chance_accuracy, chance_group_score : float or None
        Of the system's own choices if the answers were random: 0 of the groups if it gives all
        members of a group the same answer.
    difference, p : float or None
        The accuracy minus that of the best system, and the p-value corrected for all pairs of
        systems; None for the best system, and for one that dropped questions.
    difference_detectable : float or None
        The difference that would be found with a probability of at least 80 %.
    n_lost, n_gained : int or None
        Questions that the best has right and this system wrong, and the reverse; of several seeds,
        all right or all wrong.
    n_partly : int or None
        Questions on which they differ otherwise: ties, and seeds that disagree.
    mcnemar_p : float or None
        Of McNemar's exact test of these two numbers, corrected as ``p``. It takes all questions as
        independent, which those of a group are not; ``p`` does not.
    margin : float
        Accuracies that differ by less are called equivalent.
    equivalence_p : float or None
        Corrected as ``p``; at most 0.05 means that the difference is shown to be below the margin.
    equivalence_power : float or None
        The probability that this would be shown, at least, if the two were equally accurate and
        differed on as many questions.
    finding : str
        less_accurate, less_accurate_within_margin, equivalent or cannot_tell; empty for systems
        that are not compared, and for the best.
    n_agreed : int
        Questions on which all validators agreed; 0 if none has known votes.
    agreed_accuracy, agreed_group_score : float or None
        On these questions, with limits.
    questions, subset, data_sha256, weights_sha256, config_sha256, revision, code_version : str
    evaluations : str
        Ids, one per seed.
    evaluated_at : str
        ISO 8601.
    sample : str
        Which of the questions the row is about, if it is compared with people on those that
        have all their votes; else empty. Rows are comparable with those of the same sample.
    is_compared : bool
        False for single votes of people, which are not one answer for each question, and where no
        two systems answered all questions.
    """

    system: str
    model: str = ""
    method: str
    variant: str
    dtype: str = ""
    seeds: str = ""
    n: int
    n_dropped: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    accuracy_people_low: float | None = None
    accuracy_people_high: float | None = None
    accuracy_sd: float | None = None
    accuracy_best: float | None = None
    n_groups: int
    group_score: float | None
    group_score_low: float | None
    group_score_high: float | None
    group_score_people_low: float | None = None
    group_score_people_high: float | None = None
    n_people: int = 0
    chance_accuracy: float | None
    chance_group_score: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    p: float | None
    difference_detectable: float | None
    n_lost: int | None = None
    n_gained: int | None = None
    n_partly: int | None = None
    mcnemar_p: float | None = None
    margin: float = MARGIN
    equivalence_p: float | None = None
    equivalence_power: float | None = None
    finding: str = ""
    n_agreed: int = 0
    agreed_accuracy: float | None = None
    agreed_accuracy_low: float | None = None
    agreed_accuracy_high: float | None = None
    agreed_group_score: float | None = None
    agreed_group_score_low: float | None = None
    agreed_group_score_high: float | None = None
    questions: str
    subset: str
    data_sha256: str
    weights_sha256: str = ""
    config_sha256: str = ""
    revision: str = ""
    code_version: str = ""
    evaluations: str
    evaluated_at: str
    sample: str = ""
    is_compared: bool = True


def to_csv(rows: Sequence[ComparisonRow]) -> str:
    """Return the rows as CSV with a header; figures are not rounded, and None is empty."""
    columns = [field.name for field in fields(ComparisonRow)]
    return csv_text(columns, (list(asdict(row).values()) for row in rows))


def to_jsonl(rows: Sequence[ComparisonRow]) -> str:
    """Return one JSON object per row and line; figures are not rounded."""
    return jsonl_text(map(asdict, rows))


FINDINGS = {
    Verdict.LESS_ACCURATE: "less accurate",
    Verdict.LESS_WITHIN_MARGIN: "less accurate, within the margin",
    Verdict.EQUIVALENT: "equivalent",
    Verdict.CANNOT_TELL: "cannot tell",
}


def to_latex(rows: Sequence[ComparisonRow]) -> str:
    r"""Return two tables for LaTeX with the package booktabs, and the provenance as comments.

    Accuracies and group scores are in percent with their 95 % intervals, those for people like the
    ones who voted in square brackets; chance is that of the system's own choices, for both. A
    difference has ``*`` if its corrected p-value is at most 0.05. A system that dropped questions
    has the number of those that it answered instead. The second table has the flips, McNemar's
    test, the test of equivalence, and the scores where all validators agreed; it is left out if
    there is nothing of these.
    """
    head = ["System", "Accuracy", "Group score", "Chance", "Difference", "$p$"]
    samples = [(sample, list(same)) for sample, same in groupby(rows, key=lambda row: row.sample)]
    parts = [_part(sample, same, _latex_cells, 6) for sample, same in samples]
    table = latex_table("lrrrrr", [head], parts, about=_comments(rows))
    if not any(row.finding or row.n_agreed for row in rows):
        return table
    return f"{table}\n{_flips_table(samples)}"


def _flips_table(samples: Sequence[tuple[str, Sequence[ComparisonRow]]]) -> str:
    [margin] = {row.margin for _, rows in samples for row in rows}
    points = f"{100 * margin:g}"
    head = ["System", "Lost", "Gained", "McNemar $p$", "Equivalence $p$", "Power", "Finding"]
    head += ["Accuracy, agreed", "Group score, agreed"]
    about = [
        "Lost: the best is right and the system wrong; gained: the reverse.",
        "McNemar's test takes the questions of a group as independent; p of the table above and "
        "the test of equivalence do not. All are corrected for all pairs of systems (Holm).",
        f"Equivalence: a difference below {points} points. Power: of showing it, if the two were "
        "equally accurate.",
        "Agreed: on the questions on which all validators agreed.",
    ]
    parts = [_part(sample, same, _flips_cells, 9) for sample, same in samples]
    return latex_table("lrrrrrlrr", [head], parts, about=about)


def _flips_cells(row: ComparisonRow) -> list[str]:
    counts = ["--" if n is None else str(n) for n in (row.n_lost, row.n_gained)]
    return [
        latex(row.system),
        *counts,
        _p(row.mcnemar_p),
        _p(row.equivalence_p),
        latex_percent(row.equivalence_power),
        FINDINGS[Verdict(row.finding)] if row.finding else "--",
        _share(row, "agreed_accuracy"),
        _share(row, "agreed_group_score"),
    ]


def _p(p: float | None) -> str:
    return "--" if p is None else ("$<$0.001" if p < 0.001 else f"{p:.3f}")


def _part(
    sample: str,
    rows: Iterable[ComparisonRow],
    cells: Callable[[ComparisonRow], list[str]],
    width: int,
) -> list[list[str]]:
    """Return the rows of one sample, with its name above."""
    title = [[latex_spanning(sample, width)]] if sample else []
    return title + [cells(row) for row in rows]


def _latex_cells(row: ComparisonRow) -> list[str]:
    return [
        latex(row.system) + (f" (seeds {latex(row.seeds)})" if " " in row.seeds else ""),
        _share(row, "accuracy"),
        _share(row, "group_score"),
        f"{latex_percent(row.chance_accuracy)} / {latex_percent(row.chance_group_score)}",
        _difference(row),
        _p(row.p),
    ]


def _share(row: ComparisonRow, name: str) -> str:
    low, high, people_low, people_high = (
        getattr(row, f"{name}_{end}", None) for end in ("low", "high", "people_low", "people_high")
    )
    return latex_percent(getattr(row, name), (low, high), people=(people_low, people_high))


def _difference(row: ComparisonRow) -> str:
    if row.n_dropped:
        return f"{row.n} questions"
    if not row.is_compared:
        return "--"
    if row.difference is None:
        return "best"
    mark = "*" if row.p is not None and row.p <= 0.05 else ""
    return f"${100 * row.difference:+.1f}${mark}"


def _comments(rows: Sequence[ComparisonRow]) -> list[str]:
    if not rows:
        return []
    one = rows[0]
    about = [f"Questions: {one.questions}, n = {one.n + one.n_dropped}, sha256 {one.data_sha256}"]
    about += [f"Only the questions with {one.subset}"] if one.subset else []
    about += [
        f"{row.system}: {row.dtype}, revision {row.revision or 'none'}, weights "
        f"{row.weights_sha256 or 'none'}, code {row.code_version or 'unknown'}, evaluation "
        f"{row.evaluations}"
        for row in rows
    ]
    return [" ".join(line.split()) for line in about]
