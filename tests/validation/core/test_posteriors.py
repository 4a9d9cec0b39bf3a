"""One-coin and Dawid–Skene: against crowd-kit on real votes, and against themselves."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crowd_data import NAMES, caries, crowd_votes, needs_crowd_votes
from validation.core.posteriors import dawid_skene, one_coin
from validation.core.weighing import posteriors_given

# crowd-kit says "inplace" to a pandas that will take it no longer.
pytestmark = pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")
MODELS = (one_coin, dawid_skene)


def planted(seed: int, *, n_items: int = 300, skills=(0.95, 0.9, 0.8, 0.7, 0.55, 0.3)):
    """Votes of validators of known skill, three or four on each item."""
    rng = np.random.default_rng(seed)
    truths = rng.integers(0, 2, n_items)
    given_by = [
        (item, worker) for item in range(n_items) for worker in range(len(skills))
        if rng.random() < 0.6
    ]  # fmt: skip
    items, workers = (np.array(column) for column in zip(*given_by, strict=True))
    right = rng.random(len(items)) < np.array(skills)[workers]
    return items, workers, np.where(right, truths[items], 1 - truths[items]), truths


def oracle(model, items, workers, labels) -> pd.Series:
    table = pd.DataFrame({"task": items, "worker": workers, "label": labels})
    return model.fit_predict(table).sort_index()


@needs_crowd_votes
@pytest.mark.parametrize("name", NAMES)
def test_dawid_skene_is_at_least_as_right_as_crowd_kits_on_real_votes(name):
    votes = crowd_votes(name)
    columns = votes.items, votes.workers, votes.labels
    found = dawid_skene(*columns)
    theirs = oracle(DawidSkene(), *columns).to_numpy()
    assert found.converged
    ours = (found.posteriors.argmax(axis=1) == votes.truths).mean()
    assert ours >= (theirs == votes.truths).mean()
    assert ours > 0.92


@needs_crowd_votes
@pytest.mark.parametrize("name", NAMES)
def test_one_coin_is_at_least_as_right_as_crowd_kits_on_real_votes(name):
    votes = crowd_votes(name)
    columns = votes.items, votes.workers, votes.labels
    theirs = oracle(OneCoinDawidSkene(), *columns).to_numpy()
    ours = one_coin(*columns).posteriors.argmax(axis=1)
    assert (ours == votes.truths).mean() >= (theirs == votes.truths).mean()


@needs_crowd_votes
def test_without_prior_five_dentists_are_weighed_as_crowd_kit_does():
    items, raters, labels = caries()
    found = dawid_skene(items, raters, labels, prior_votes=0)
    theirs = DawidSkene(n_iter=300, tol=1e-9).fit(
        pd.DataFrame({"task": items, "worker": raters, "label": labels})
    )
    probabilities = theirs.probas_.sort_index()[[0, 1]].to_numpy()
    assert np.abs(found.posteriors - probabilities).max() < 0.02
    assert (found.posteriors.argmax(axis=1) == theirs.labels_.sort_index()).mean() > 0.999


@pytest.mark.parametrize("model", MODELS)
def test_the_objective_never_falls(model):
    items, workers, labels, _ = planted(1)
    path = [model(items, workers, labels, max_iter=n, tol=1e-12).objective for n in range(1, 25)]
    assert all(after >= before - 1e-8 for before, after in pairwise(path))


def test_planted_skills_are_found_and_a_validator_who_is_mostly_wrong_still_helps():
    items, workers, labels, truths = planted(2, n_items=3000)
    found = one_coin(items, workers, labels)
    assert np.abs(found.skills - [0.95, 0.9, 0.8, 0.7, 0.55, 0.3]).max() < 0.05
    right = (found.posteriors.argmax(axis=1) == truths).mean()
    without = workers != 5
    rest = one_coin(items[without], workers[without], labels[without]).posteriors
    assert right > (rest.argmax(axis=1) == truths[: len(rest)]).mean()


def test_a_validators_habit_is_in_their_table():
    rng = np.random.default_rng(3)
    truths = rng.integers(0, 2, 500)
    items, workers = np.repeat(np.arange(500), 4), np.tile(np.arange(4), 500)
    right = rng.random(2000) < 0.9
    labels = np.where(workers == 3, 1, np.where(right, truths[items], 1 - truths[items]))
    confusion = dawid_skene(items, workers, labels).confusions[3]
    assert confusion[:, 1].min() > 0.99  # says 1 whatever is true


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_order_of_votes_items_and_validators_changes_nothing(model, seed):
    items, workers, labels, _ = planted(4, n_items=40)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(items))
    item_names, worker_names = rng.permutation(40), rng.permutation(6)
    found = model(items, workers, labels)
    other = model(item_names[items][order], worker_names[workers][order], labels[order])
    assert np.allclose(other.posteriors[item_names], found.posteriors, atol=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_renaming_the_labels_turns_the_posteriors_round(model):
    items, workers, labels, _ = planted(5)
    found, turned = model(items, workers, labels), model(items, workers, 1 - labels)
    assert np.allclose(turned.posteriors[:, ::-1], found.posteriors, atol=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_where_all_agree_all_are_sure_and_numbers_stay_finite(model):
    items, workers = np.repeat(np.arange(50), 3), np.tile(np.arange(3), 50)
    found = model(items, workers, items % 2)
    assert (found.posteriors.argmax(axis=1) == np.arange(50) % 2).all()
    assert found.posteriors.max(axis=1).min() > 0.99
    assert np.isfinite(found.objective)


def few(*votes: str):
    """A campaign of so few questions: three votes on each, 1 for the author's answer."""
    labels = np.array([int(said) for question in votes for said in question])
    return np.repeat(np.arange(len(votes)), 3), np.tile(np.arange(3), len(votes)), labels


@pytest.mark.parametrize("model", MODELS)
def test_a_few_questions_on_which_all_agree_do_not_outvote_two_validators_of_three(model):
    columns = few("111", "111", "111", "100")
    assert model(*columns).posteriors[3, 1] < 0.5
    assert one_coin(*columns, prior_items=0).posteriors[3, 1] > 0.99  # the prior does it
    assert model(*few("111")).class_shares.min() > 0.3


def test_a_thousand_votes_on_one_item_do_not_underflow():
    n = 1000
    found = dawid_skene(np.zeros(n, dtype=int), np.arange(n), np.arange(n) % 3 == 0)
    assert np.isfinite(found.posteriors).all()
    assert found.posteriors.sum() == pytest.approx(1)


def test_posteriors_given_skills_are_those_of_the_fit():
    items, workers, labels, _ = planted(6)
    found = one_coin(items, workers, labels, tol=1e-12, max_iter=2000)
    again = posteriors_given(
        items, found.skills[workers], labels, class_shares=found.class_shares, n_items=300
    )
    assert np.allclose(again, found.posteriors, atol=1e-6)
    assert posteriors_given([], [], [], class_shares=[0.2, 0.8], n_items=1).tolist() == [[0.2, 0.8]]


def test_without_votes_or_with_columns_of_two_lengths_there_is_nothing_to_weigh():
    with pytest.raises(ValueError, match="at least one vote"):
        one_coin([], [], [])
    with pytest.raises(ValueError, match="same length"):
        one_coin([0, 1], [0], [0, 1])
    with pytest.raises(ValueError, match="n_labels"):
        one_coin([0], [0], [0], n_labels=1)
