"""Several systems on the same questions: every figure that a comparison shows."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.core.metrics import accuracy, choice_shares, credits, group_credits
from evaluation.core.below_chance import Chance, chance, chance_of, most_frequent
from evaluation.core.bias import GotchaGap, StereotypeGap, gotcha_gaps, stereotype_gaps
from evaluation.core.comparison import MARGIN, Versus, compare
from evaluation.core.consistency import Consistency, consistency
from stats.groups import Names, group_numbers
from stats.intervals import Estimate, wilson
from training.core.seeds import Seeds, seeds

Floats = NDArray[np.float64]
# The scores of one evaluation: per question one number per option; None if it is unanswered, and
# no numbers if the method dropped it.
Scores = Sequence[Floats | None]
SWITCHED = "-switched"  # ends the id of a question's switched version
AGREED = "full_agreement"
"""The metadata entry of whether all validators agreed; a question without votes has none."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """The scores of one system on the questions on which all validators agreed.

    Parameters
    ----------
    accuracy, group_score : Estimate
        As in `Figures`; groups are of at least two such questions.
    """

    accuracy: Estimate
    group_score: Estimate


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one system.

    Parameters
    ----------
    accuracy, group_score : Estimate
        Of several seeds, of their mean credit for each question and each group. Questions that the
        method dropped do not count; unanswered ones are wrong.
    n_dropped : int
        Questions that the method dropped. Such a system answers other questions than the rest, so
        it is compared with none.
    chance : Chance
        Of the choices that the system made (of its first seed), if the answers were random; see
        `chance_of`. Of true/false questions, the level of the most frequent answer.
    seeds : Seeds or None
        None for one seed.
    versus : Versus or None
        Against the most accurate system; None for that system, and if questions were dropped.
    consistency : Consistency or None
        If the questions come with their switched versions, for a system with one seed that
        answered them all.
    gotchas : dict of str to GotchaGap
        ΔF and ΔM, if the questions are those of Winogender; else empty.
    stereotypes : dict of str to StereotypeGap
        By type, if the questions are those of WinoBias; else empty.
    agreed : Agreed or None
        If all validators agreed on at least one of the questions that it answered.
    """

    accuracy: Estimate
    group_score: Estimate
    n_dropped: int
    chance: Chance
    seeds: Seeds | None
    versus: Versus | None
    consistency: Consistency | None
    gotchas: Mapping[str, GotchaGap]
    stereotypes: Mapping[str, StereotypeGap]
    agreed: Agreed | None = None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The figures of each system, in the order given, and of systems that know nothing.

    Parameters
    ----------
    n, n_groups : int
        Questions, and groups of at least two questions.
    coin, trigger_blind : Chance
        Of random answers, and of a system that gives all questions of a group the same answer.
    is_trigger_hidden : bool
        Whether the questions of every group are the same text, so that every system is blind to
        what differs between them.
    constant : Chance or None
        Of true/false questions: of the most frequent answer.
    margin : float
        Of the tests of equivalence.
    n_agreed, n_voted : int
        Questions on which all validators agreed, of those whose votes are known.
    """

    systems: tuple[Figures, ...]
    n: int
    n_groups: int
    coin: Chance
    trigger_blind: Chance
    is_trigger_hidden: bool
    constant: Chance | None = None
    margin: float = MARGIN
    n_agreed: int = 0
    n_voted: int = 0

    @property
    def is_comparison(self) -> bool:
        """Whether at least two systems answered all questions, so that one can be the best."""
        return sum(not system.n_dropped for system in self.systems) > 1

    @property
    def chance(self) -> Chance:
        """The chance level of systems on these questions; `Figures` has that of each."""
        if self.constant is not None:
            return self.constant
        return self.trigger_blind if self.is_trigger_hidden else self.coin


def side_by_side(
    items: Sequence[Item],
    scores: Sequence[Sequence[Scores]],
    *,
    groups_before: Mapping[str, str] | None = None,
    margin: float = MARGIN,
) -> SideBySide:
    """Return the figures of several systems on the same questions.

    Parameters
    ----------
    items : n items with answers
    scores : for each system, for each of its seeds, n sequences of float (k_i,)
        None for a question without an answer, empty for one that the method dropped.
    groups_before : mapping of str to str, optional
        By a question's id, its group before it was grouped with its switched version. Intervals
        of the consistency are over these groups; without it, over questions.
    margin : float in (0, 1)
        As for `comparison.compare`.

    Raises
    ------
    ValueError
        As `metrics.credits`, and when an item has no answer.
    """
    if any(item.answer is None for item in items):
        raise ValueError("items must all have answers")
    answers = np.array([item.answer for item in items], dtype=np.int64)
    groups = group_numbers([item.group for item in items])  # once, since it takes a while
    each = [[_credits(seed, answers) for seed in of_seeds] for of_seeds in scores]
    mean = [np.mean(of_seeds, axis=0) for of_seeds in each]  # NaN where any seed dropped it
    complete = {str(n): value for n, value in enumerate(mean) if not np.isnan(value).any()}
    versus = compare(complete, groups, margin=margin).others if complete else {}
    agreement = [item.metadata.get(AGREED) for item in items]
    options = [item.options for item in items]
    return SideBySide(
        systems=tuple(
            _figures(items, scores[n], of_seeds, groups, versus.get(str(n)), groups_before or {})
            for n, of_seeds in enumerate(each)
        ),
        n=len(items),
        n_groups=int((np.bincount(groups) > 1).sum()),
        coin=chance(options, answers, groups, trigger_blind=False),
        trigger_blind=chance(options, answers, groups, trigger_blind=True),
        is_trigger_hidden=_is_trigger_hidden(items),
        constant=most_frequent(answers, groups) if _are_truths(items) else None,
        margin=margin,
        n_agreed=sum(one is True for one in agreement),
        n_voted=sum(isinstance(one, bool) for one in agreement),
    )


def _credits(scores: Scores, answers: NDArray[np.int64]) -> Floats:
    """Return the credit of each question: 0 if it is unanswered, NaN if it was dropped."""
    missing = np.array([0.0 if score is None or len(score) else np.nan for score in scores])
    rows = [n for n, score in enumerate(scores) if score is not None and len(score)]
    missing[rows] = credits([row for row in scores if row is not None and len(row)], answers[rows])
    return missing


def _figures(
    items: Sequence[Item],
    scores: Sequence[Scores],
    each: Sequence[Floats],
    groups: NDArray[np.int64],
    versus: Versus | None,
    groups_before: Mapping[str, str],
) -> Figures:
    rows = np.flatnonzero(~np.isnan(np.mean(each, axis=0)))
    kept, of_row = [items[int(n)] for n in rows], groups[rows]
    of_seeds = [one[rows] for one in each]
    mean = np.mean(of_seeds, axis=0)
    answers = np.array([item.answer for item in kept], dtype=np.int64)
    sizes = [len(item.options) for item in kept]
    return Figures(
        accuracy=accuracy(mean, of_row),
        group_score=_group_score(of_seeds, of_row),
        n_dropped=len(items) - len(kept),
        chance=_chance(kept, [scores[0][int(n)] for n in rows], answers, of_row),
        seeds=seeds(of_seeds, of_row, sizes, answers) if len(of_seeds) > 1 else None,
        versus=versus,
        consistency=_consistency(items, scores, groups_before),
        gotchas=_gotchas(kept, mean),
        stereotypes=_stereotypes(kept, mean),
        agreed=_agreed(kept, of_seeds, of_row),
    )


def _agreed(
    items: Sequence[Item], of_seeds: Sequence[Floats], groups: NDArray[np.int64]
) -> Agreed | None:
    rows = np.flatnonzero([item.metadata.get(AGREED) is True for item in items])
    if not len(rows):
        return None
    each, of_row = [one[rows] for one in of_seeds], groups[rows]
    return Agreed(accuracy(np.mean(each, axis=0), of_row), _group_score(each, of_row))


def _chance(
    items: Sequence[Item], scores: Scores, answers: NDArray[np.int64], groups: Names
) -> Chance:
    if _are_truths(items):
        return most_frequent(answers, groups)
    chosen = iter(choice_shares([score for score in scores if score is not None]))
    shares = [
        np.zeros(len(item.options)) if score is None else next(chosen)
        for item, score in zip(items, scores, strict=True)
    ]
    return chance_of(shares, answers, groups)


def _group_score(credits: Sequence[Floats], groups: Names) -> Estimate:
    mean = np.mean([group_credits(credit, groups) for credit in credits], axis=0)
    return wilson(float(mean.sum()), len(mean))


def _are_truths(items: Sequence[Item]) -> bool:
    return all(item.form == "truth" for item in items)


def _is_trigger_hidden(items: Sequence[Item]) -> bool:
    texts = defaultdict(set)
    for item in items:
        key = (item.sentence, item.span, item.candidate, item.relation, frozenset(item.options))
        texts[item.group].add(key)
    return len(texts) < len(items) and all(len(parts) == 1 for parts in texts.values())


def _consistency(
    items: Sequence[Item], scores: Sequence[Scores], groups_before: Mapping[str, str]
) -> Consistency | None:
    rows = {item.id: n for n, item in enumerate(items)}
    pairs = [(n, rows[f"{id}{SWITCHED}"]) for id, n in rows.items() if f"{id}{SWITCHED}" in rows]
    answered = [score for score in scores[0] if score is not None and len(score)]
    if not pairs or len(scores) > 1 or len(answered) < len(items):
        return None
    before, after = zip(*pairs, strict=True)
    return consistency(
        [answered[n] for n in before],
        [answered[n] for n in after],
        [items[n].answer for n in before],
        [items[n].answer for n in after],
        [groups_before.get(items[n].id, items[n].id) for n in before],
    )


def _gotchas(items: Sequence[Item], credits: Floats) -> dict[str, GotchaGap]:
    """Return ΔF and ΔM, clustered by occupation, if every gendered item says if it is a gotcha."""
    genders = [item.metadata.get("gender") for item in items]
    rows = [n for n, gender in enumerate(genders) if gender in ("female", "male")]
    flags = [items[n].metadata.get("gotcha") for n in rows]
    gotcha = np.array([flag is True for flag in flags], dtype=bool)
    if not rows or not all(isinstance(flag, bool) for flag in flags):
        return {}
    occupations = [items[n].metadata.get("occupation") for n in rows]
    return gotcha_gaps(credits[rows], [str(genders[n]) for n in rows], gotcha, occupations)


def _stereotypes(items: Sequence[Item], credits: Floats) -> dict[str, StereotypeGap]:
    """Return the gap of each type over the pairs; a sentence without its pair is not counted."""
    balance: Counter[tuple[object, str]] = Counter()
    for item in items:
        side = {"pro": 1, "anti": -1}.get(str(item.metadata.get("stereotype")))
        if side is None or "type" not in item.metadata:
            return {}
        balance[item.metadata["type"], item.group] += side
    rows = [n for n, item in enumerate(items) if not balance[item.metadata["type"], item.group]]
    if not rows:
        return {}
    found = stereotype_gaps(
        credits[rows],
        [items[n].metadata["stereotype"] == "pro" for n in rows],
        [items[n].metadata["type"] for n in rows],
        [items[n].group for n in rows],
    )
    return {str(kind): gap for kind, gap in found.items()}
