"""Real votes with their truths: the data sets of ``crowd_votes``."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from stats.tables import codes
from tests.data_dir import data_dir

Ints = NDArray[np.int64]
FOLDER = data_dir() / "crowd_votes"
NAMES = ("d_jn-product", "rte", "d_sentiment")

needs_crowd_votes = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"needs the real votes in {FOLDER}; set WINO_DATA_DIR"
)


@dataclass(frozen=True)
class CrowdVotes:
    """Votes as numbers from 0, and the truth of each item."""

    items: Ints
    workers: Ints
    labels: Ints
    truths: Ints


def crowd_votes(name: str) -> CrowdVotes:
    """Read one of the binary data sets with known truths."""
    folder = FOLDER / "truth-inference" / name
    item, worker, label = _columns(folder / "label.csv")
    truths = dict(zip(*_columns(folder / "truth.csv"), strict=True))
    numbers, names = codes(item)
    return CrowdVotes(
        numbers, codes(worker)[0], np.array(label), np.array([truths[n] for n in names])
    )


def caries() -> tuple[Ints, Ints, Ints]:
    """Read five dentists' answers of 3,869 X-rays: items, raters, labels; no truth is known."""
    rater, item, label = _columns(FOLDER / "bob-carpenter" / "caries.csv")
    return codes(item)[0], codes(rater)[0], np.array(label)


def _columns(path: Path) -> list[list[int]]:
    with path.open(newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    return [[int(value) for value in column] for column in zip(*rows, strict=True)]
