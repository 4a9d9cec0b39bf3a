"""Names of files, training sizes, and what is public."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from corpora.core.bundle import layout


@given(st.integers(0, 10**7))
def test_each_size_has_a_quarter_of_the_pairs_of_the_next(pairs):
    sizes = list(layout.sizes(pairs).items())
    assert sizes[-1] == ("train_xl", pairs)
    for (_, smaller), (_, larger) in pairwise(sizes):
        assert smaller == larger // 4 >= 1


def test_winogrande_has_the_sizes_of_its_files():
    # 40,398 questions; 10,234, 2,558, 640 and 160 in the smaller files.
    assert [2 * pairs for pairs in layout.sizes(20_199).values()] == [156, 630, 2524, 10098, 40398]


def test_labels_of_the_blind_split_and_what_opens_it_are_secret():
    assert not any(map(layout.is_public, ("test-labels.lst", "index.jsonl", "opening.jsonl")))
    public = [layout.labels("dev"), layout.jsonl("test"), layout.parquet("test"), layout.LEAKS]
    assert all(map(layout.is_public, public))
