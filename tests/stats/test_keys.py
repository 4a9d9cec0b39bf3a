"""Draws keyed by identity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.keys import PhaseKeys, fill_up, identity_keys, mix, priorities


def slow_mix(value: int) -> int:
    bits = 2**64 - 1
    z = (value + 0x9E3779B97F4A7C15) & bits
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & bits
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & bits
    return z ^ (z >> 31)


@given(st.integers(0, 2**64 - 1))
def test_mixing_equals_its_definition_in_plain_integers(value):
    assert int(mix(np.array([value], dtype=np.uint64))[0]) == slow_mix(value)


def test_splitmix_gives_its_published_first_value():
    assert int(mix(np.array([0], dtype=np.uint64))[0]) == 0xE220A8397B1DCDAF


@pytest.mark.parametrize("ids", [[1, "1"], ["2.5", 2.5, "a"]])
def test_ids_of_different_types_and_one_text_are_refused(ids):
    with pytest.raises(ValueError, match="groups has two ids with the same key"):
        identity_keys(ids, name="groups")


def test_a_larger_ensemble_begins_with_the_smaller_ones_members():
    few, many = (PhaseKeys.of(seed=3, phase=2, n=n) for n in (4, 9))
    assert few.tie == many.tie
    np.testing.assert_array_equal(few.members, many.members[:4])


def test_seed_and_phase_both_change_the_draw():
    drawn = {int(PhaseKeys.of(seed=s, phase=p, n=1).members[0]) for s in (0, 1) for p in (1, 2)}
    assert len(drawn) == 4


@given(sizes=st.lists(st.integers(1, 4), max_size=30), room=st.integers(0, 40))
def test_filling_up_takes_what_fits_in_order(sizes, room):
    expected, left = [], room
    for size in sizes:
        expected.append(size <= left)
        left -= size if size <= left else 0
    assert fill_up(np.array(sizes, dtype=int), room=room).tolist() == expected


def test_integers_and_texts_both_name_rows():
    assert len(set(identity_keys(range(1000), name="ids").tolist())) == 1000
    assert len(set(identity_keys([str(i) for i in range(1000)], name="ids").tolist())) == 1000


def test_ids_must_be_one_row():
    with pytest.raises(ValueError, match="ids must be one-dimensional"):
        identity_keys(np.zeros((2, 2)), name="ids")


def test_a_priority_follows_the_id_and_its_purpose():
    ids = [f"row {i}" for i in range(100)]
    drawn = priorities(ids, seed=1, purpose="sample")
    assert (priorities(ids[::-1], seed=1, purpose="sample") == drawn[::-1]).all()
    for other in (priorities(ids, seed=2, purpose="sample"), priorities(ids, seed=1, purpose="x")):
        assert not (other == drawn).any()
        assert abs(np.corrcoef(drawn.astype(float), other.astype(float))[0, 1]) < 0.3
