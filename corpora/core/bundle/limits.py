"""What users of a release must know, as far as its own figures say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpora.core.bundle.layout import BLIND, DEV, FULL
from corpora.core.bundle.wording import count

UNCERTAIN = "figures on it are uncertain."


def few_pairs(splits: Mapping[str, Mapping[str, Any]], *, min_pairs: int) -> list[str]:
    """Return a warning for each split with fewer complete pairs than *min_pairs*."""
    return [
        f"{name} has {count(splits[name]['pairs'], 'complete pair')}, fewer than {min_pairs}: "
        f"{UNCERTAIN}"
        for name in (FULL, DEV, BLIND)
        if splits[name]["pairs"] < min_pairs
    ]


def limits(
    splits: Mapping[str, Mapping[str, Any]], *, near_duplicate: float, is_filtered: bool
) -> list[str]:
    """Return the known limits of a release, as sentences.

    Parameters
    ----------
    splits : mapping
        The figures of each file, as `bundle.facts.SplitFacts` has them.
    near_duplicate : float
        The similarity to a blind question from which a question was left out.
    is_filtered : bool
    """
    found = [
        "Near-duplicates of blind questions are found by common trigrams of their content words, "
        f"from a similarity of {near_duplicate:g}; rephrased ones are not recognised."
    ]
    if is_filtered:
        found.append(
            "The filter removes what a linear model on one encoding can guess; other models may "
            "find other associations."
        )
    else:
        found.append("The training set is not filtered: a model may use associations of words.")
    unpaired = splits[BLIND]["unpaired"]
    if unpaired:
        found.append(
            f"{count(unpaired, 'question')} of the blind test {_have(unpaired)} no twin in it."
        )
    return found


def _have(n: int) -> str:
    return "has" if n == 1 else "have"
