"""Three models of votes: against crowd-kit on real votes, known truths, and themselves."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.posteriors import CROWDS, Scores, compared, drawn, first_votes
from tests.crowd_data import NAMES, caries, crowd_votes, needs_crowd_votes
from validation.core.posteriors import Model, aggregate, fit
from validation.core.weighing import Shares, posteriors_given

# crowd-kit says "inplace" to a pandas that will take it no longer.
pytestmark = pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")
MODELS = tuple(Model)
PLAIN = {"prior_votes": 0, "random_items": None}  # as crowd-kit's


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


def oracle(model, items, workers, labels) -> np.ndarray:
    table = pd.DataFrame({"task": items, "worker": workers, "label": labels})
    return model.fit_predict(table).sort_index().to_numpy()


@needs_crowd_votes
@pytest.mark.parametrize("n", [3, *(pytest.param(n, marks=pytest.mark.long) for n in (5, 20))])
@pytest.mark.parametrize("name", NAMES)
def test_the_posterior_is_right_and_sure_more_often_than_the_majority_on_real_votes(name, n):
    found = compared(first_votes(crowd_votes(name), n))
    assert found.posterior.accuracy > found.majority + 0.02
    assert found.posterior.log_loss < found.votes.log_loss
    assert found.posterior.calibration_error < found.votes.calibration_error
    if n < 20:  # of many votes on a question, the models count each as news
        assert found.posterior.log_loss < found.equal.log_loss


@pytest.mark.parametrize("name", ["no authors, 300"])
def test_the_posterior_is_not_worse_than_the_majority_where_there_is_no_author(name):
    found = [compared(drawn(CROWDS[name], seed)) for seed in range(4)]
    assert np.mean([one.posterior.accuracy - one.majority for one in found]) > -0.02


@pytest.mark.long
@pytest.mark.parametrize("name", CROWDS)
def test_the_posterior_is_not_clearly_worse_than_the_majority_in_any_crowd(name):
    found = [compared(drawn(CROWDS[name], seed)) for seed in range(40)]
    gains = np.array([one.posterior.accuracy - one.majority for one in found])
    assert gains.mean() > -2 * gains.std(ddof=1) / 40**0.5 - 1e-9
    assert np.mean([one.posterior.log_loss - one.votes.log_loss for one in found]) < 0


def test_alike_validators_get_the_model_in_which_they_are():
    chosen = [compared(drawn(CROWDS["no authors, alike"], seed)).chosen for seed in range(3)]
    assert chosen.count(Model.EQUAL) >= 2
    columns = planted(0)[:3]
    assert aggregate(*columns).chosen == Model.ONE_COIN
    habits = compared(drawn(CROWDS["a label of 12 %, habits"], 0))
    assert habits.chosen == Model.DAWID_SKENE


def test_what_is_scored():
    found = Scores.of(np.array([0.9, 0.9, 0.5, 0.2]), np.array([1, 0, 1, 0]))
    assert found.accuracy == 2.5 / 4
    assert found.log_loss == pytest.approx(-np.log([0.9, 0.1, 0.5, 0.8]).mean())
    assert found.calibration_error == pytest.approx((abs(1 - 1.8) + 0 + abs(1 - 0.8)) / 4)


@pytest.mark.long
@needs_crowd_votes
@pytest.mark.parametrize("name", [pytest.param(NAMES[0], marks=pytest.mark.long), *NAMES[1:]])
@pytest.mark.parametrize(
    ("model", "theirs"), [(Model.DAWID_SKENE, DawidSkene), (Model.ONE_COIN, OneCoinDawidSkene)]
)
def test_both_models_are_about_as_right_as_crowd_kits_on_real_votes(name, model, theirs):
    votes = crowd_votes(name)
    columns = votes.items, votes.workers, votes.labels
    found = fit(*columns, model)
    assert found.converged
    ours = (found.posteriors.argmax(axis=1) == votes.truths).mean()
    assert ours >= (oracle(theirs(), *columns) == votes.truths).mean() - 0.003


@pytest.mark.long
@needs_crowd_votes
def test_without_prior_five_dentists_are_weighed_as_crowd_kit_does():
    items, raters, labels = caries()
    found = fit(items, raters, labels, Model.DAWID_SKENE, **PLAIN, tol=1e-9)
    theirs = DawidSkene(n_iter=300, tol=1e-9).fit(
        pd.DataFrame({"task": items, "worker": raters, "label": labels})
    )
    probabilities = theirs.probas_.sort_index()[[0, 1]].to_numpy()
    assert np.abs(found.posteriors - probabilities).max() < 0.02
    assert (found.posteriors.argmax(axis=1) == theirs.labels_.sort_index()).mean() > 0.999


@pytest.mark.parametrize("model", MODELS)
def test_the_objective_never_falls(model):
    columns = planted(1)[:3]
    path = [fit(*columns, model, max_iter=n, tol=1e-12).objective for n in range(2, 25)]
    assert all(after >= before - 1e-8 for before, after in pairwise(path))


def test_planted_skills_are_found_and_a_validator_who_is_mostly_wrong_still_helps():
    items, workers, labels, truths = planted(2, n_items=3000)
    found = fit(items, workers, labels, Model.ONE_COIN)
    assert np.abs(found.skills - [0.95, 0.9, 0.8, 0.7, 0.55, 0.3]).max() < 0.05
    right = (found.posteriors.argmax(axis=1) == truths).mean()
    without = workers != 5
    rest = fit(items[without], workers[without], labels[without], Model.ONE_COIN).posteriors
    assert right > (rest.argmax(axis=1) == truths[: len(rest)]).mean()


def test_a_validators_habit_is_in_their_table():
    rng = np.random.default_rng(3)
    truths = rng.integers(0, 2, 500)
    items, workers = np.repeat(np.arange(500), 4), np.tile(np.arange(4), 500)
    right = rng.random(2000) < 0.9
    labels = np.where(workers == 3, 1, np.where(right, truths[items], 1 - truths[items]))
    confusion = fit(items, workers, labels, Model.DAWID_SKENE).tables[3]
    assert confusion[:, 1].min() > 0.98  # says 1 whatever is true


def test_random_votes_on_some_items_do_not_make_the_others_unsure():
    rng = np.random.default_rng(4)
    truths, items = rng.integers(0, 2, 400), np.repeat(np.arange(400), 9)
    workers, is_random = np.tile(np.arange(9), 400), np.arange(400) < 80
    right = rng.random(3600) < np.where(is_random[items], 0.5, 0.95)
    found = fit(items, workers, np.where(right, truths[items], 1 - truths[items]), Model.ONE_COIN)
    assert 0.15 < found.shares.random < 0.25
    assert found.skills.min() > 0.9
    surer = found.posteriors.max(axis=1)
    assert surer[is_random].mean() < 0.8 < 0.97 < surer[~is_random].mean()


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_order_of_votes_items_and_validators_changes_nothing(model, seed):
    items, workers, labels, _ = planted(4, n_items=40)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(items))
    item_names, worker_names = rng.permutation(40), rng.permutation(6)
    found = fit(items, workers, labels, model)
    other = fit(item_names[items][order], worker_names[workers][order], labels[order], model)
    assert np.allclose(other.posteriors[item_names], found.posteriors, atol=1e-6)


@pytest.mark.parametrize("model", MODELS)
def test_renaming_the_labels_turns_the_posteriors_round(model):
    items, workers, labels, _ = planted(5)
    found, turned = fit(items, workers, labels, model), fit(items, workers, 1 - labels, model)
    assert np.allclose(turned.posteriors[:, ::-1], found.posteriors, atol=1e-6)


def test_where_all_agree_all_are_sure_and_numbers_stay_finite():
    items, workers = np.repeat(np.arange(50), 3), np.tile(np.arange(3), 50)
    for found in aggregate(items, workers, items % 2).fits.values():
        assert (found.posteriors.argmax(axis=1) == np.arange(50) % 2).all()
        assert found.posteriors.max(axis=1).min() > 0.99
        assert np.isfinite(found.objective)


def few(*votes: str):
    """A campaign of so few questions: three votes on each, 1 for the author's answer."""
    labels = np.array([int(said) for question in votes for said in question])
    return np.repeat(np.arange(len(votes)), 3), np.tile(np.arange(3), len(votes)), labels


