"""Fixtures of long jobs."""

import pytest

from winoplatform.runs import dispatch
from winoplatform.runs.models import Run


@pytest.fixture
def dispatched(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    sent: list[Run] = []
    monkeypatch.setattr(dispatch, "_send", lambda run, **_: sent.append(run))
    return sent
