"""Credits for answers; accuracy and group score, with intervals over groups.

A tie is resolved in one way everywhere: the options with the highest score share the credit, as if
one of them were drawn at random.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import asdict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.groups import Names, group_numbers
from stats.intervals import Estimate, clustered_share, wilson

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def rounded_fields(found: Estimate, digits: int) -> dict[str, float | int | None]:
    """Return the fields of an estimate for JSON, its shares rounded.

    >>> rounded_fields(Estimate(1 / 3, 0.25, None, 3), 2)
    {'value': 0.33, 'low': 0.25, 'high': None, 'n': 3}
    """
    return {
        name: round(float(value), digits) if isinstance(value, float) else value
        for name, value in asdict(found).items()
    }


def credits(scores: Sequence[ArrayLike], answers: ArrayLike) -> Floats:
    """Return the probability of each item to be answered correctly if ties are drawn at random.

    Parameters
    ----------
    scores : n sequences of float (k_i,)
        A finite score for each option of each item; at least 2 options.
    answers : int (n,)
        The right option of each item, from 1.

    Returns
    -------
    float (n,)
        1/m if the right option is among the m options with the highest score, otherwise 0. Scores
        are tied only if they are exactly equal.

    Raises
    ------
    ValueError
        When an item has fewer than 2 scores or one that is not finite, an answer is not among its
        item's options, or the lengths differ.

    Examples
    --------
    >>> credits([[0.1, 0.9], [0.5, 0.5], [0.2, 0.2, 0.3]], [2, 1, 1]).tolist()
    [1.0, 0.5, 0.0]
    """
    shares = choice_shares(scores)
    right = answer_positions(answers, [len(share) for share in shares])
    return np.array([share[i] for share, i in zip(shares, right, strict=True)], dtype=np.float64)


def choice_shares(scores: Sequence[ArrayLike]) -> list[Floats]:
    """Return each option's probability to be chosen: 1/m for the m with the highest score.

    Parameters and errors are those of `credits`.

    Returns
    -------
    list of n float arrays (k_i,), each with sum 1
    """
    table = _table(scores)
    if table is not None:
        return list(table)
    shares = []
    for row, given in enumerate(scores):
        values = np.asarray(given, dtype=np.float64)
        if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
            raise ValueError(
                f"scores must have at least 2 finite numbers for each item, got {given} at {row}"
            )
        highest = values == values.max()
        shares.append(highest / highest.sum())
    return shares


def _table(scores: Sequence[ArrayLike]) -> NDArray[np.float64] | None:
    """Return the shares of items with equally many options (n, k) at once; None if it cannot."""
    shapes = {row.shape if isinstance(row, np.ndarray) else () for row in scores}
    if len(shapes) != 1 or len(min(shapes)) != 1:
        return None
    values = np.stack(scores).astype(np.float64)  # type: ignore[arg-type]
    if values.shape[1] < 2 or not np.isfinite(values).all():
        return None  # the loop names the item
    highest = values == values.max(axis=1, keepdims=True)
    shares: Floats = highest / highest.sum(axis=1, keepdims=True)
    return shares


def answer_positions(answers: ArrayLike, n_options: Sequence[int], name: str = "answers") -> Ints:
    """Return answers as positions from 0.

    Raises
    ------
    ValueError
        When ``answers`` are not integers from 1 to the item's number of options, one per item.
    """
    right, sizes = np.asarray(answers), np.asarray(n_options, dtype=np.int64)
    if right.size == 0:
        right = np.zeros(0, dtype=np.int64)
    if right.shape != sizes.shape or right.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be {len(sizes)} integers, got {right.dtype} of shape {right.shape}"
        )
    wrong = (right < 1) | (right > sizes)
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(f"{name} must be from 1 to {sizes[row]} at {row}, got {right[row]}")
    return right.astype(np.int64) - 1


def accuracy(credits: ArrayLike, groups: Names) -> Estimate:
    """Return the share of questions answered correctly, with an interval over groups.

    Parameters
    ----------
    credits : bool, or float in [0, 1] (n,)
        Whether each question is answered correctly, or its shared credit; see `credits`.
    groups : (n,)
        The value that twins, or members of a larger group, share; None for an ungrouped question.

    Returns
    -------
    Estimate
        n counts questions. The interval is Wilson's for the number of independent questions whose
        share has the same variance as over groups, at most n. So a model that is right on both
        twins or neither has the interval of n / 2 questions. One that ignores the trigger is
        right on one twin of each pair, always one half, and has the interval of n questions. So
        has a model with ties only: shared credits vary less than right and wrong answers.

    Raises
    ------
    ValueError
        When ``credits`` is not a one-dimensional array of booleans or of floats from 0 to 1, or
        the lengths differ.

    Examples
    --------
    >>> found = accuracy([True, True, False, False], ["a", "a", "b", "b"])
    >>> found.value, round(found.low, 3), round(found.high, 3), found.n
    (0.5, 0.095, 0.905, 4)
    """
    return clustered_share(*_numbered(credits, groups))


def group_credits(credits: ArrayLike, groups: Names) -> Floats:
    """Return the probability of each group to be answered correctly in every question.

    Parameters
    ----------
    credits, groups
        As in `accuracy`. Questions that are not in a group with others are not counted.

    Returns
    -------
    float in [0, 1] (n_groups,)
        In the order of the groups' first questions. Without ties it is the minimum over the
        group's questions. With ties it is the expectation of that minimum when each tie is drawn
        by itself, which is the product. The minimum of the credits would be larger: 1/2 for a pair
        of ties, where a coin is right on both in one case of four.

    Raises
    ------
    ValueError
        As `accuracy`.

    Source: Elazar et al., Back to Square One (EMNLP 2021), §3.1.

    Examples
    --------
    >>> group_credits([1.0, 0.5, 0.5, 0.5, 1.0], ["a", "a", "b", "b", None]).tolist()
    [0.5, 0.25]
    """
    values, of_row = _numbered(credits, groups)
    products = np.ones(of_row.max(initial=-1) + 1)
    np.multiply.at(products, of_row, values)
    return products[np.bincount(of_row) > 1]


def group_score(credits: ArrayLike, groups: Names) -> Estimate:
    """Return the share of groups in which every question is answered correctly.

    A model that ignores the trigger gives both twins the same answer and scores 0 here. The levels
    of models that know nothing are in `chance.chance`.

    Parameters
    ----------
    credits, groups
        As in `accuracy`. Questions that are not in a group with others are not counted.

    Returns
    -------
    Estimate
        The mean of `group_credits`. n counts groups of at least two questions, and the interval is
        Wilson's over them; the other fields are None if there are none.

    Raises
    ------
    ValueError
        As `accuracy`.
    """
    values = group_credits(credits, groups)
    return wilson(float(values.sum()), len(values))


def by_subset(
    credits: ArrayLike,
    groups: Names,
    labels: Sequence[Hashable | None],
    *,
    metric: Callable[[ArrayLike, Names], Estimate] = accuracy,
) -> dict[Hashable, Estimate]:
    """Return a metric over the questions of each label.

    Parameters
    ----------
    credits, groups
        As in `accuracy`.
    labels : (n,)
        Questions with the label None are not counted.
    metric : `accuracy` or `group_score`
        A group score is over the group's questions with the label: twins with different labels
        are in no label's group score.

    Returns
    -------
    dict of label to Estimate
        In the order of the labels' first questions.

    Raises
    ------
    ValueError
        As `accuracy`, and when ``labels`` has another length.

    Examples
    --------
    >>> found = by_subset([True, False, True], [None] * 3, ["social", "social", "physical"])
    >>> {label: estimate.value for label, estimate in found.items()}
    {'social': 0.5, 'physical': 1.0}
    """
    values, of_row = _numbered(credits, groups)
    if len(labels) != len(values):
        raise ValueError(f"labels must have {len(values)} entries as credits, got {len(labels)}")
    rows: dict[Hashable, list[int]] = {}
    for row, label in enumerate(labels):
        if label is not None:
            rows.setdefault(label, []).append(row)
    return {label: metric(values[of], of_row[of]) for label, of in rows.items()}


def _numbered(credits: ArrayLike, groups: Names) -> tuple[Floats, Ints]:
    values = np.asarray(credits)
    if values.size == 0:
        values = np.zeros(0)
    if values.ndim != 1 or values.dtype.kind not in "bf":
        raise ValueError(
            "credits must be a one-dimensional array of booleans or of floats, "
            f"got {values.dtype} of shape {values.shape}"
        )
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"credits must be from 0 to 1, got from {values.min()} to {values.max()}")
    if len(groups) != len(values):
        raise ValueError(f"groups must have {len(values)} entries as credits, got {len(groups)}")
    return values.astype(np.float64), group_numbers(groups)
