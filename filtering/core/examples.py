"""Example twins that a filter removed, kept or broke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import TwinItem
from filtering.core.surface import Surface
from stats.keys import priorities

SHOWN = 5

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TwinResults:
    """Counts of twins by filter result.

    Parameters
    ----------
    pairs : int
        Twins with both questions before the filter.
    kept_whole, removed_whole, broken : int
        Results of these; a broken twin lost one of its questions.
    unpaired, unpaired_kept : int
        Questions without a twin before the filter, and how many of them are kept.
    """

    pairs: int
    kept_whole: int
    removed_whole: int
    broken: int
    unpaired: int
    unpaired_kept: int


@dataclass(frozen=True, slots=True)
class ExampleQuestion:
    id: str
    sentence: str
    answer: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Example:
    """A twin; ``score`` is the score it was chosen by, None if chosen at random."""

    twin: str
    options: tuple[str, str]
    questions: tuple[ExampleQuestion, ...]
    score: float | None


def twin_results(twins: Sequence[str], kept: Bools) -> TwinResults:
    """Count twins by filter result.

    >>> twin_results(["a", "a", "b", "b", "c"], np.array([True, False, True, True, False]))
    TwinResults(pairs=2, kept_whole=1, removed_whole=0, broken=1, unpaired=1, unpaired_kept=0)
    """
    size = Counter(twins)
    stay = Counter(twin for twin, stays in zip(twins, kept.tolist(), strict=True) if stays)
    pairs = [twin for twin, n in size.items() if n > 1]
    unpaired = [twin for twin, n in size.items() if n == 1]
    whole = sum(stay[twin] == size[twin] for twin in pairs)
    gone = sum(stay[twin] == 0 for twin in pairs)
    return TwinResults(
        pairs=len(pairs),
        kept_whole=whole,
        removed_whole=gone,
        broken=len(pairs) - whole - gone,
        unpaired=len(unpaired),
        unpaired_kept=sum(stay[twin] for twin in unpaired),
    )


def choose_examples(
    questions: Sequence[TwinItem], kept: Bools, found: Surface, *, seed: int
) -> dict[str, list[Example]]:
    """Choose up to five whole twins of each kind.

    Parameters
    ----------
    questions : (n,)
    kept : bool (n,)
    found : Surface
        Of the same questions.
    seed : int, at least 0
        Keys the random choice of twins, and the order of equal scores.

    Returns
    -------
    dict of list of Example
        ``polarity``: twins that lost a question and whose polarity gives away both answers, by the
        weaker of both polarities, highest first; ``pmi``: twins that lost a question, by the sum of
        both questions' ``trigger_pmi``, where it is above 0; ``kept``: twins kept whole, and
        ``broken``: twins that lost one question, both at random.
    """
    twins = [question.group for question in questions]
    rows: dict[str, list[int]] = {}
    for row, twin in enumerate(twins):
        rows.setdefault(twin, []).append(row)
    pairs = [group for group in rows.values() if len(group) == 2]
    random = priorities(twins, seed=seed, purpose="examples")
    pmi = found.values["trigger_pmi"]
    hit = [group for group in pairs if not kept[group].all()]

    def best(groups: list[list[int]], score: NDArray[np.float64] | None) -> list[Example]:
        ranked = sorted(groups, key=lambda g: (0 if score is None else -score[g[0]], random[g[0]]))
        return [
            _example(questions, kept, group, None if score is None else score[group[0]])
            for group in ranked[:SHOWN]
        ]

    weaker, total = np.zeros(len(twins)), np.zeros(len(twins))
    for group in pairs:
        weaker[group], total[group] = found.polarity[group].min(), np.nansum(pmi[group])
    return {
        "polarity": best([group for group in hit if weaker[group[0]] > 0], weaker),
        "pmi": best([group for group in hit if total[group[0]] > 0], total),
        "kept": best([group for group in pairs if kept[group].all()], None),
        "broken": best([group for group in hit if kept[group].any()], None),
    }


def _example(
    questions: Sequence[TwinItem],
    is_kept: Bools,
    group: list[int],
    score: float | None,
) -> Example:
    rows = sorted(group, key=lambda row: questions[row].answer)
    first = questions[rows[0]]
    return Example(
        twin=first.group,
        options=first.options,
        questions=tuple(
            ExampleQuestion(
                id=questions[row].id,
                sentence=questions[row].sentence,
                answer=questions[row].answer,
                kept=bool(is_kept[row]),
            )
            for row in rows
        ),
        score=None if score is None else float(score),
    )
