"""The majority's answer and a linear model."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evaluation.core.baselines import linear_predict, majority_predict

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 5)) * [1, 10, 100, 1000, 1]
Y = np.where(X[:, 0] + X[:, 3] / 1000 + 0.3 * RNG.normal(size=300) > 0, 1, 2)


def test_the_majority_answers_everything():
    assert majority_predict([2, 1, 2], [2, 2, 2]).tolist() == [2, 2, 2]


def test_of_equal_answers_the_smallest_is_taken():
    assert majority_predict([2, 1], [2, 2]).tolist() == [1, 1]


def test_no_training_answers_are_refused():
    with pytest.raises(ValueError, match="y_train must hold at least one answer"):
        majority_predict([], [2])


def test_a_question_gets_the_most_frequent_answer_that_it_has():
    assert majority_predict([5, 5, 5, 2, 3, 3], [2, 3, 4, 5]).tolist() == [2, 3, 3, 5]
    assert majority_predict([5], [2]).tolist() == [1]


def test_the_linear_model_is_scikit_learns():
    oracle = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-8, max_iter=1000))
    expected = oracle.fit(X[:200], Y[:200]).predict(X[200:])
    np.testing.assert_array_equal(linear_predict(X[:200], Y[:200], X[200:]), expected)
    assert (expected == Y[200:]).mean() > 0.8


def test_the_scale_of_a_feature_changes_nothing():
    scaled = X * [1e-3, 1, 1e3, 1, 1]
    np.testing.assert_array_equal(
        linear_predict(X[:200], Y[:200], X[200:]),
        linear_predict(scaled[:200], Y[:200], scaled[200:]),
    )


def test_one_class_is_answered_everywhere():
    assert linear_predict(X, np.full(300, 2), X[:4]).tolist() == [2, 2, 2, 2]


def test_constant_features_leave_the_majority():
    y = np.array([1, 2, 2])
    assert linear_predict(np.ones((3, 2)), y, np.ones((2, 2))).tolist() == [2, 2]


def test_no_questions_get_no_answers():
    assert linear_predict(X, Y, np.empty((0, 5))).shape == (0,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"C": 0}, "C must be above 0, got 0"),
        ({"X": np.full((2, 5), np.nan)}, "contains NaN"),
        ({"X": np.ones((2, 4))}, "X must have 5 features, got 4"),
        ({"y_train": Y[:-1]}, "inconsistent numbers of samples"),
    ],
)
def test_bad_input_is_named(changes, message):
    with pytest.raises(ValueError, match=message):
        linear_predict(**{"X_train": X, "y_train": Y, "X": X, **changes})
