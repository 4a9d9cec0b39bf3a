"""Tables 2 to 5: the published figures from counts, and a known truth."""

import numpy as np
import pytest

from knowledge.core import published
from knowledge.core.tables import (
    credits,
    majority,
    pooled,
    shares,
    spread,
    system_figures,
)

KINDS = ["true", "negation", "true", "swapped"]
LABELS = [True, False, True, False]


def of(answers, kinds=KINDS, labels=LABELS, pairs=(0, 0, 1, 1)):
    return system_figures(answers, labels, kinds=kinds, pairs=pairs, questions=pairs)


def test_518_of_562_problems_are_valid_249_true_and_269_false():
    assert round(published.N_VALID / published.N_PROBLEMS, 4) == 0.9217
    assert published.N_TRUE + published.N_FALSE == published.N_VALID
    assert sum(published.KINDS.values()) == published.N_FALSE
    assert list(published.KINDS.values()) == [40, 72, 117, 20, 20]


def test_peoples_row_of_table_5_comes_from_counts_of_six_answers_a_problem():
    right = published.PEOPLE_RIGHT
    counts = {kind: (right[kind], 6 * n) for kind, n in published.KINDS.items()}
    found = shares(counts | {"true": (1, 2)})
    rounded = [round(found.by_kind[kind], 4) for kind in published.KINDS]
    assert [*rounded, round(found.false, 4)] == list(published.TABLE_5_PEOPLE)
    assert round(found.false, 4) == 0.9696


@pytest.mark.parametrize("variant", published.VARIANTS)
@pytest.mark.parametrize("baseline", [1, 2, 3])
def test_table_4_ties_to_tables_2_and_3(baseline, variant):
    table = {
        1: published.TABLE_2_BASELINE_1,
        2: published.TABLE_2_BASELINE_2,
        3: published.TABLE_3,
    }[baseline]
    models = [row[variant] for name, row in table.items() if name != published.MAJORITY]
    assert len(models) == (5 if baseline == 3 else 14)
    (true, _), (false, _) = published.TABLE_4[baseline, variant]
    found = pooled(true, false, n_true=published.N_TRUE, n_false=published.N_FALSE)
    assert found == pytest.approx(np.mean(models), abs=0.0001)


@pytest.mark.parametrize("baseline", [1, 2, 3])
def test_table_5_ties_to_the_false_column_of_table_4(baseline):
    *kinds, all_false = published.TABLE_5[baseline]
    sizes = np.array(list(published.KINDS.values()))
    assert all_false == published.TABLE_4[baseline, "variable"][1][0]
    assert sizes @ kinds / sizes.sum() == pytest.approx(all_false, abs=0.0001)


def test_figures_of_a_system_are_by_kind_and_over_pairs():
    found = of([1, 0, 1, 1])
    assert found.accuracy.value == 0.75
    assert found.false.value == 0.5
    assert {kind: one.value for kind, one in found.by_kind.items()} == {
        "negation": 1.0,
        "swapped": 0.0,
        "true": 1.0,
    }
    assert (found.pairs.value, found.pairs.n) == (0.5, 2)
    assert found.answered_true == 0.75
    assert not found.is_collapsed


def test_a_tie_counts_half_and_two_ties_give_a_quarter_of_the_pair():
    found = of([0.5, 0.5, 0.5, 0.5])
    assert (found.accuracy.value, found.pairs.value) == (0.5, 0.25)


def test_a_system_that_always_says_true_has_collapsed_and_no_pair_right():
    found = of([1, 1, 1, 1])
    assert found.is_collapsed
    assert (found.accuracy.value, found.pairs.value) == (0.5, 0.0)
    assert of([0, 0, 0, 0]).is_collapsed


def test_a_pair_that_lost_one_of_its_problems_is_left_out_of_pairs():
    found = of([1, 0, 1], KINDS[:3], LABELS[:3], pairs=(0, 0, 1))
    assert (found.pairs.value, found.pairs.n) == (1.0, 1)


def test_guesses_have_half_right_a_quarter_of_pairs_and_intervals_that_cover():
    rng = np.random.default_rng(5)
    n, covered, pairs_covered = 200, 0, 0
    pairs = np.repeat(np.arange(n), 2)
    labels = np.tile([True, False], n)
    kinds = np.where(labels, "true", "negation").tolist()
    for _ in range(300):
        guesses = rng.integers(0, 2, 2 * n)
        found = system_figures(guesses, labels, kinds=kinds, pairs=pairs, questions=pairs)
        covered += found.accuracy.low <= 0.5 <= found.accuracy.high
        pairs_covered += found.pairs.low <= 0.25 <= found.pairs.high
    assert 0.91 <= covered / 300 <= 0.99
    assert 0.91 <= pairs_covered / 300 <= 0.99


def test_a_kind_that_contradicts_its_label_is_refused():
    with pytest.raises(ValueError, match="kinds"):
        of([1, 1, 1, 1], kinds=["true", "true", "true", "swapped"])
    with pytest.raises(ValueError, match="some problems"):
        of([], [], [], pairs=())


def test_the_majority_of_two_that_differ_is_a_tie():
    assert credits(majority([[1, 1], [0, 1]]), [True, False]).tolist() == [0.5, 0.0]
    with pytest.raises(ValueError, match="at least one"):
        majority([])


def test_answers_beyond_0_and_1_and_unknown_counts_are_refused():
    with pytest.raises(ValueError, match="from 0 to 1"):
        credits([2], [True])
    with pytest.raises(ValueError, match="negation"):
        shares({"negation": (3, 2)})
    with pytest.raises(ValueError, match="false problem"):
        shares({"true": (1, 2)})
    with pytest.raises(ValueError, match="at least one"):
        pooled(0.5, 0.5, n_true=0, n_false=0)


def test_one_seed_has_no_standard_deviation():
    assert (spread([0.5]).sd, spread([])) == (None, None)
