"""Pointwise mutual information (PMI) of words and labels, and scores of twins based on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from collection.core.words import BLANK, bare, words
from stats.keys import Ids

PmiScore = Literal["signed", "absolute", "maximum", "pairs"]
PMI_SCORES: tuple[PmiScore, ...] = ("signed", "absolute", "maximum", "pairs")
SMOOTHING = 100.0

Codes = NDArray[np.int64]


def tokens(sentence: str) -> list[str]:
    """Return a sentence's words for PMI.

    Case-folded and without outer punctuation; the word with the blank is left out, since every
    sentence has it.

    >>> tokens('"Well," said Ann, as the _ was FULL.')
    ['well', 'said', 'ann', 'as', 'the', 'was', 'full']
    """
    tokens_of_words = (bare(word.casefold()) for word in words(sentence) if BLANK not in word)
    return [word for word in tokens_of_words if word]


@dataclass(frozen=True, slots=True)
class Association:
    """Smoothed PMI of events and labels.

    Parameters
    ----------
    counts : int (n_events, 2)
        Counts of each event (a word, a pair of words) with label 1 and with label 2.
    smoothing : float, at least 0
        Added to every count.

    Source: Gururangan et al., Annotation artifacts in natural language inference data (NAACL 2018),
    section 4: PMI(w, y) = log p(w, y) / (p(w, ·) p(·, y)) with add-100 smoothing.
    """

    counts: NDArray[np.int64]
    smoothing: float = SMOOTHING

    def pmi(self) -> NDArray[np.float64]:
        """Return the PMI of every event and label (n_events, 2), in nats."""
        joint = self.counts + self.smoothing  # (n_events, 2)
        p_label = joint.sum(axis=0) / joint.sum()
        scores = np.log(joint) - np.log(joint.sum(axis=1, keepdims=True)) - np.log(p_label)
        return np.asarray(scores, dtype=np.float64)

    def unseen(self, label: int) -> float:
        """Return the PMI of an event that was not counted, relative to balanced labels."""
        joint = self.counts.sum(axis=0) + self.smoothing * len(self.counts)
        return log(0.5) - log(joint[label - 1] / joint.sum())


def word_pmi(
    bags: Sequence[Counter[str]], answers: Sequence[int], *, smoothing: float = SMOOTHING
) -> tuple[dict[str, int], Association]:
    """Count words by label; return each word's row, and the association."""
    rows = {word: row for row, word in enumerate(sorted(set().union(*bags)))}
    counts = np.zeros((len(rows), 2), dtype=np.int64)
    for bag, answer in zip(bags, answers, strict=True):
        for word, count in bag.items():
            counts[rows[word], answer - 1] += count
    return rows, Association(counts, smoothing)


def twin_scores(
    sentences: Sequence[str],
    answers: Sequence[int] | NDArray[Any],
    twins: Ids,
    *,
    score: PmiScore,
    smoothing: float = SMOOTHING,
) -> NDArray[np.float64]:
    """Score twins by how much their words reveal of the answers; higher is easier.

    Parameters
    ----------
    sentences : (n,) of str
        With their blanks.
    answers : (n,), 1 or 2
        The label y: the correct option.
    twins : (n,) of int or str
        Questions of one twin share a value.
    score : {'signed', 'absolute', 'maximum', 'pairs'}
        ``signed``: f(t1, t2), the sum of PMI(y = 1; w) over the words of the question with answer
        1, less that over the words of the question with answer 2. ``absolute``: \\|f\\|.
        ``maximum``: the highest PMI(y; w) of a word of either question with that question's own
        label y. ``pairs``: f over the unordered pairs of distinct words of each question instead
        of over its words.
    smoothing : float, above 0
        Added to every count of a word (pair) with a label.

    Returns
    -------
    float64 (n,)
        The score of each question's twin, in nats. The order of the questions does not matter, not
        even in the last bit. A missing question has the sum 0: an unpaired question has f = ±(its
        own sum).

    Raises
    ------
    ValueError
        When the lengths differ, or ``score`` or an answer is unknown, or ``smoothing`` is not
        above 0.

    Source: WinoGrande §3 and footnote 7 (smoothing as `Association`). The paper keeps "twins that
    have a small difference", which is ``absolute``; arXiv v1 "select[s] twins in increasing order
    of f", which is ``signed``. Neither defines which question is t1, or how pairs are summed: here
    t1 is the question whose answer is option 1, and each pair of words of a sentence counts once
    per sentence. For ``maximum`` the paper leaves y open: here it is each question's own label, not
    the higher of both.
    """
    labels = _checked(sentences, answers, twins, score, smoothing)
    members: dict[Hashable, list[int]] = {}
    for row, twin in enumerate(twins):
        members.setdefault(twin, []).append(row)
    of_twin = _SCORERS[score](sentences, labels, smoothing)
    scores = np.empty(len(sentences), dtype=np.float64)
    for rows in members.values():
        scores[rows] = of_twin(rows)
    return scores


