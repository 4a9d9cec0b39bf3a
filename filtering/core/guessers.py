"""What a filter's classifiers say of questions that none of them has seen.

AFLite scores a question by the share of classifiers that get it right without having trained on
it. A new question is unseen by all of them, so all n of the first phase have a say, and the share
that is right is the score it would have had there: the same number, held against the same tau.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from filtering.core.aflite import AFLite
from filtering.core.engines import Base
from filtering.core.parts import PhaseKeys
from filtering.core.table import Ids, Units


def first_members(
    estimator: AFLite,
    X: ArrayLike,  # noqa: N803
    y: ArrayLike,
    *,
    groups: Ids | None = None,
    ids: Ids | None = None,
) -> NDArray[np.float32]:
    """Train the classifiers of an estimator's first phase, which the phase itself lets go.

    Parameters
    ----------
    estimator : AFLite
    X, y, groups, ids
        As `AFLite.steps` takes them; errors as there.

    Returns
    -------
    float32 (n, d + 1)
        A classifier in each row, its intercept last, for features as they come (not centred).
        Empty (0, d + 1) where no phase starts, with m rows or fewer.
    """
    table = estimator.checked_table(X, y, groups, ids)
    rules = estimator.rules(table.n_rows)
    if table.n_rows <= rules.m:
        return np.empty((0, table.d + 1), dtype=np.float32)
    keys = PhaseKeys.of(seed=estimator.seed, phase=1, n=estimator.n)
    masks = rules.parts(table.keys, keys, Units.of(table.group_keys))  # (n_rows, n)
    rows = np.arange(len(table.y))
    ensemble = estimator.make_engine(table).fit(Base.of(rows), rows, masks)
    members = ensemble.weights.astype(np.float64)
    members[:, -1] -= members[:, :-1] @ table.mean
    return members.astype(np.float32)


def count_right(
    members: NDArray[np.float32], features: NDArray[np.float32], answers: Sequence[int]
) -> NDArray[np.int64]:
    """Count the classifiers that get each question right.

    Parameters
    ----------
    members : float32 (n, d + 1)
        From `first_members`, trained on answers 1 and 2.
    features : float32 (n_questions, d)
    answers : (n_questions,) of 1 or 2

    Returns
    -------
    int (n_questions,)
        From 0 to n.

    >>> members = np.array([[1, 0], [1, 0], [-1, 0]], dtype=np.float32)
    >>> count_right(members, np.array([[2.0]], dtype=np.float32), [2]).tolist()
    [2]
    """
    decisions = features @ members[:, :-1].T + members[:, -1]  # (n_questions, n)
    says_second = decisions > 0
    is_right = says_second == (np.asarray(answers) == 2)[:, None]
    n_right: NDArray[np.int64] = np.count_nonzero(is_right, axis=1)
    return n_right
