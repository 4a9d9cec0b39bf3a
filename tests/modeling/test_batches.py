"""Batches of like length: all rows, none too large but where one row is."""

import itertools

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from modeling.batches import Tokens, cut, on_single_threads, padded, pool

LENGTHS = st.lists(st.integers(1, 40), max_size=60).map(sorted)


@given(LENGTHS, st.integers(1, 100))
def test_batches_hold_every_row_once_within_the_budget(lengths, budget):
    batches = [list(range(len(lengths)))[part] for part in cut(lengths, budget=budget)]
    assert list(itertools.chain(*batches)) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * lengths[batch[-1]] <= budget


@given(LENGTHS, st.integers(1, 100))
def test_a_batch_takes_the_next_row_where_it_has_room(lengths, budget):
    for part in cut(lengths, budget=budget)[:-1]:
        assert (part.stop + 1 - part.start) * lengths[part.stop] > budget


def test_padding_is_masked_and_pooled_over():
    found = padded([Tokens([5, 6]), Tokens([7])], pad=9)
    assert found.keys() == {"input_ids", "attention_mask"}
    assert found["input_ids"].tolist() == [[5, 6], [7, 9]]
    mask = found["attention_mask"]
    assert mask.tolist() == [[1, 1], [1, 0]]
    hidden = torch.tensor([[[1.0], [3.0]], [[5.0], [99.0]]])
    found = {way: pool(hidden, mask, way).squeeze(1).tolist() for way in ("mean", "cls", "last")}
    assert found == {"mean": [2, 5], "cls": [1, 5], "last": [3, 5]}


def test_segments_are_padded_as_tokens_are():
    found = padded([Tokens([5, 6, 7], [0, 1, 1]), Tokens([8, 9], [0, 1])], pad=4)
    assert found["token_type_ids"].tolist() == [[0, 1, 1], [0, 1, 0]]


def test_a_failure_ends_the_work_and_leaves_the_threads_as_they_were():
    before = torch.get_num_threads()
    with pytest.raises(ZeroDivisionError):
        list(on_single_threads(lambda n: 1 // n, [1, 0, 1]))
    assert torch.get_num_threads() == before
