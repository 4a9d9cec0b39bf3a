"""Association of options with their context: cosines of vectors, and PMI of co-occurring words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from collection.core.words import BLANK, bare, is_function_word, words
from evaluation.core.gapped import Gapped

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
WINDOW = 10
SMOOTHING = 1.0


def context_of(cloze: Gapped, *, words_before: int | None = None) -> str:
    """Return the text around a gap without the gap and without the words of its options.

    What is left favours no option by naming it, so only association can tell them apart.

    Parameters
    ----------
    cloze : Gapped
    words_before : int, at least 0, optional
        How many words before the gap to keep: 2 is the local context of WinoGrande (from the
        second word before the gap to the end). None keeps all.

    Returns
    -------
    str
        Words of the text as shown, separated by one space; may be empty.

    Raises
    ------
    ValueError
        When ``words_before`` is negative.

    >>> from types import SimpleNamespace
    >>> cloze = SimpleNamespace(before="The trophy is out of the case as the ",
    ...                         options=("trophy", "case"), after=" is too large.")
    >>> context_of(cloze), context_of(cloze, words_before=1)
    ('The is out of the as the is too large.', 'the is too large.')
    """
    if words_before is not None and words_before < 0:
        raise ValueError(f"words_before must be at least 0, got {words_before}")
    named = {name for option in cloze.options for name in _content(option)}
    before, after = words(cloze.before), words(cloze.after)
    if words_before is not None:
        before = before[max(0, len(before) - words_before) :]
    return " ".join(word for word in [*before, *after] if _name(word) not in named)


def cosine_scores(options: Sequence[ArrayLike], contexts: ArrayLike) -> list[Floats]:
    """Score each option by the cosine of its vector and its context's.

    Parameters
    ----------
    options : sequence of float (k, d), of length n
        For each item the vectors of its options. An array (n, k, d) will do.
    contexts : float (n, d)

    Returns
    -------
    list of float64 (k,)
        Cosines, from -1 to 1.

    Raises
    ------
    ValueError
        When shapes disagree, a value is not finite, or a vector is zero, which has no direction.

    Examples
    --------
    >>> cosine_scores([[[2.0, 0.0], [0.0, 1.0]]], [[3.0, 0.0]])[0].tolist()
    [1.0, 0.0]
    """
    around = _unit(contexts, "contexts", ndim=2)
    if len(options) != len(around):
        raise ValueError(f"options must have {len(around)} items as contexts, got {len(options)}")
    scores = []
    for number, (vectors, context) in enumerate(zip(options, around, strict=True)):
        rows = _unit(vectors, f"options of item {number}", ndim=2)  # (k, d)
        if rows.shape[1] != len(context):
            raise ValueError(
                f"options of item {number} must have {len(context)} dimensions, got {rows.shape[1]}"
            )
        scores.append(np.clip(rows @ context, -1, 1))  # (k,)
    return scores


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How often pairs of words stand near each other in a corpus.

    Parameters
    ----------
    numbers : mapping of str to int
        The number of each word of the corpus.
    codes, counts : int64 (n_pairs,)
        Ascending codes ``a * V + b`` of ordered pairs of words, and how often each occurs.
    totals : int64 (V,)
        The ordered pairs of each word with any other.
    """

    numbers: dict[str, int]
    codes: Integers = field(repr=False)
    counts: Integers = field(repr=False)
    totals: Integers = field(repr=False)

    def count(self, a: str, b: str) -> int:
        """Return how often two words stand near each other; 0 if one is not in the corpus."""
        if a not in self.numbers or b not in self.numbers:
            return 0
        code = self.numbers[a] * len(self.numbers) + self.numbers[b]
        at = int(np.searchsorted(self.codes, code))
        return int(self.counts[at]) if at < len(self.codes) and self.codes[at] == code else 0

    def total(self, word: str) -> int:
        return int(self.totals[self.numbers[word]]) if word in self.numbers else 0


