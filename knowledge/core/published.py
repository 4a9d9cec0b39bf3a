"""Sizes, agreement and settings of WinoLogic (EMNLP 2021), as printed."""

from __future__ import annotations

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
