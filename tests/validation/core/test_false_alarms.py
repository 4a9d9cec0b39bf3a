"""The rows of `benchmarks.coverage` about notes, which docs/quality.md has."""

import numpy as np
import pytest

from benchmarks.coverage_notes import rows

NOTES = {"note, agreement with others", "note, control questions", "note, very fast votes"}


def test_every_row_can_be_simulated() -> None:
    for row in rows():
        before, after = row.draw(np.random.default_rng(0))
        assert {type(before), type(after)} <= {bool, np.bool_, type(None)}, row


@pytest.mark.parametrize("name", sorted(NOTES))
def test_equal_validators_rarely_get_a_note(name: str) -> None:
    few = [row for row in rows() if row.figure == name and ", 100 questions" in row.setting]
    sets = [row.draw(np.random.default_rng([k, n])) for k, row in enumerate(few) for n in range(20)]
    before, after = np.mean(sets, axis=0)
    # 14 or more of 160 are as rare as 4 in 100 at 5 %.
    assert after < 14 / 160 < before
