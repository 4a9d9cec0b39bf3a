"""How alike the sentences of a set are, and sizes and settings of WinoLogic as printed."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

SOURCE = "WinoLogic (EMNLP 2021)"
VARIANTS = ("variable", "grounded", "natural")
N_PROBLEMS, N_VALID = 562, 518
N_TRUE, N_FALSE = 249, 269
KINDS = {"negation": 40, "swapped": 72, "replaced": 117, "changed": 20, "other": 20}
"""False problems of the validated set by kind."""
RAW_AGREEMENT, MEAN_KAPPA = 0.9386, 0.8772

SEEDS = (42, 1718, 3149, 8747, 9334)
EPOCHS = 30
_RATES = """
BERT (base)                1e-2 1e-2 5e-3 1e-2 1e-2
BERT (large)               1e-4 1e-4 1e-4 1e-4 1e-4
RoBERTa (base)             2e-2 3e-2 2e-2 1e-2 2e-2
RoBERTa (large)            2e-5 2e-5 1e-5 2e-5 2e-5
GPT-2 (base)               5e-4 5e-4 5e-4 2e-4 5e-4
GPT-2 (large)              1e-4 1e-4 1e-4 1e-4 1e-4
BERT (base) + WR           1e-2 1e-2 1e-2 1e-2 1e-2
BERT (large) + WR          1e-4 5e-5 1e-4 1e-4 1e-4
BERT (base) + WG           1e-2 1e-2 1e-2 1e-2 5e-3
BERT (large) + WG          5e-5 1e-4 1e-4 5e-5 1e-4
RoBERTa (base) + WR        1e-2 2e-2 1e-2 5e-3 2e-2
RoBERTa (large) + WR       2e-5 2e-5 2e-5 2e-5 2e-5
RoBERTa (base) + WG        2e-2 1e-2 5e-3 1e-2 1e-2
RoBERTa (large) + WG       2e-5 1e-5 2e-5 2e-5 1e-5
"""
TABLE_6 = {
    " ".join(words[:-5]): tuple(map(float, words[-5:]))
    for words in map(str.split, _RATES.strip().splitlines())
}
"""The learning rates of baseline 2, for each of `SEEDS`."""


def rate_of(name: str, seed: int) -> float:
    """Return a model's learning rate; for another seed, the one that most of the five have.

    >>> rate_of("BERT (base)", 3149), rate_of("BERT (base)", 7)
    (0.005, 0.01)
    """
    rates = TABLE_6[name]
    return rates[SEEDS.index(seed)] if seed in SEEDS else max(rates, key=rates.count)


def batch_size_of(name: str) -> int:
    """Return the batch size of a model of Table 6.

    >>> batch_size_of("RoBERTa (base) + WG"), batch_size_of("GPT-2 (base)")
    (32, 1)
    """
    return 1 if "large" in name or name.startswith("GPT-2") else 32


_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Likeness:
    """Figures of one pair, or their means over pairs.

    Parameters
    ----------
    jaccard : float in [0, 1]
        Common tokens ÷ all tokens, as sets.
    edit_distance : float, at least 0
        Tokens inserted, deleted or replaced.
    length_difference : float, at least 0
        In tokens.
    n : int
        Pairs.
    """

    jaccard: float
    edit_distance: float
    length_difference: float
    n: int = 1


PUBLISHED = {
    "variable": Likeness(0.9325, 2.4626, 0.3203, 281),
    "grounded": Likeness(0.9270, 2.6050, 0.5125, 281),
    "natural": Likeness(0.9178, 2.5730, 0.4769, 281),
}
"""WinoLogic (EMNLP 2021), Table 1; the paper does not say which tokens were counted."""


def tokens(text: str) -> list[str]:
    """Return the words of a text in lower case, and its punctuation marks.

    >>> tokens("If X isn't well-known, stop.")
    ['if', 'x', "isn't", 'well-known', ',', 'stop', '.']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))


def likeness(true: str, false: str) -> Likeness:
    """Return how alike two sentences are.

    Source: WinoLogic (EMNLP 2021), Table 1, on the tokens of `tokens`.

    Examples
    --------
    >>> likeness("X is strong.", "Y is not strong.")
    Likeness(jaccard=0.5, edit_distance=2, length_difference=1, n=1)
    """
    first, second = tokens(true), tokens(false)
    both, either = set(first) & set(second), set(first) | set(second)
    return Likeness(
        jaccard=len(both) / len(either) if either else 1.0,
        edit_distance=edit_distance(first, second),
        length_difference=abs(len(first) - len(second)),
    )


def mean_likeness(pairs: Iterable[tuple[str, str]]) -> Likeness | None:
    """Return the mean figures over pairs of a true and a false sentence; None without pairs."""
    total = LikenessSum()
    for true, false in pairs:
        total.update(asdict(likeness(true, false)))
    return mean_of(total) if total else None


LikenessSum = Counter[str]
"""The fields of some `Likeness`, added up."""


def mean_of(total: LikenessSum) -> Likeness:
    """Return the means of what was added up."""
    n = total["n"]
    return Likeness(
        total["jaccard"] / n, total["edit_distance"] / n, total["length_difference"] / n, n
    )


def edit_distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the fewest tokens to insert, delete or replace between two lists (Levenshtein).

    >>> edit_distance("a b c".split(), "a c d".split())
    2
    """
    first, second = _without_common_ends(first, second)
    row = list(range(len(second) + 1))
    for i, token in enumerate(first, start=1):
        before, row[0] = row[0], i
        for j, other in enumerate(second, start=1):
            changed = before + (token != other)
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, changed)
    return row[-1]


def _without_common_ends(
    first: Sequence[str], second: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """Drop what both begin and end with, which no shortest edit touches."""
    shorter = min(len(first), len(second))
    start = next((k for k in range(shorter) if first[k] != second[k]), shorter)
    left = shorter - start
    end = next((k for k in range(left) if first[-1 - k] != second[-1 - k]), left)
    return first[start : len(first) - end], second[start : len(second) - end]
