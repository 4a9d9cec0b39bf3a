"""What an outsider gains on a blind test by reversing a linear model (decision 0087).

The bias is planted, so all labels are known. The outsider has the text, so the features, of every
question, and the labels of the public ones that were kept. They train on these and answer the kept
blind questions, or answer the opposite.
"""

from collections import defaultdict

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from benchmarks.planted_bias import plant
from filtering.core.aflite import AFLite
from filtering.core.parameters import settings
from filtering.core.probes import probe

pytestmark = pytest.mark.long
N, SETS, DRAWS, FOLDS = 1200, 12, 3, 5


@pytest.fixture(scope="module", params=["published", "neutral"])
def gains(request):
    """For each way to decide whether to reverse: accuracies on blind tests (SETS * DRAWS,)."""
    found = defaultdict(list)
    for seed in range(SETS):
        made = plant(N, 16, share=0.25, strength=6.0, paired=0.5, seed=1000 + seed)
        rule = AFLite(**settings(request.param, N)).set_params(seed=seed)
        kept = rule.fit(made.X, made.y, groups=made.groups).support_
        after = probe(
            "linear", made.X, made.y, ids=range(N), twins=made.groups, seed=0, among=kept
        ).grouped
        for draw in range(DRAWS):
            for way, accuracy in attacks(made, kept, after, np.random.default_rng([seed, draw])):
                found[way].append(accuracy)
    return request.param, {way: np.array(each) for way, each in found.items()}


def attacks(made, kept, after, rng):
    """Yield each way with its accuracy on the blind test."""
    unit = rng.random(made.groups.max() + 1)[made.groups]  # twins together
    blind, known = kept & (unit < 0.1), kept & (unit >= 0.1)
    right = (model(made, known).predict(made.X[blind]) == made.y[blind]).mean()
    own = cross_validated(made, known, rng) < 0.5
    yield "never", right
    for way, is_reversed in {
        "by public labels": own,
        "by the accuracy": round(after.accuracy.value, 2) < 0.5,
        "by the side": after.direction == "below" or (own and after.direction != "above"),
    }.items():
        yield way, 1 - right if is_reversed else right


def cross_validated(made, known, rng) -> float:
    fold = rng.integers(0, FOLDS, made.groups.max() + 1)[made.groups]
    hits = [
        model(made, known & (fold != one)).predict(made.X[part]) == made.y[part]
        for one in range(FOLDS)
        if (part := known & (fold == one)).any()
    ]
    return float(np.concatenate(hits).mean())


def model(made, rows):
    return LogisticRegression().fit(made.X[rows], made.y[rows])


def of_sets(values):
    """Return the mean and its standard error over sets."""
    means = values.reshape(SETS, DRAWS).mean(axis=1)
    return means.mean(), means.std(ddof=1) / np.sqrt(SETS)


def test_reversing_pays_after_the_published_rule_and_not_after_the_neutral_one(gains):
    rule, by = gains
    mean, error = of_sets(by["by public labels"] - 0.5)
    if rule == "published":
        assert mean > 2 * error
    else:
        assert abs(mean) < 3 * error


def test_the_published_side_of_one_half_tells_little_that_public_labels_do_not(gains):
    _, by = gains
    mean, error = of_sets(by["by the side"] - by["by public labels"])
    assert mean < 0.01 + 2 * error
