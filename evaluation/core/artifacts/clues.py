"""Single clues of items with two options, tested exactly, beside the models of the detectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corpora.core.clues import ClueSearch, Family, Question, Tested
from corpora.core.items import Item
from evaluation.core.artifacts.results import LEVEL


def searches(items: Sequence[Item]) -> tuple[ClueSearch, ...]:
    """Count all clues in items of the form 'blank' with two options.

    A group is one throw, as in `relabelled`. Of a group of more than two items, the first two are
    read.
    """
    groups: dict[str, list[Item]] = {}
    for item in items:
        if len(item.options) == 2:
            groups.setdefault(item.group, []).append(item)
    pairs = [group[:2] for group in groups.values() if len(group) > 1]
    alone = [group for group in groups.values() if len(group) == 1]
    return tuple(_counted(units) for units in (pairs, alone) if units)


def families(found: Sequence[ClueSearch], *, n_tests: int) -> tuple[Family, ...]:
    """Test the clues of each kind, corrected for their number and for ``n_tests`` kinds and models.

    Returns
    -------
    tuple of Family
        Their p is corrected for all tests of the set, by Bonferroni's method over kinds.
    """
    level = LEVEL / n_tests
    tested = (family for search in found for family in search.families(level=level))
    return tuple(
        replace(
            one,
            alpha=LEVEL,
            found=_corrected(one.found, n_tests),
            nearest=_corrected(one.nearest, n_tests),
        )
        for one in tested
    )


def _corrected(tests: Sequence[Tested], n_tests: int) -> tuple[Tested, ...]:
    return tuple(replace(one, p_corrected=min(1.0, n_tests * one.p_corrected)) for one in tests)


def _counted(units: Sequence[Sequence[Item]]) -> ClueSearch:
    search = ClueSearch(paired=len(units[0]) == 2)
    labels = np.array([1 if unit[0].answer == 1 else -1 for unit in units], dtype=np.int8)
    search.add([_unit(unit) for unit in units], labels)
    return search


def _unit(items: Sequence[Item]) -> tuple[Question, ...]:
    """Return the items' questions; the second lists its options so that the answers differ."""
    first, *rest = items
    return (_question(first), *(_question(one, turned=one.answer == first.answer) for one in rest))


def _question(item: Item, *, turned: bool = False) -> Question:
    one, two = item.options
    return Question(item.sentence, (two, one) if turned else (one, two), listed=-1 if turned else 1)