Scorer = Callable[[list[int]], float]


def _checked(
    sentences: Sequence[str], answers: Any, twins: Ids, score: str, smoothing: float
) -> list[int]:
    labels = [int(answer) for answer in answers]
    if not len(sentences) == len(labels) == len(twins):
        raise ValueError(
            f"sentences, answers and twins must be of one length, got {len(sentences)}, "
            f"{len(labels)} and {len(twins)}"
        )
    strange = set(labels) - {1, 2}
    if strange:
        raise ValueError(f"answers must be 1 or 2, got {min(strange)!r}")
    if score not in PMI_SCORES:
        raise ValueError(f"score must be one of {', '.join(PMI_SCORES)}, got {score!r}")
    if not smoothing > 0:
        raise ValueError(f"smoothing must be above 0, got {smoothing!r}")
    return labels


def _word_sums(sentences: Sequence[str], labels: list[int], smoothing: float) -> Scorer:
    bags = [Counter(tokens(sentence)) for sentence in sentences]
    rows, association = word_pmi(bags, labels, smoothing=smoothing)
    pmi = association.pmi()[:, 0]

    def of_twin(twin: list[int]) -> float:
        sums: Counter[str] = Counter()
        for row in twin:
            (sums.update if labels[row] == 1 else sums.subtract)(bags[row])
        # Words that both share have cancelled; fsum is exact, so the order does not matter.
        return fsum(count * pmi[rows[word]] for word, count in sums.items() if count)

    return of_twin


def _absolute(sentences: Sequence[str], labels: list[int], smoothing: float) -> Scorer:
    signed = _word_sums(sentences, labels, smoothing)
    return lambda twin: abs(signed(twin))


def _maximum(sentences: Sequence[str], labels: list[int], smoothing: float) -> Scorer:
    bags = [Counter(tokens(sentence)) for sentence in sentences]
    rows, association = word_pmi(bags, labels, smoothing=smoothing)
    pmi = association.pmi()
    lowest = float(pmi.min(initial=0.0))

    def of_twin(twin: list[int]) -> float:
        values = (pmi[rows[word], labels[row] - 1] for row in twin for word in bags[row])
        return float(max(values, default=lowest))

    return of_twin


def _pair_sums(sentences: Sequence[str], labels: list[int], smoothing: float) -> Scorer:
    """Pairs are coded as integers: 8 bytes per occurrence, about 2 kB per question."""
    ids: dict[str, int] = {}
    vocabulary = sorted({word for sentence in sentences for word in tokens(sentence)})
    ids.update((word, number) for number, word in enumerate(vocabulary))
    sets = [np.unique([ids[word] for word in tokens(sentence)]) for sentence in sentences]
    codes = [_pairs(members.astype(np.int64), len(ids)) for members in sets]
    pairs, association = _count_pairs(codes, labels, smoothing)
    pmi = association.pmi()[:, 0]

    def of_twin(twin: list[int]) -> float:
        together = np.concatenate([codes[row] for row in twin])
        signs = np.concatenate([np.full(len(codes[row]), 3 - 2 * labels[row]) for row in twin])
        found, where = np.unique(together, return_inverse=True)
        left = np.bincount(where, weights=signs, minlength=len(found))
        sums = found[left != 0]
        return fsum(left[left != 0] * pmi[np.searchsorted(pairs, sums)])

    return of_twin


def _pairs(members: Codes, n_words: int) -> Codes:
    """Code the unordered pairs of a sentence's distinct words, given in ascending order."""
    first, second = np.triu_indices(len(members), k=1)
    return members[first] * n_words + members[second]


def _count_pairs(
    codes: list[Codes], labels: list[int], smoothing: float
) -> tuple[Codes, Association]:
    nothing = np.empty(0, dtype=np.int64)
    by_label = [
        np.unique(np.concatenate([nothing, *_of_label(codes, labels, label)]), return_counts=True)
        for label in (1, 2)
    ]
    pairs = np.union1d(by_label[0][0], by_label[1][0])
    counts = np.zeros((len(pairs), 2), dtype=np.int64)
    for column, (pair_codes, often) in enumerate(by_label):
        counts[np.searchsorted(pairs, pair_codes), column] = often
    return pairs, Association(counts, smoothing)


def _of_label(codes: list[Codes], labels: list[int], label: int) -> Iterator[Codes]:
    return (code for code, its in zip(codes, labels, strict=True) if its == label)


_SCORERS: dict[PmiScore, Callable[[Sequence[str], list[int], float], Scorer]] = {
    "signed": _word_sums,
    "absolute": _absolute,
    "maximum": _maximum,
    "pairs": _pair_sums,
}
