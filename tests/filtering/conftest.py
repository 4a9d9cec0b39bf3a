"""Fixtures of guesses: a run that can be asked, and a bell that nobody hears."""

import pytest

from collection.models import Campaign
from filtering import guessing
from filtering.models import FilterRun
from filtering.services import guesses
from tests.filtering.guess_asking import SENT
from tests.filtering.guessable import filter_run


@pytest.fixture
def bell(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the messages instead of sending them."""
    SENT.clear()
    monkeypatch.setattr(
        guesses.current_app, "send_task", lambda name, args, **_: SENT.append(args[0])
    )
    return SENT


@pytest.fixture
def run() -> FilterRun:
    guessing._members.cache_clear()
    return filter_run()


@pytest.fixture
def campaign(run: FilterRun) -> Campaign:
    return run.encoding.snapshot.campaign
