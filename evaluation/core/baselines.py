"""Baselines: the most frequent answer, random answers, and a linear model of an encoding."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_array, check_X_y


def majority_predict(y_train: ArrayLike, n_options: ArrayLike) -> NDArray[np.int64]:
    """Predict, for every question, the most frequent training answer among its options.

    Parameters
    ----------
    y_train : int (n_train,)
        At least one; ties are resolved to the smallest answer.
    n_options : int (n,)
        The number of options of each question, at least 2.

    Returns
    -------
    int (n,)
        From 1 to the question's number of options; 1 if no training answer is among them.

    Raises
    ------
    ValueError
        When ``y_train`` is empty.

    Examples
    --------
    >>> majority_predict([2, 1, 2], [2, 2]).tolist()
    [2, 2]
    >>> majority_predict([3, 3, 1], [2, 3]).tolist()
    [1, 3]
    """
    counts = np.bincount(np.asarray(y_train, dtype=np.int64))
    if len(counts) == 0:
        raise ValueError("y_train must hold at least one answer, got none")
    sizes = np.asarray(n_options, dtype=np.int64)
    of_size = {k: 1 + counts[1 : k + 1].argmax() if len(counts) > 1 else 1 for k in set(sizes)}
    return np.array([of_size[k] for k in sizes], dtype=np.int64)


def linear_predict(
    X_train: ArrayLike,  # noqa: N803
    y_train: ArrayLike,
    X: ArrayLike,  # noqa: N803
    *,
    C: float = 1.0,  # noqa: N803
) -> NDArray[np.int64]:
    """Predict answers with a logistic regression on features of the questions.

    The features encode only the whole sentence, so its accuracy measures how well a model can
    still guess answers in a release.

    Parameters
    ----------
    X_train : (n_train, d), finite
        `X_train` and `X` are standardised by the means and deviations of `X_train`.
    y_train : int (n_train,)
        If all are equal, that answer is predicted for every question.
    X : (n, d), finite
    C : float, above 0
        Inverse strength of the L2 penalty.

    Returns
    -------
    int (n,)

    Raises
    ------
    ValueError
        When shapes disagree, values are not finite, or ``C`` is not above 0.
    """
    if not C > 0:
        raise ValueError(f"C must be above 0, got {C!r}")
    features, answers = check_X_y(X_train, y_train, dtype=np.float64)
    matrix = check_array(X, dtype=np.float64, ensure_min_samples=0)
    if matrix.shape[1] != features.shape[1]:
        raise ValueError(f"X must have {features.shape[1]} features, got {matrix.shape[1]}")
    if len(matrix) == 0 or len(np.unique(answers)) == 1:
        return np.full(len(matrix), answers[0], dtype=np.int64)
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(C=C, max_iter=1000, solver="newton-cholesky")
    model.fit(scaler.transform(features), answers)
    return np.asarray(model.predict(scaler.transform(matrix)), dtype=np.int64)
