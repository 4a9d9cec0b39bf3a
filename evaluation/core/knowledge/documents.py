"""The figures of a knowledge evaluation as a JSON document, and back."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpora.core.bundle.codec import value_of
from evaluation.core.knowledge.statements import ALL, REASONS, Statement, subset, subsets_of
from knowledge.core.reporting import TRUE, SystemFigures, credits, system_figures
from stats.groups import group_numbers
from stats.intervals import Estimate, clustered_share

Floats = NDArray[np.float64]
FORMAT = 1


def answers_of(margins: Floats) -> Floats:
    """Return 1 ("true") above 0, 0 below, and 0.5 for a tie.

    >>> answers_of(np.array([0.2, -1.0, 0.0])).tolist()
    [1.0, 0.0, 0.5]
    """
    answers: Floats = (np.sign(margins) + 1) / 2
    return answers


def answer_lines(statements: Sequence[Statement], margins: Floats) -> str:
    """Return JSON lines of a statement's id and the system's margins, one for each seed."""
    answers = answers_of(margins)
    rows = (
        {
            "id": statement.id,
            "variant": statement.variant,
            "label": statement.label,
            "answers": answers[:, row].tolist(),
            "margins": margins[:, row].tolist(),
        }
        for row, statement in enumerate(statements)
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def document_of(
    statements: Sequence[Statement],
    answers: Floats,
    *,
    seeds: Sequence[int] = (),
    folds: NDArray[np.int64] | None = None,
    left_out: Mapping[str, int] | None = None,
    detectors: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return all figures of one system.

    Parameters
    ----------
    statements : sequence of length n
    answers : float in [0, 1] (n_seeds, n)
        See `answers_of`; one row of a system without seeds.
    seeds : sequence of int
        Of the rows; empty for a system without.
    folds : int (n,), optional
        Of reasons: the fold of each.
    left_out : mapping of str to int, optional
        By reason, what was not scored.
    detectors : mapping of variant to JSON value, optional

    Returns
    -------
    dict
        ``format``; ``seeds``; ``left_out``; ``counts`` by subset; ``figures`` by subset, variant
        and seed, as fields of `SystemFigures` and for reasons ``by_type`` and ``by_fold``;
        ``detectors``.
    """
    return {
        "format": FORMAT,
        "seeds": list(seeds),
        "left_out": dict(left_out or {}),
        "counts": {
            name: _counts([statements[row] for row in subset(statements, name)])
            for name in subsets_of(statements)
        },
        "figures": {
            name: _by_variant(statements, answers, subset(statements, name), folds)
            for name in subsets_of(statements)
        },
        "detectors": dict(detectors or {}),
    }


def figures_of(document: Mapping[str, Any], *, of: str, variant: str) -> list[SystemFigures]:
    """Return the figures of a subset and a variant, one for each seed; none if it has none."""
    rows = document["figures"].get(of, {}).get(variant, [])
    names = [field.name for field in fields(SystemFigures)]
    return [value_of(SystemFigures, {name: row[name] for name in names}) for row in rows]


def by_type_of(document: Mapping[str, Any], *, of: str) -> list[Mapping[str, Estimate]]:
    """Return the figures of reasons by knowledge type, one mapping for each seed."""
    rows = document["figures"].get(of, {}).get(REASONS, [])
    return [value_of(Mapping[str, Estimate], each["by_type"]) for each in rows]  # type: ignore[type-abstract]


def _counts(statements: Sequence[Statement]) -> dict[str, Any]:
    """Return how many statements of the first variant there are, by kind."""
    first = statements[0].variant if statements else ""
    kinds = Counter(statement.kind for statement in statements if statement.variant == first)
    return {
        "n": kinds.total(),
        "n_true": kinds[TRUE],
        "n_false": kinds.total() - kinds[TRUE],
        "kinds": dict(sorted(kinds.items())),
    }


def _by_variant(
    statements: Sequence[Statement],
    answers: Floats,
    rows: Sequence[int],
    folds: NDArray[np.int64] | None,
) -> dict[str, list[dict[str, Any]]]:
    by_variant = {}
    for variant in dict.fromkeys(statements[row].variant for row in rows):
        mine = [row for row in rows if statements[row].variant == variant]
        chosen = [statements[row] for row in mine]
        of_rows = None if folds is None else folds[mine]
        by_variant[variant] = [_of_seed(chosen, each[mine], of_rows) for each in answers]
    return by_variant


def _of_seed(
    statements: Sequence[Statement], answers: Floats, folds: NDArray[np.int64] | None
) -> dict[str, Any]:
    figures = system_figures(
        answers,
        [statement.label for statement in statements],
        kinds=[statement.kind for statement in statements],
        pairs=[statement.pair for statement in statements],
        questions=[statement.group for statement in statements],
    )
    return asdict(figures) | ({} if folds is None else _of_reasons(statements, answers, folds))


def _of_reasons(
    statements: Sequence[Statement], answers: Floats, folds: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the accuracy by knowledge type, and that of each fold."""
    got = credits(answers, [statement.label for statement in statements])
    groups = group_numbers([statement.group for statement in statements])
    names = sorted({name for statement in statements for name in statement.types})
    rows = {name: np.array([name in statement.types for statement in statements]) for name in names}
    return {
        "by_type": {
            name: asdict(clustered_share(got[which], groups[which])) for name, which in rows.items()
        },
        "by_fold": [float(got[folds == fold].mean()) for fold in np.unique(folds)],
    }


def leading(document: Mapping[str, Any]) -> str:
    """Return the subset that the tables show: the valid problems, where people validated them.

    Source: WinoLogic (EMNLP 2021), §4.4, evaluates on the validated problems.
    """
    return next((name for name in document["figures"] if name == "valid"), ALL)
