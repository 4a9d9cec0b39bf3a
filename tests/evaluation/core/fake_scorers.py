"""Scorers without a model: each text with each option has a fixed number that no word explains."""

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from evaluation.core.artifacts.detection import TEXTS, ScoresByText
from evaluation.core.artifacts.results import EXCERPTS


def preferences(items: Sequence[Item], text: str, *, salt: str = "") -> dict[str, NDArray]:
    """Return the scores of a text by item: a hash of it with each option, from 0 to 1."""
    return {
        item.id: np.array([crc32(f"{salt}{filled}".encode()) / 2**32 for filled in item.filled])
        for item in TEXTS[text](items).items
    }


def asked(items: Sequence[Item], *, salt: str = "") -> ScoresByText:
    """Return the scores of all texts."""
    return {text: preferences(items, text, salt=salt) for text in EXCERPTS}


def followed(items: Sequence[Item], text: str, *, strength: float, seed: int) -> list[Item]:
    """Return the items of pairs whose answers follow the preferences, else a coin.

    A pair follows if the scorer prefers different options in its two items, or each in turn.
    """
    rng, scores = np.random.default_rng(seed), preferences(items, text)
    found = []
    for first, second in zip(items[::2], items[1::2], strict=True):
        margins = [np.subtract(*scores[one.id]) for one in (first, second)]
        answer = 1 if margins[0] > margins[1] else 2
        if rng.random() >= strength:
            answer = int(rng.integers(1, 3))
        found += [replace(first, answer=answer), replace(second, answer=3 - answer)]
    return found
