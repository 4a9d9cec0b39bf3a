"""Statements with a label, and a detector that sees the knowledge sentence alone."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from corpora.core.items import BLANK, Item
from knowledge.core.problems import Problem

ALL, VALID, NOT_CIRCULAR = "all", "valid", "not circular"
REASONS = "reasons"
"""The variant of reasons, which have one text each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A problem with its label.

    Parameters
    ----------
    id : str
        Unique among the statements of its variant.
    variant : str
        "variable", "grounded" or "natural"; `REASONS` for a reason.
    problem : Problem
    label : bool
        For a reason, whether it is valid.
    kind : str
        "true", or how a false version was made; for an invalid reason "invalid".
    pair : str
        Shared by a true problem and its false version; a reason's id.
    group : str
        Shared by the questions that are twins.
    is_valid : bool, optional
        Whether enough people gave its label; None without votes.
    types : tuple of str
        Knowledge types of a reason's question.
    is_circular : bool
        Of a reason.
    """

    id: str
    variant: str
    problem: Problem
    label: bool
    kind: str
    pair: str
    group: str
    is_valid: bool | None = None
    types: tuple[str, ...] = ()
    is_circular: bool = False


def subset(statements: Sequence[Statement], name: str) -> list[int]:
    """Return the rows of a subset.

    Parameters
    ----------
    statements : sequence of Statement
    name : {'all', 'valid', 'not circular'}
        ``valid``: those whose label enough people gave. ``not circular``: without reasons that
        only repeat words of their question.

    Raises
    ------
    ValueError
        When the name is another one.
    """
    if name not in (ALL, VALID, NOT_CIRCULAR):
        raise ValueError(f"name must be {ALL}, {VALID} or {NOT_CIRCULAR}, got {name!r}")
    if name == ALL:
        return list(range(len(statements)))
    if name == VALID:
        return [row for row, statement in enumerate(statements) if statement.is_valid]
    return [row for row, statement in enumerate(statements) if not statement.is_circular]


def subsets_of(statements: Sequence[Statement]) -> list[str]:
    """Return the names of the subsets that have figures; `ALL` is the first."""
    if any(statement.variant == REASONS for statement in statements):
        return [ALL, NOT_CIRCULAR]
    return [ALL, VALID] if any(statement.is_valid for statement in statements) else [ALL]


DETECTOR = "candidates_only"


def pair_items(statements: Sequence[Statement]) -> list[Item]:
    """Return each pair as an item: which of its two knowledge sentences is true?

    Parameters
    ----------
    statements : sequence of Statement
        Of one variant. A statement without its other one, and a pair of equal sentences, is left
        out.

    Returns
    -------
    list of Item
        With the options in alphabetical order.

    Examples
    --------
    >>> pair_items([])
    []
    """
    pairs: dict[str, list[Statement]] = {}
    for statement in statements:
        pairs.setdefault(statement.pair, []).append(statement)
    return [
        item
        for pair, both in pairs.items()
        if len(both) == 2 and (item := _item(pair, *both)) is not None
    ]


def _item(pair: str, one: Statement, other: Statement) -> Item | None:
    options = tuple(sorted({one.problem.knowledge, other.problem.knowledge}))
    if len(options) < 2 or one.label == other.label:
        return None
    true = one if one.label else other
    answer = 1 + options.index(true.problem.knowledge)
    return Item(id=pair, group=one.group, sentence=BLANK, options=options, answer=answer)


def detected(statements: Sequence[Statement], *, seed: int = 0) -> dict[str, Any]:
    """Return by variant what a linear model of the knowledge sentence alone finds.

    Parameters
    ----------
    statements : sequence of Statement
        Reasons have no pairs, so there is nothing to detect in them.
    seed : int

    Returns
    -------
    dict of variant to dict
        The fields of a `Detected`, with ``leaks``; or ``not_run``, why it was not run.
    """
    from evaluation.core.artifacts.detection import detect_artifacts

    tests: dict[str, Any] = {}
    for variant in dict.fromkeys(row.variant for row in statements if row.variant != REASONS):
        items = pair_items([statement for statement in statements if statement.variant == variant])
        artifacts = detect_artifacts(items, seed=seed, texts=[DETECTOR])
        if artifacts.detected:
            [artifact] = artifacts.detected
            tests[variant] = asdict(artifact) | {"leaks": artifact.leaks}
        else:
            tests[variant] = {"not_run": artifacts.not_run[DETECTOR]}
    return tests