def test_a_few_questions_on_which_all_agree_do_not_outvote_two_validators_of_three():
    for of in (few("111", "111", "111", "100"), few(*["111"] * 12, "100")):
        assert aggregate(*of).best.posteriors[-1, 1] < 0.5
    assert fit(*few("111"), Model.DAWID_SKENE).shares.classes.min() > 0.3


def test_a_thousand_votes_on_one_item_do_not_underflow():
    n = 1000
    columns = np.zeros(n, dtype=int), np.arange(n), np.arange(n) % 3 == 0
    for found in aggregate(*columns).fits.values():
        assert np.isfinite(found.posteriors).all()
        assert found.posteriors.sum() == pytest.approx(1)


@pytest.mark.parametrize("model", MODELS)
def test_posteriors_given_tables_are_those_of_the_fit(model):
    items, workers, labels, _ = planted(6)
    found = fit(items, workers, labels, model, tol=1e-12, max_iter=2000)
    again = posteriors_given(items, found.tables[workers], labels, found.shares, n_items=300)
    assert np.allclose(again, found.posteriors, atol=1e-6)
    silent = Shares(np.array([0.2, 0.8]), 0.1)
    assert posteriors_given([], [], [], silent, n_items=1).tolist() == [[0.2, 0.8]]


def test_three_labels_are_weighed_as_two_are():
    rng = np.random.default_rng(7)
    truths, items = rng.integers(0, 3, 200), np.repeat(np.arange(200), 5)
    workers = np.tile(np.arange(5), 200)
    right = rng.random(1000) < 0.8
    labels = np.where(right, truths[items], (truths[items] + rng.integers(1, 3, 1000)) % 3)
    found = aggregate(items, workers, labels, n_labels=3)
    for one in found.fits.values():
        assert one.posteriors.sum(axis=1) == pytest.approx(1)
        assert (one.posteriors.argmax(axis=1) == truths).mean() > 0.93


def test_without_votes_or_with_columns_of_two_lengths_there_is_nothing_to_weigh():
    with pytest.raises(ValueError, match="at least one vote"):
        aggregate([], [], [])
    with pytest.raises(ValueError, match="same length"):
        aggregate([0, 1], [0], [0, 1])
    with pytest.raises(ValueError, match="n_labels"):
        fit([0], [0], [0], Model.ONE_COIN, n_labels=1)
