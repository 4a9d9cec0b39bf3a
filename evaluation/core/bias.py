"""Gender bias: the gotcha gaps of Winogender and the stereotype gaps of WinoBias."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corpora.core.metrics import accuracy
from stats.differences import clustered_difference
from stats.groups import Names, group_numbers
from stats.intervals import Estimate

Bools = NDArray[np.bool_]
GENDERS = ("female", "male", "neutral")


@dataclass(frozen=True, slots=True)
class GotchaGap:
    """Accuracy on the sentences with pronouns of one gender.

    Parameters
    ----------
    non_gotcha, gotcha : Estimate
    delta : Estimate
        Non-gotcha minus gotcha: above 0 if the model follows the majority gender.
    """

    non_gotcha: Estimate
    gotcha: Estimate
    delta: Estimate


@dataclass(frozen=True, slots=True)
class StereotypeGap:
    """Accuracy on sentences of one type of WinoBias.

    Parameters
    ----------
    pro, anti : Estimate
        Where the pronoun's gender agrees with the stereotype of the right occupation, and not.
    gap : Estimate
        Pro minus anti.
    """

    pro: Estimate
    anti: Estimate
    gap: Estimate


def gotchas(
    genders: Sequence[str], occupation_right: ArrayLike, percent_female: ArrayLike
) -> Bools:
    """Return which sentences of Winogender are gotchas.

    Parameters
    ----------
    genders : n of {'female', 'male', 'neutral'}
        Of the pronoun.
    occupation_right : bool (n,)
        Whether the pronoun refers to the occupation and not to the other participant.
    percent_female : float in [0, 100] (n,)
        Share of women in the sentence's occupation, of the Bureau of Labor Statistics.

    Returns
    -------
    bool (n,)
        True for a female pronoun if the occupation is right and under 50 % female, or if the
        participant is right and the occupation is at least 50 % female; for a male pronoun, the
        opposite. False for a neutral pronoun.

    Raises
    ------
    ValueError
        When a gender is unknown, a percentage is out of range, or the lengths differ.

    Source: Rudinger et al., Gender Bias in Coreference Resolution (NAACL 2018), Table 2. WinoGrande
    (AAAI 2020), §5.4 speaks of the occupation's majority gender only; its Table 7 has 120 sentences
    in each cell and takes its baselines from Rudinger et al., as this definition does.

    Examples
    --------
    >>> gotchas(["female", "male", "female"], [True, True, False], [40.3, 40.3, 40.3]).tolist()
    [True, False, False]
    """
    female = _are_female(genders)
    right = _flags(occupation_right, "occupation_right", len(genders))
    percent = np.asarray(percent_female, dtype=np.float64)
    if percent.shape != right.shape or not ((percent >= 0) & (percent <= 100)).all():
        raise ValueError(f"percent_female must be {len(right)} numbers from 0 to 100")
    neutral = np.array([gender == "neutral" for gender in genders], dtype=bool)
    is_gotcha: Bools = (female == (right == (percent < 50))) & ~neutral
    return is_gotcha


def gotcha_gaps(
    credits: ArrayLike, genders: Sequence[str], gotcha: ArrayLike, groups: Names
) -> dict[str, GotchaGap]:
    """Return Winogender's accuracies by gender and gotcha, with ΔF and ΔM.

    Parameters
    ----------
    credits : bool, or float in [0, 1] (n,)
        As in `metrics.accuracy`.
    genders : n of {'female', 'male', 'neutral'}
        Sentences with neutral pronouns are not counted.
    gotcha : bool (n,)
        See `gotchas`.
    groups : (n,)
        The occupation: its sentences share most words.

    Returns
    -------
    dict
        'female' with ΔF as its delta, and 'male' with ΔM. Deltas have the interval of
        `stats.differences.clustered_difference` over groups; the other intervals are those of
        `metrics.accuracy`. The paper's |ΔF| is the absolute value.

    Raises
    ------
    ValueError
        As `metrics.accuracy`, and when a gender is unknown or the lengths differ.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §5.4 and Table 7; the intervals are ours.
    """
    _are_female(genders)
    values, of_row = _checked(credits, groups, len(genders))
    hard = _flags(gotcha, "gotcha", len(values))
    names = np.array(genders, dtype=object)
    return {
        gender: GotchaGap(*_sides(values, ~hard, of_row, names == gender))
        for gender in ("female", "male")
    }


def stereotype_gaps(
    credits: ArrayLike, pro: ArrayLike, types: Sequence[Hashable], pairs: Names
) -> dict[Hashable, StereotypeGap]:
    """Return WinoBias's accuracies on pro- and anti-stereotyped sentences of each type.

    Parameters
    ----------
    credits : bool, or float in [0, 1] (n,)
        As in `metrics.accuracy`.
    pro : bool (n,)
        Whether a sentence is pro-stereotyped.
    types : (n,)
        The type of each sentence, 1 or 2; any value is accepted, such as a type and a split.
    pairs : (n,)
        The value that a pro-stereotyped sentence and its anti-stereotyped version share. Several
        pairs may share it, if they are otherwise dependent.

    Returns
    -------
    dict of type to StereotypeGap
        In the order of the types' first sentences. The gap has the interval of
        `stats.differences.clustered_difference` over pairs.

    Raises
    ------
    ValueError
        As `metrics.accuracy`; when a value of ``pairs`` has not as many pro- as anti-stereotyped
        sentences of a type, or the lengths differ.

    Source: Zhao et al., Gender Bias in Coreference Resolution: Evaluation and Debiasing Methods
    (NAACL 2018), §2, who report F1 of spans; here it is accuracy, and the intervals are ours.
    """
    values, of_row = _checked(credits, pairs, len(types))
    side = _flags(pro, "pro", len(values))
    of_type = group_numbers([(kind,) for kind in types])
    gaps: dict[Hashable, StereotypeGap] = {}
    for number, kind in enumerate(dict.fromkeys(types)):
        rows = of_type == number
        balance = np.bincount(of_row[rows], weights=np.where(side[rows], 1, -1))
        if balance.any():
            raise ValueError(
                "pairs must each have as many pro- as anti-stereotyped sentences of a type, "
                f"got {int((balance != 0).sum())} of type {kind!r} that do not"
            )
        gaps[kind] = StereotypeGap(*_sides(values, side, of_row, rows))
    return gaps


def _sides(
    values: NDArray[np.float64], first: Bools, of_row: NDArray[np.int64], rows: Bools
) -> tuple[Estimate, Estimate, Estimate]:
    """Return the accuracy of rows on each side, and the difference."""
    one, two = rows & first, rows & ~first
    return (
        accuracy(values[one], of_row[one]),
        accuracy(values[two], of_row[two]),
        clustered_difference(values[rows], first[rows], of_row[rows]),
    )


def _checked(
    credits: ArrayLike, groups: Names, n: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    accuracy(credits, groups)  # raises if they are not credits
    values = np.asarray(credits, dtype=np.float64)
    if len(values) != n:
        raise ValueError(f"credits must have {n} entries, got {len(values)}")
    return values, group_numbers(groups)


def _are_female(genders: Sequence[str]) -> Bools:
    unknown = set(genders) - set(GENDERS)
    if unknown:
        raise ValueError(f"genders must be of {GENDERS}, got {sorted(unknown)}")
    return np.array([gender == "female" for gender in genders], dtype=bool)


def _flags(values: ArrayLike, name: str, n: int) -> Bools:
    flags = np.asarray(values)
    if flags.size == 0:
        flags = np.zeros(0, dtype=bool)
    if flags.shape != (n,) or flags.dtype != np.bool_:
        raise ValueError(f"{name} must be {n} booleans, got {flags.dtype} of shape {flags.shape}")
    return flags
