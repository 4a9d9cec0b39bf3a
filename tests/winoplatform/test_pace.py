"""A run tells its rate after the first minute."""

import pytest

from winoplatform.runs import pace
from winoplatform.runs.pace import Pace


def test_the_rate_is_told_after_a_minute_without_the_first_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(pace.time, "monotonic", lambda: now)
    found, said = Pace(), []
    now = 100.0  # the first piece also does what is done once
    for done in range(1, 33):
        said.append(found.said(done))
        now += 2
    assert said == [""] * 30 + [", 2 s each"] * 2
    assert found.said(1) == ""  # another epoch
    now += 90
    assert found.said(31) == ", 3 s each"
