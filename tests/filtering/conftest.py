"""Fixtures of guesses: a run that can be asked, and a bell that nobody hears; and of tunings."""

from collections.abc import Iterator

import pytest
import torch

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


@pytest.fixture(scope="module")
def run_kept(kept: str) -> int:
    return filter_run().pk


@pytest.fixture
def run(run_kept: int) -> FilterRun:
    guessing._members.cache_clear()
    return FilterRun.objects.get(pk=run_kept)


@pytest.fixture
def campaign(run: FilterRun) -> Campaign:
    return run.encoding.snapshot.campaign


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Two would wait for each other, where another process has the second core."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
