"""Data of the AFLite benchmarks: synthetic encodings at the paper's scale, and real ones."""

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import TwinItem
from filtering.core.leaks import option_features
from modeling.encoders import load_encoder

# As in the paper: rows are drawn and removed one by one, with the published stopping rule.
PUBLISHED = {"stop": "published", "partition": "individual", "removal": "individual"}
CACHE = Path(__file__).resolve().parent.parent / "var" / "benchmarks"
BLOCK = 8192

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


def encoded(questions: list[TwinItem], spec: str) -> Floats:
    """Encode once; later runs read a file named by the hash of the content."""
    lines = "\n".join([spec, *(question.to_line() for question in questions)])
    path = CACHE / f"{hashlib.sha256(lines.encode()).hexdigest()[:32]}.npy"
    if not path.is_file():
        print(f"encoding {len(questions)} questions with {spec} …", flush=True)
        first, second = zip(*(question.filled for question in questions), strict=True)
        rows = load_encoder(spec).encode(first + second)
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, option_features(rows[: len(first)], rows[len(first) :]))
    return np.load(path)


class Synthetic:
    """Rows like a transformer's encodings, with labels that a linear model predicts in part.

    Standard deviations along random directions decrease like 1 / (1 + i) ** decay; means are small,
    and three features have a large mean and spread, like RoBERTa's. Labels follow a logistic model
    with equal weights for all directions and strength ``gain``: with 47,000 rows of 1,024 features
    and training sets of 10,000, three quarters of held-out predictions are right.
    """

    def __init__(self, d: int, *, decay: float, gain: float, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        scale = (1.0 + np.arange(d)) ** -decay
        scale *= 0.35 * np.sqrt(d / np.sum(scale**2))
        turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
        self.mixing = (scale[:, None] * turn).astype(np.float32)  # (d, d)
        self.mean = rng.normal(0, 0.1, d).astype(np.float32)
        outliers = rng.choice(d, 3, replace=False)
        self.mixing[:, outliers] *= 8
        self.mean[outliers] = 12, -8, 4
        self.truth = (gain * rng.standard_normal(d) / np.sqrt(d)).astype(np.float32)
        self.rng = rng

    def fill(self, X: Floats) -> Bools:  # noqa: N803
        """Fill X (n_rows, d), which may be a mapped file, block by block; return the labels."""
        y = np.empty(len(X), dtype=bool)
        for start in range(0, len(X), BLOCK):
            block = self.rng.standard_normal(X[start : start + BLOCK].shape, dtype=np.float32)
            chance = 1 / (1 + np.exp(-block @ self.truth))
            y[start : start + BLOCK] = self.rng.random(len(block)) < chance
            X[start : start + BLOCK] = block @ self.mixing + self.mean
        return y
