"""What is said of each validator: accuracy, speed, flags."""

from collections import Counter
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from stats.intervals import wilson, wilson_ends
from validation.core.accuracy import gini, with_the_others, worker_accuracies
from validation.core.outliers import far, fast_votes, group_medians, log_seconds, robust_z
from validation.core.quality import outcomes, quality
from validation.core.validator_figures import FLAGS, Flag, first_days, validators
from validation.core.votes import Votes, step_seconds

MONDAY = 1_767_571_200.0  # 5 January 2026, 00:00 UTC
numbers = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


def votes_of(n: int, **columns) -> Votes:
    """*n* right votes by one validator after another, each ten seconds after the one before."""
    whole = {
        "question": np.arange(n), "twin": np.arange(n), "worker": np.zeros(n, dtype=int),
        "option": np.ones(n, dtype=int), "answer": np.ones(n, dtype=int),
        "ambiguous": np.zeros(n, dtype=bool),
        "local": np.zeros(n, dtype=int), "gold": np.zeros(n, dtype=bool),
        "excluded": np.zeros(n, dtype=bool), "reported": np.zeros(n, dtype=bool),
        "domain": np.zeros(n, dtype=int), "due": np.full(n, 3),
        "shown_at": MONDAY + 10.0 * np.arange(n),
        "local_at": MONDAY + 10.0 * np.arange(n) + 4, "at": MONDAY + 10.0 * np.arange(n) + 9,
    }  # fmt: skip
    return Votes(**{name: np.asarray(columns.get(name, column)) for name, column in whole.items()})


def a_crowd(n: int = 200, *, seconds=(9.0, 8.0, 10.0, 9.5, 0.4), right=(0.95, 0.9, 0.9, 0.9, 0.5)):
    """Five validators who each validator everything, one of them too fast and by chance."""
    rng = np.random.default_rng(0)
    question, worker = np.repeat(np.arange(n), 5), np.tile(np.arange(5), n)
    option = np.where(rng.random(5 * n) < np.array(right)[worker], 1, 2)
    start = MONDAY + 60.0 * np.arange(5 * n)
    spent = np.array(seconds)[worker] * np.exp(rng.normal(0, 0.3, 5 * n))
    return votes_of(
        5 * n, question=question, worker=worker, option=option,
        due=np.full(5 * n, 5), shown_at=start, local_at=start + 5, at=start + 5 + spent,
    )  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1))
def test_many_intervals_at_once_are_statsmodels_and_those_one_by_one(pairs):
    hits, totals = [a for a, b in pairs], [a + b for a, b in pairs]
    low, high = wilson_ends(hits, totals)
    for k, (hit, total) in enumerate(zip(hits, totals, strict=True)):
        if total == 0:
            assert np.isnan(low[k])
            assert np.isnan(high[k])
            continue
        one = wilson(hit, total)
        theirs = proportion_confint(hit, total, method="wilson")
        assert (low[k], high[k]) == pytest.approx((one.low, one.high))
        assert (low[k], high[k]) == pytest.approx(theirs, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), max_size=30))
def test_the_others_are_those_votes_on_the_question_that_are_not_ones_own(votes):
    items, labels = [a for a, _ in votes], [b for _, b in votes]
    agrees, says = with_the_others(items, labels)
    for k in range(len(votes)):
        others = [labels[j] for j in range(len(votes)) if j != k and items[j] == items[k]]
        ones = sum(others)
        assert says[k] == (2 * ones != len(others))
        assert agrees[k] == (says[k] and labels[k] == (2 * ones > len(others)))


@settings(deadline=None)
@given(st.lists(numbers, min_size=1), numbers)
def test_distance_from_the_median_does_not_depend_on_where_or_how_large_the_unit_is(values, shift):
    found = robust_z(values)
    assert np.allclose(robust_z(np.array(values) * 4 + shift), found, rtol=1e-3, atol=1e-3)
    assert np.nanmedian(np.abs(found)) <= 1.4 + 1e-9 or len(set(values)) < 3


