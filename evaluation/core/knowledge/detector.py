"""A detector that sees the knowledge sentence alone, without the question and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from corpora.core.items import BLANK, Item
from evaluation.core.knowledge.statements import REASONS, Statement

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
    for one in statements:
        pairs.setdefault(one.pair, []).append(one)
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

    found: dict[str, Any] = {}
    for variant in dict.fromkeys(one.variant for one in statements if one.variant != REASONS):
        items = pair_items([one for one in statements if one.variant == variant])
        artifacts = detect_artifacts(items, seed=seed, texts=[DETECTOR])
        if artifacts.detected:
            [one] = artifacts.detected
            found[variant] = asdict(one) | {"leaks": one.leaks}
        else:
            found[variant] = {"not_run": artifacts.not_run[DETECTOR]}
    return found
