"""What an audit of keys found, in sentences, from its result as it is stored."""

from collections.abc import Mapping
from typing import Any

from evaluation.core.key_power import FALSE_SHARE, LEAST_POWER

MOST_NEEDED = 2
"""Of the ways to have enough systems, those that are said: the smallest ranges of accuracy."""
FEW, RIGHT_OF_FEW = 15, 0.2
"""Of the keys that ten systems at random suspected on real answers, a fifth was right; with twenty,
which are worth 17 independent ones, less than a tenth."""


def verdict(result: Mapping[str, Any]) -> str:
    """Return what was found, and how many of the wrong keys would have been."""
    n_questions, n_suspected = result["n_questions"], result["n_suspected"]
    found = f"{result['power']:.0%} of wrong keys"
    if not result["can_tell"]:
        return (
            f"Cannot tell: {_systems(result)} would have found about {found}, and "
            f"{LEAST_POWER:.0%} are needed. {needed(result)}"
        )
    if not n_suspected:
        return (
            f"No key of {n_questions:,} questions is suspected; {_systems(result)} would have "
            f"found about {found}."
        )
    keys = "key is" if n_suspected == 1 else "keys are"
    return (
        f"{n_suspected:,} of {n_questions:,} {keys} suspected. Of such suspected keys, about "
        f"{FALSE_SHARE:.0%} at most are expected to be right, if the model fits{_of_few(result)}: "
        "people must decide. "
        f"{_systems(result).capitalize()} would have found about {found}."
    )


def _of_few(result: Mapping[str, Any]) -> str:
    """Return what is known of the suspicions of few systems, if these are few."""
    if independent(result) >= FEW:
        return ""
    return f"; with fewer than {FEW} independent systems it was {RIGHT_OF_FEW:.0%} on real answers"


def independent(result: Mapping[str, Any]) -> float:
    """Return how many systems with errors of their own the systems of an audit are worth."""
    return float(sum(system["weight"] for system in result["systems"]))


def needed(result: Mapping[str, Any]) -> str:
    """Return which systems would find half of the wrong keys."""
    ways = [
        f"{way['n_systems']} independent systems with accuracies spread evenly from "
        f"{way['low']:.0%} to {way['high']:.0%}"
        for way in result["needed"]
        if way["n_systems"]
    ]
    if not ways:
        return "No number of systems up to 200 would be enough in our simulations."
    return (
        f"In simulations, enough are {', or '.join(ways[:MOST_NEEDED])}. This is a guide: systems "
        "that cannot tell know little of how hard the questions are."
    )


def _systems(result: Mapping[str, Any]) -> str:
    n = len(result["systems"])
    return f"these {n:,} systems, which are worth {independent(result):.1f} independent ones,"
