"""A curator tunes an encoder, ends it, lets it go on, encodes with it and asks for a filter run."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from django.db import connection
from playwright.sync_api import Page, expect

from corpora.models import Snapshot
from filtering.models import Encoding, FilterRun, Tuning
from modeling.encoders import load_encoder
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import TINY, frozen, snapshot_of
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run

PATIENCE = 60
AN_EPOCH = 1000 * PATIENCE  # milliseconds


@pytest.fixture(autouse=True)
def loaded() -> Iterator[None]:
    """Have read what an encoder needs before a page waits for it, and leave the browser a core."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    load_encoder(TINY)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def snapshot(transactional_db: None) -> Snapshot:
    snapshot = snapshot_of(frozen(pairs=40))
    snapshot.campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    snapshot.save()
    return snapshot


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let a worker's first attempt rest after the first epoch, until this is set."""
    goes_on = threading.Event()
    pulse = Attempt.pulse

    def resting(self: Attempt[Any], activity: str) -> None:
        if self.run.done == 1 and self.attempt == 1:
            goes_on.wait(PATIENCE)
        pulse(self, activity)

    monkeypatch.setattr(Attempt, "pulse", resting)
    yield goes_on
    goes_on.set()


def worker(run: Run) -> threading.Thread:
    """Execute a run in a thread, as a worker elsewhere would."""

    def work() -> None:
        try:
            execute_here(run)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def ended(thread: threading.Thread) -> None:
    thread.join(PATIENCE)
    assert not thread.is_alive()


def ask(page: Page, **settings: str) -> None:
    for label, value in settings.items():
        page.get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name="Start the tuning").click()


@pytest.mark.long
def test_an_encoder_is_tuned_and_leads_on_to_a_filter_run(
    snapshot: Snapshot, rests: threading.Event, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True))
    page.goto("/campaigns/kitchen/pipeline/")
    page.get_by_role("link", name="Tune an encoder").click()
    ask(page, Training_questions="70")
    expect(page.get_by_text("more than half of 80")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="Nothing was started")).to_be_visible()
    ask(page, Training_questions="8", Validation_questions="4", Epochs="2", Encoder=TINY)
    expect(page.get_by_text("No epoch is complete yet.")).to_be_visible()

    tuning = Tuning.objects.get()
    first = worker(tuning)
    expect(page.get_by_role("rowheader", name="1 best so far")).to_be_visible(timeout=AN_EPOCH)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Cancel tuning").click()
    expect(page.get_by_text("stopping after the current step")).to_be_visible()
    rests.set()
    ended(first)
    expect(page.get_by_text("it continues after its 1 recorded epoch")).to_be_visible()

    page.get_by_role("button", name="Resume tuning").click()
    second = worker(tuning)
    expect(page.get_by_text("No encodings yet.")).to_be_visible(timeout=AN_EPOCH)
    ended(second)
    expect(page.get_by_role("row")).to_have_count(12)  # two epochs, eight settings, their heads

    page.get_by_role("link", name="Encode with the tuned encoder").first.click()
    page.get_by_role("button", name="Start the encoding").click()
    third = worker(Encoding.objects.get())
    expect(page.get_by_text("68 questions")).to_be_visible(timeout=AN_EPOCH)
    ended(third)

    page.get_by_role("link", name="Filter").click()
    expect(page.get_by_text("tuned on 12 questions, which are left out")).to_be_visible()
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("heading", name="Filter run", level=1)).to_be_visible()
    assert FilterRun.objects.get().encoding.tuning == tuning
