"""Statements with a label: problems of a knowledge release, or reasons that people gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
        return [row for row, one in enumerate(statements) if one.is_valid]
    return [row for row, one in enumerate(statements) if not one.is_circular]


def subsets_of(statements: Sequence[Statement]) -> list[str]:
    """Return the names of the subsets that have figures; `ALL` is the first."""
    if any(one.variant == REASONS for one in statements):
        return [ALL, NOT_CIRCULAR]
    return [ALL, VALID] if any(one.is_valid for one in statements) else [ALL]
