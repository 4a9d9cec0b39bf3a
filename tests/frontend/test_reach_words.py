"""The sentence about the size at which people's level would be reached agrees with its interval."""

import pytest

from evaluation.core.power_law import PowerLaw, Reach
from frontend.fine_tunings.words import reach_words

LAW = PowerLaw(start=0.5, floor=0.02, onset=300, exponent=0.35)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (5_000, 9_000, "Reached between 5,000 and 9,000"),
        (5_000, 90_000, "Perhaps not within what was measured: between 5,000 and 90,000"),
        (5_000, None, "Perhaps not within what was measured: 5,000 questions or more"),
        (50_000, 90_000, "Not within what was measured: between 50,000 and 90,000"),
        (50_000, None, "Not within what was measured: 50,000 questions or more"),
    ],
)
def test_a_size_that_may_be_within_what_was_measured_is_not_denied(
    low: float, high: float | None, said: str
) -> None:
    found = Reach(LAW, True, 60_000, low, high, 160, 40_960)
    assert reach_words(found).startswith(said)
