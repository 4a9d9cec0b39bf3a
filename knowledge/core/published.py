"""The figures of WinoLogic (EMNLP 2021), Tables 2 to 6, as printed.

Accuracies and standard deviations are shares from 0 to 1. They are shown beside a set's own
figures for comparison; models and questions differ.
"""

from __future__ import annotations

SOURCE = "WinoLogic (EMNLP 2021)"
VARIANTS = ("variable", "grounded", "natural")
N_PROBLEMS, N_VALID = 562, 518
N_TRUE, N_FALSE = 249, 269
KINDS = {"negation": 40, "swapped": 72, "replaced": 117, "changed": 20, "other": 20}
"""False problems of the validated set by kind."""
RAW_AGREEMENT, MEAN_KAPPA = 0.9386, 0.8772
_MODELS = """
Majority              54.63 57.53 53.67  50    0.0087 49.34 0.0063 49.03 0.0042
BERT (base)           50.97 54.44 51.54  50.46 0.0111 48.69 0.0075 49.42 0.0076
BERT (large)          50.77 54.25 49.61  49.42 0.0089 48.88 0.01   49.54 0.0169
RoBERTa (base)        50.58 54.05 51.54  49.58 0.0077 49.77 0.0023 49.38 0.0116
RoBERTa (large)       52.12 55.98 52.12  47.84 0.0043 47.61 0.0072 48.53 0.0076
GPT-2 (base)          51.35 47.88 52.32  49.31 0.0083 48.92 0.0065 48.92 0.0079
GPT-2 (large)         50.39 51.74 51.74  50.39 0.0156 49.03 0.0116 49.46 0.0143
BERT (base) + WR      49.23 51.93 50.58  48.88 0.0087 47.88 0.0129 48.26 0.0118
BERT (large) + WR     51.16 52.7  49.61  48.65 0.0127 49.31 0.0097 48.92 0.0113
RoBERTa (base) + WR   52.12 53.28 49.61  49.38 0.0077 49.07 0.0114 49.73 0.013
RoBERTa (large) + WR  52.9  56.76 55.21  48.26 0.0047 48.11 0.0072 48.46 0.004
BERT (base) + WG      51.35 55.98 51.35  49.92 0.0066 48.84 0.0061 50    0.0142
BERT (large) + WG     50.39 54.25 51.74  50.42 0.0114 49.81 0.0106 49.23 0.0093
RoBERTa (base) + WG   51.35 54.05 51.35  49.58 0.0109 49.31 0.0111 49.46 0.0097
RoBERTa (large) + WG  55.79 57.14 55.98  52.66 0.0318 53.98 0.0389 52.16 0.0202
"""
_NLI = """
Majority              52.32 53.67 51.35
BERT (base) + QNLI    50.97 51.54 49.23
RoBERTa (base) + QNLI 53.67 48.65 52.7
BERT (base) + MNLI    51.93 51.74 50.58
RoBERTa (base) + MNLI 51.74 52.32 51.93
RoBERTa (large) + MNLI 51.93 54.63 52.32
"""
MAJORITY = "Majority"


def _table(text: str, columns: dict[str, int], scale: float = 0.01) -> dict[str, dict[str, float]]:
    """Read named columns of the last words of each line."""
    rows = {}
    n_words = len(text.strip().splitlines()[0].split()) - 1
    for line in text.strip().splitlines():
        words = line.split()
        name = " ".join(words[:-n_words])
        values = [float(word) for word in words[-n_words:]]
        rows[name] = {column: round(values[k] * scale, 6) for column, k in columns.items()}
    return rows


TABLE_2_BASELINE_1 = _table(_MODELS, {"variable": 0, "grounded": 1, "natural": 2})
TABLE_2_BASELINE_2 = _table(_MODELS, {"variable": 3, "grounded": 5, "natural": 7})
TABLE_2_BASELINE_2_SD = _table(_MODELS, {"variable": 4, "grounded": 6, "natural": 8}, 1)
TABLE_3 = _table(_NLI, {"variable": 0, "grounded": 1, "natural": 2})

# Accuracy on true and on false problems, each with its standard deviation over models.
TABLE_4 = {
    (1, "variable"): ((0.5224, 0.0240), (0.5074, 0.0102)),
    (2, "variable"): ((0.7231, 0.1122), (0.2863, 0.1079)),
    (3, "variable"): ((0.1550, 0.1784), (0.8587, 0.1508)),
    (1, "grounded"): ((0.5622, 0.0321), (0.5173, 0.0219)),
    (2, "grounded"): ((0.8537, 0.0994), (0.1577, 0.0859)),
    (3, "grounded"): ((0.2851, 0.2621), (0.7331, 0.2724)),
    (1, "natural"): ((0.5258, 0.0287), (0.5096, 0.0162)),
    (2, "natural"): ((0.6742, 0.1993), (0.3270, 0.1820)),
    (3, "natural"): ((0.3542, 0.3544), (0.6610, 0.3300)),
}

# Accuracy on the false problems of the variable set by kind, in the order of KINDS, and in all.
TABLE_5 = {
    1: (0.5375, 0.5159, 0.4933, 0.4893, 0.5179, 0.5074),
    2: (0.3057, 0.2454, 0.2838, 0.3836, 0.3121, 0.2863),
    3: (0.8750, 0.8639, 0.8479, 0.9000, 0.8300, 0.8587),
}
PEOPLE_RIGHT = {"negation": 235, "swapped": 415, "replaced": 686, "changed": 117, "other": 112}
"""Of six answers a problem, those that equal the label, as the printed shares imply."""
TABLE_5_PEOPLE = (0.9792, 0.9606, 0.9772, 0.9750, 0.9333, 0.9696)

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