def test_one_wild_value_stands_out_and_equal_ones_do_not():
    values = [3.0, 3.1, 2.9, 3.05, 0.2, np.nan]
    found = robust_z(values)
    assert (np.flatnonzero(found <= -3.5) == [4]).all()
    assert np.isnan(found[5])
    assert robust_z([2.0, 2.0, 2.0]).tolist() == [0, 0, 0]
    assert robust_z([2.0] * 9 + [9.0])[-1] > 3.5  # more than half the same


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), numbers), max_size=40))
def test_medians_of_groups_are_numpys(pairs):
    groups, values = [a for a, _ in pairs], [b for _, b in pairs]
    found = group_medians(groups, values, n_groups=5)
    for group in range(5):
        mine = [value for where, value in pairs if where == group]
        if mine:
            assert found[group] == pytest.approx(np.median(mine))
        else:
            assert np.isnan(found[group])


@settings(deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1))
def test_gini_is_half_the_mean_difference_over_the_mean(loads):
    found = gini(loads)
    if not sum(loads):
        assert found is None
        return
    differences = [abs(a - b) for a in loads for b in loads]
    mean = sum(loads) / len(loads)
    assert found == pytest.approx(np.mean(differences) / (2 * mean), abs=1e-9)


def test_a_step_begins_when_the_vote_before_was_given_where_the_next_was_fetched_ahead():
    ahead = votes_of(2, shown_at=[MONDAY, MONDAY + 1])  # both taken at once
    first, second = step_seconds(ahead)
    assert first.tolist() == [4.0, 5.0]
    assert second.tolist() == [5.0, 5.0]


def test_a_validator_who_is_too_fast_and_unlike_the_others_is_flagged_and_nobody_else():
    found = validators(a_crowd())
    flags = found.flags(gold_pass_share=0.7)
    assert flags[4] == [Flag.FAST, Flag.APART]
    assert flags[:4] == [[], [], [], []]
    assert found.n_fast[4] > 100 > found.n_fast[:4].sum()
    assert found.skills[4] < 0.6 < found.skills[:4].min()
    assert set(FLAGS) == set(Flag)


@pytest.mark.long
@pytest.mark.parametrize("n_people", [pytest.param(4, marks=pytest.mark.long), 14])
def test_equal_validators_get_a_note_of_any_family_in_at_most_one_campaign_of_twenty(n_people):
    """With a threshold for each validator alone, 38 to 92 % of these campaigns have one."""
    rng, campaigns, counts = np.random.default_rng(n_people), 60, Counter()
    for _ in range(campaigns):
        found = validators(equal_crowd(rng, n_people, 100))
        flags = {flag for one in found.flags(gold_pass_share=0.7) for flag in one}
        counts["speed"] += bool(flags & {Flag.FAST, Flag.SLOW})
        counts["others"] += Flag.APART in flags
        counts["gold"] += Flag.GOLD in flags
        counts["votes"] += bool(found.n_fast.any())
    # 8 or more of 60 are as rare as 1 in 100 at 5 %.
    assert max(counts.values()) < 8


def test_who_differs_is_noted_also_among_fourteen_and_so_are_two_of_them():
    rng = np.random.default_rng(3)
    skills, paces = np.full(14, 0.92), np.full(14, 9.0)
    skills[:2], paces[:2] = 0.6, 0.9
    votes = equal_crowd(
        rng, 14, 1000, skills=skills, paces=paces, gold_skills=np.where(skills < 0.7, 0.1, 0.8)
    )
    flags = validators(votes).flags(gold_pass_share=0.7)
    assert flags[:2] == [[Flag.FAST, Flag.APART, Flag.GOLD]] * 2
    assert flags[2:] == [[]] * 12


def test_a_distance_is_far_only_if_equal_values_rarely_reach_it():
    for n in (4, 9, 60):
        values = np.random.default_rng(n).normal(size=(2000, n))
        any_far = [np.abs(robust_z(row)).max() >= far(n) for row in values]
        assert np.mean(any_far) == pytest.approx(0.05, abs=0.02)
    assert not fast_votes([1.0, 0.05]).any()
    assert fast_votes([*np.full(30, 8.0), *np.full(30, 12.0), 0.05]).tolist()[-1]


