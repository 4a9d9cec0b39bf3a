"""How `verify` compares the lines of a document."""

from itertools import islice
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.verify.documents import MOST, _differing

lines = st.lists(st.sampled_from(["", "a", "b", "c"]), max_size=12)


@given(lines, lines)
def test_lines_differ_exactly_where_the_texts_do(found: list[str], expected: list[str]) -> None:
    differing = list(_differing(found, expected))
    assert bool(differing) == (found != expected)
    for number, there, _ in differing:
        assert there is None or found[number - 1] == there


def test_a_line_that_is_missing_does_not_shift_the_others() -> None:
    expected = [f"line {n}" for n in range(1000)]
    assert list(_differing(expected[:500] + expected[501:], expected)) == [(501, None, "line 500")]


def test_many_alike_lines_take_no_time() -> None:
    found = [f"{n % 2 and n}" for n in range(200_000)]
    expected = [f"{n % 2 and -n}" for n in range(200_000)]
    started = process_time()
    assert len(list(islice(_differing(found, expected), MOST))) == MOST
    few = list(_differing(found[:199], expected[:199]))
    assert few
    assert process_time() - started < 2