def count_pairs(corpus: Sequence[str], *, among: Iterable[str], window: int = WINDOW) -> PairCounts:
    """Count pairs of words at most ``window`` words apart in the same sentence.

    Parameters
    ----------
    corpus : sequence of str
        One sentence each.
    among : iterable of str
        Only pairs whose first word is among these are kept, which bounds the memory. Totals
        count all pairs.
    window : int, at least 1
        The largest distance, in content words: function words are not counted.

    Returns
    -------
    PairCounts

    Raises
    ------
    ValueError
        When ``window`` is below 1.
    """
    if window < 1:
        raise ValueError(f"window must be at least 1, got {window}")
    texts = [_content(text) for text in corpus]
    numbers = {word: i for i, word in enumerate(dict.fromkeys(w for text in texts for w in text))}
    flat = np.array([numbers[word] for text in texts for word in text], dtype=np.int64)
    sentence = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    is_kept = np.zeros(len(numbers), dtype=bool)
    is_kept[[numbers[word] for word in set(among) & numbers.keys()]] = True
    totals = np.zeros(len(numbers), dtype=np.int64)
    arrays = [np.zeros(0, dtype=np.int64)]
    for distance in range(1, min(window, max(len(flat) - 1, 0)) + 1):
        near = sentence[:-distance] == sentence[distance:]
        left, right = flat[:-distance][near], flat[distance:][near]
        for a, b in ((left, right), (right, left)):
            totals += np.bincount(a, minlength=len(numbers))
            arrays.append(a[is_kept[a]] * len(numbers) + b[is_kept[a]])
    codes, counts = np.unique(np.concatenate(arrays), return_counts=True)
    return PairCounts(numbers, codes, counts.astype(np.int64), totals)


def pmi_scores(
    corpus: Sequence[str],
    options: Sequence[Sequence[str]],
    contexts: Sequence[str],
    *,
    window: int = WINDOW,
    smoothing: float = SMOOTHING,
) -> list[Floats]:
    """Score each option by the mean PMI of its words and the words of its context.

    For words v and w with c(v, w) pairs near each other, E = c(v) c(w) / N expected if words were
    independent, and smoothing s, the PMI is log((c(v, w) + s) / (E + s)): 0 without data, and near
    0 for rare words.

    Parameters
    ----------
    corpus : sequence of str
        One sentence each; at least one pair of content words in all.
    options : sequence of sequence of str, of length n
        For each item its options, at least two.
    contexts : sequence of str, of length n
        The text that an option is associated with, without the options (`context_of`).
    window : int, at least 1
        As in `count_pairs`.
    smoothing : float, above 0

    Returns
    -------
    list of float64 (k,)
        In nats. Function words and repetitions are not counted. An item in which an option or the
        context has no word of the corpus has equal scores of 0: no comparison is possible.

    Raises
    ------
    ValueError
        When lengths differ, ``smoothing`` is not above 0, ``window`` is below 1, or the corpus has
        no pair.

    Source: Church and Hanks, Word association norms (1990), with the ratio of a count and its
    expectation smoothed. As a baseline: an item is associative if its words alone tell the answer
    (Trichelair et al., How reasonable are common-sense reasoning tasks, EMNLP 2019).
    """
    if len(options) != len(contexts):
        raise ValueError(f"contexts must have {len(options)} items as options, got {len(contexts)}")
    if not 0 < smoothing < np.inf:
        raise ValueError(f"smoothing must be above 0 and finite, got {smoothing!r}")
    names = [[_content(option) for option in each] for each in options]
    pairs = count_pairs(corpus, among=(w for each in names for n in each for w in n), window=window)
    total = int(pairs.totals.sum())
    if not total:
        raise ValueError("corpus must hold at least one pair of content words, got none")
    return [
        _item_pmi(pairs, total, each, _content(context), smoothing)
        for each, context in zip(names, contexts, strict=True)
    ]


def _item_pmi(
    pairs: PairCounts, total: int, names: Sequence[list[str]], context: list[str], smoothing: float
) -> Floats:
    around = [word for word in dict.fromkeys(context) if pairs.total(word)]
    words_of_names = [[word for word in dict.fromkeys(name) if pairs.total(word)] for name in names]
    if not around or not all(words_of_names):
        return np.zeros(len(names))
    means = []
    for name in words_of_names:
        near = np.array([pairs.count(v, w) for v, w in product(name, around)])
        expected = np.array([pairs.total(v) * pairs.total(w) for v, w in product(name, around)])
        means.append(np.log((near + smoothing) / (expected / total + smoothing)).mean())
    return np.array(means, dtype=np.float64)


def _name(word: str) -> str:
    """Return a word in the form in which it is compared."""
    return bare(word.casefold().replace("’", "'")).removesuffix("'s")


def _content(text: str) -> list[str]:
    names = (_name(word) for word in words(text) if BLANK not in word)
    return [word for word in names if word and not is_function_word(word)]


def _unit(vectors: ArrayLike, name: str, *, ndim: int) -> Floats:
    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != ndim or not np.isfinite(rows).all():
        raise ValueError(f"{name} must be finite and of {ndim} dimensions, got shape {rows.shape}")
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    if not (norms > 0).all():
        raise ValueError(f"{name} must not be zero vectors, which have no direction")
    return np.asarray(rows / norms)