def equal_crowd(rng, n_people, n, *, skills=None, paces=None, gold_skills=None):
    """*n* questions with three votes each; a tenth are answers to gold questions."""
    people = rng.random((n, n_people)).argsort(axis=1)[:, :3].ravel()
    gold = rng.random(3 * n) < 0.1
    of_gold = np.full(n_people, 0.7) if gold_skills is None else gold_skills
    of_others = np.full(n_people, 0.9) if skills is None else skills
    pace = np.full(n_people, 9.0) if paces is None else paces
    right = rng.random(3 * n) < np.where(gold, of_gold[people], of_others[people])
    start = MONDAY + 600.0 * np.arange(3 * n)
    return votes_of(
        3 * n, question=np.repeat(np.arange(n), 3), worker=people,
        option=np.where(right, 1, 2), gold=gold, shown_at=start, local_at=start + 5,
        at=start + 5 + pace[people] * np.exp(rng.normal(0, 0.6, 3 * n)),
    )  # fmt: skip


def test_gold_answers_and_votes_excluded_are_told_apart_from_those_that_count():
    gold = np.arange(40) >= 30
    excluded = (np.arange(40) >= 20) & ~gold
    option = np.where(gold, 2, 1)
    found = validators(votes_of(40, gold=gold, excluded=excluded, option=option))
    assert (found.n_votes[0], found.gold.n[0], found.n_excluded[0]) == (20, 10, 10)
    assert found.author.shares[0] == 1.0
    assert found.gold.shares[0] == 0.0
    assert found.flags(gold_pass_share=0.7) == [[Flag.GOLD]]
    assert np.isnan(validators(votes_of(3, gold=[True] * 3)).skills[0])


def test_who_has_been_asked_little_is_not_flagged():
    found = validators(a_crowd(3))
    assert found.flags(gold_pass_share=0.7) == [[]] * 5
    assert np.isnan(found.speed).all()
    assert worker_accuracies([], [], n_workers=2).n.tolist() == [0, 0]


def test_the_order_of_the_votes_changes_nothing():
    crowd = a_crowd(30)
    order = np.random.default_rng(1).permutation(len(crowd))
    first = quality(crowd)
    second = quality(crowd.where(order))
    assert astuple(first[0].human.single) == pytest.approx(astuple(second[0].human.single))
    assert astuple(first[0].human.majority) == pytest.approx(astuple(second[0].human.majority))
    assert first[0].answer.alpha.value == pytest.approx(second[0].answer.alpha.value)
    assert first[0].answer.alpha.people_low == pytest.approx(second[0].answer.alpha.people_low)
    assert np.allclose(first[1].skills, second[1].skills, atol=1e-6)
    assert np.array_equal(first[1].n_fast, second[1].n_fast)


def test_an_extra_vote_does_not_change_how_well_people_do():
    question = [0, 0, 0, 0, 0, 1, 1]
    option = [1, 2, 2, 1, 1, 1, 1]
    found = outcomes(votes_of(7, question=question, option=option, worker=np.arange(7)))
    assert (found.question.tolist(), found.right.tolist()) == ([0], [[True, False, False]])
    assert (found.worker.tolist(), found.n_short) == ([[0, 1, 2]], 1)


def test_a_question_belongs_to_the_week_of_its_third_vote():
    late = [MONDAY - 86_400, MONDAY - 3600, MONDAY + 60]
    found, _ = quality(votes_of(3, question=[7, 7, 7], worker=[1, 2, 3], at=late))
    assert [(week.begins, week.human.majority.n) for week in found.weeks] == [("2026-01-05", 1)]
    assert [month.begins for month in found.months] == ["2026-01-01"]
    with pytest.raises(ValueError, match="week"):
        first_days([0.0], "year")


def test_without_votes_there_is_a_report_that_says_so():
    found, people = quality(votes_of(0))
    assert (found.n_votes, found.human.majority.value, found.load) == (0, None, None)
    assert found.class_shares is None
    assert len(people.workers) == 0
    assert log_seconds([0.0]).tolist() == [np.log(0.05)]
