"""Fixtures of long jobs."""

import pytest

from winoplatform.runs import ring
from winoplatform.runs.models import Run


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    bells: list[Run] = []
    monkeypatch.setattr(ring, "_send", lambda run, **_: bells.append(run))
    return bells
