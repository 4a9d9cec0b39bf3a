"""Reasons: validity from shares, visible faults, folds."""

from collections import Counter
from decimal import Decimal

import pytest

from knowledge.core.reasons import AskedItem, Flag, flags, folds, validity_of

CUP = AskedItem("The cup fell on the table and", "it", "didn't break.", "the cup", "the table")


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("the table didn't break", {Flag.CIRCULAR, Flag.CONTRADICTING}),
        ("the table did break", {Flag.CIRCULAR}),
        ("the table is what did not break", {Flag.CIRCULAR, Flag.CONTRADICTING}),
        ("the cup fell, so the table didn't break", {Flag.CIRCULAR}),
        ("the table didn't break, being of oak", set()),
        ("THE CUP FELL.", {Flag.CIRCULAR}),
        ("it was thrown", {Flag.IRRELEVANT}),
        ("cups break", set()),
        ("it is not so", set()),
        ("", set()),
    ],
)
def test_faults_are_seen_in_the_words(reason, expected):
    assert flags(reason, CUP) == expected


def test_a_share_beyond_0_and_1_is_refused():
    for share in ("-0.2", "1.2"):
        with pytest.raises(ValueError, match="share"):
            validity_of(Decimal(share))


def test_folds_hold_groups_together_and_are_even():
    groups = [f"g{k // 3}" for k in range(300)]
    found = folds(groups, seed=2)
    assert len(set(zip(groups, found.tolist(), strict=True))) == 100
    assert set(Counter(found.tolist()).values()) == {60}
    assert folds(groups, seed=2).tolist() == found.tolist()
    assert folds(groups, seed=3).tolist() != found.tolist()


def test_more_folds_than_groups_are_refused():
    with pytest.raises(ValueError, match="number of groups, 2"):
        folds(["a", "b"], seed=1)
