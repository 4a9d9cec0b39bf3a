"""A curator starts a filter run, ends it, lets it go on, and compares it with another seed."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from filtering.models import Encoding, FilterRun
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import encoding_of, frozen, leaking
from tests.journeys.folds import unfold
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.kinds import execute_run

PATIENCE = 30


@pytest.fixture
def encoding(transactional_db: None) -> Encoding:
    questions = frozen(pairs=40, unpaired=10)
    encoding = encoding_of(questions, leaking(questions))
    encoding.snapshot.campaign = CampaignFactory(slug="kitchen", name="Kitchen")
    encoding.snapshot.save()
    return encoding


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator["SlowWorker"]:
    worker = SlowWorker()
    record = Attempt.record

    def pausing(self: Attempt[Any], step: Any, **options: Any) -> None:
        record(self, step, **options)
        if step.number == 2 and self.attempt == 1:
            worker.may_go_on.wait(PATIENCE)

    monkeypatch.setattr(Attempt, "record", pausing)
    yield worker
    worker.may_go_on.set()


class SlowWorker:
    """Executes a run in a thread, and rests after the second phase of the first attempt."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()

    def take(self, run: FilterRun) -> None:
        self.thread = threading.Thread(target=self._execute, args=(run.pk,))
        self.thread.start()

    def _execute(self, pk: int) -> None:
        try:
            execute_run("filtering.filterrun", pk)
        finally:
            connection.close()

    def end(self) -> None:
        self.may_go_on.set()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


def ask(page: Page, **settings: str) -> FilterRun:
    """Fill the form that is open and start the run."""
    for label, value in settings.items():
        page.locator(f"#id_{label}").fill(value)
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("heading", name="Filter run", level=1)).to_be_visible()
    run: FilterRun = FilterRun.objects.latest("pk")
    return run


def test_a_run_is_started_ended_resumed_cloned_and_compared(
    encoding: Encoding, worker: SlowWorker, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True))
    page.goto("/campaigns/kitchen/pipeline/")
    page.get_by_role("main").get_by_role("link", name="Filter").click()
    page.get_by_role("link", name="As published").click()
    run = ask(page, n="5", m="40", k="8")
    expect(page.get_by_text("No phase is complete yet.")).to_be_visible()

    worker.take(run)
    expect(page.get_by_role("rowheader", name="2", exact=True)).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Cancel run").click()
    expect(page.get_by_text("stopping after the current step")).to_be_visible()
    worker.end()
    expect(page.get_by_text("it continues after its 2 recorded phases")).to_be_visible()

    page.get_by_role("button", name="Resume run").click()
    worker.take(run)
    expect(page.locator(".verdict-first")).to_contain_text("questions")
    unfold(page, "Course of the run")
    expect(page.get_by_text("The run stopped because")).to_be_visible()
    worker.end()

    page.get_by_role("link", name="Duplicate and edit").click()
    worker.take(ask(page, seed="1"))
    expect(page.locator(".verdict-first")).to_contain_text("questions")
    worker.end()
    unfold(page, "Runs over this encoding")
    page.get_by_role("checkbox", name="seed 0").check()
    page.get_by_role("button", name="Compare selected runs").click()
    expect(page.get_by_role("heading", name="Effect of the seed: A, B")).to_be_visible()
    expect(page.get_by_role("rowheader", name="seed differs")).to_be_visible()
