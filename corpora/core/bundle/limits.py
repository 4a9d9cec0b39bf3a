"""What users of a release must know, as far as its own figures say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corpora.core.bundle.layout import BLIND, DEV, FULL
from corpora.core.bundle.wording import count

_FILTERS = {
    "aflite": "The filter removes what a linear model on one encoding can guess; other models may "
    "find other associations.",
    "random": "The filter is a baseline that removes questions at random: a model may use "
    "associations of words.",
    "pmi": "The filter is a baseline that removes questions whose words tell the answer; models "
    "may find other associations.",
}
UNCERTAIN, EMPTY = "figures on it are uncertain.", "has no questions."
"""How warnings about few pairs end."""


def few_pairs(splits: Mapping[str, Mapping[str, Any]], *, min_pairs: int) -> list[str]:
    """Return a warning for each split with fewer complete pairs than *min_pairs*."""
    return [
        f"{name} {EMPTY}"
        if not splits[name]["questions"]
        else f"{name} has {count(splits[name]['pairs'], 'complete pair')}, fewer than {min_pairs}: "
        f"{UNCERTAIN}"
        for name in (FULL, DEV, BLIND)
        if splits[name]["pairs"] < min_pairs
    ]


def limits(
    splits: Mapping[str, Mapping[str, Any]],
    *,
    near_duplicate: float,
    selection: Mapping[str, Any] | None,
) -> list[str]:
    """Return the known limits of a release, as sentences.

    Parameters
    ----------
    splits : mapping
        The figures of each file, as `bundle.facts.SplitFacts` has them.
    near_duplicate : float
        The similarity to a blind question from which a question was left out.
    selection : mapping, or None
        As in `manifest.Manifest`.
    """
    found = [
        "Near-duplicates of blind questions are found by common trigrams of their content words, "
        f"from a similarity of {near_duplicate:g}; rephrased ones are not recognised."
    ]
    if selection is None:
        found.append("The training set is not filtered: a model may use associations of words.")
    else:
        found.append(_FILTERS.get(_method(selection), _FILTERS["aflite"]))
    unpaired = splits[BLIND]["unpaired"]
    if unpaired:
        found.append(
            f"{count(unpaired, 'question')} of the blind test {_have(unpaired)} no twin in it."
        )
    return found


def _method(selection: Mapping[str, Any]) -> str:
    settings = selection.get("filter")
    return str(settings.get("method")) if isinstance(settings, Mapping) else ""


def _have(n: int) -> str:
    return "has" if n == 1 else "have"
