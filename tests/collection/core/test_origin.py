"""The flag that says how a text came to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core.people import Origin, origin_flag

COUNT = st.integers(min_value=0, max_value=10**9)


@pytest.mark.parametrize(
    ("typed", "pasted", "largest", "flag"),
    [
        (0, 0, 0, Origin.UNKNOWN),
        (240, 0, 6, Origin.TYPED),
        (130, 115, 115, Origin.TYPED),  # the first sentence copied over for the second
        (20, 220, 110, Origin.PASTED),
        (110, 220, 110, Origin.PASTED),  # exactly two thirds
        (15, 0, 230, Origin.PASTED),  # put in by a program, without the clipboard
    ],
)
def test_a_text_is_flagged_by_the_share_that_came_at_once(
    typed: int, pasted: int, largest: int, flag: Origin
) -> None:
    found = origin_flag(typed_characters=typed, pasted_characters=pasted, largest_insert=largest)
    assert found is flag


@given(COUNT, COUNT, COUNT)
def test_more_typing_never_makes_a_text_pasted(typed: int, pasted: int, largest: int) -> None:
    def flag(more: int) -> Origin:
        return origin_flag(
            typed_characters=typed + more, pasted_characters=pasted, largest_insert=largest
        )

    if flag(0) is Origin.TYPED:
        assert flag(10) is Origin.TYPED
