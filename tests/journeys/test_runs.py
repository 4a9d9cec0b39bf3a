"""Runs in the browser: told apart, watched, ended, let go on, and compared."""

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.utils import timezone
from playwright.sync_api import Page, Request, expect

from corpora.models import Selection
from filtering.models import Encoding, FilterRun
from filtering.services import choose_run, start_filter_run
from tests.factories import (
    ArtifactFactory,
    CampaignFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    PhaseFactory,
    ReleaseFactory,
    SnapshotFactory,
    UserFactory,
)
from tests.filtering.stages import carried, encoding_of, frozen, leaking
from tests.journeys.folds import unfold
from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.journeys.timers import wait
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.keeping import annotate
from winoplatform.runs.kinds import execute_run
from winoplatform.runs.models import RunStatus


@VIEWS
def test_a_click_in_the_picture_opens_what_a_release_was_made_from(
    view: dict[str, Any], transactional_db: None, sign_in: Callable[..., Page]
) -> None:
    dana = UserFactory(username="dana", curator=True)
    campaign = CampaignFactory(slug="kitchen")
    snapshot = SnapshotFactory(campaign=campaign, finished=True, created_by=dana)
    encoding = EncodingFactory(snapshot=snapshot, finished=True, created_by=dana)
    run = FilterRunFactory(encoding=encoding, finished=True, created_by=dana)
    annotate(run, caption="First try", is_starred=True)
    choose_run(run=run, by=dana)
    release = ReleaseFactory(filter_run=run, name="kitchen-1", finished=True)
    EvaluationFactory(release=release, finished=True)
    page = sign_in(dana, **view)
    page.goto("/campaigns/kitchen/pipeline/")
    picture = page.get_by_role("group", name="What was made from what")
    expect(picture.get_by_role("link")).to_have_count(4)  # a snapshot has no page
    row = page.get_by_role("row").filter(has_text="Release").filter(has_text="kitchen-1").first
    expect(row.get_by_role("link", name="First try")).to_be_visible()
    expect(page.get_by_text("by dana").first).to_be_visible()
    assert_clean(page)
    picture.get_by_role("link", name="Filter run").click()
    expect(page).to_have_url(f"{page.url.partition('/runs/')[0]}/runs/filter/{run.public_id}/")
    table = page.get_by_role("table").filter(has_text="Meaning")
    expect(table).to_be_hidden()
    page.emulate_media(media="print")
    expect(table).to_be_visible()
    page.emulate_media(media="screen")
    page.goto("/runs/")
    page.get_by_label("Order").select_option("By name")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("table.runs tbody th").first).to_contain_text("First try")


def filtered(features: Callable[..., Any]) -> FilterRun:
    """The default filter's run over 150 pairs and 40 further questions."""
    questions = frozen(pairs=150, unpaired=40)
    run: FilterRun = carried(
        start_filter_run(encoding=encoding_of(questions, features(questions)), by=None)
    )
    return run


def random_features(questions: Sequence[Any]) -> np.ndarray[Any, Any]:
    return np.random.default_rng(1).normal(size=(len(questions), 6)).astype(np.float32)


@pytest.mark.long
def test_a_bias_is_found_removed_and_seen_before_and_after(
    transactional_db: None, sign_in: Callable[..., Page]
) -> None:
    run = filtered(leaking)
    carried(run.assessments.get())
    page = sign_in(UserFactory(curator=True), viewport={"width": 1440, "height": 900})
    page.goto(f"/runs/filter/{run.public_id}/")
    verdict = page.locator(".verdict-first")
    expect(verdict).to_contain_text("A bias was found.")
    expect(verdict).to_contain_text("removed; fresh linear models find neither bias nor leak")
    figures = page.locator("dl.figures").first
    expect(figures).to_contain_text("Fresh linear models, before")
    expect(figures).to_contain_text("above one half")
    expect(page.locator("figure").first).to_be_visible()
    page.get_by_role("link", name="Evidence", exact=True).click()
    expect(verdict).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Removed questions").click()
    n_removed = 340 - (run.n_kept or 0)
    expect(page.get_by_text(f"This run removed {n_removed} questions.")).to_be_visible()


@pytest.mark.long
def test_without_a_bias_there_is_nothing_to_remove(
    transactional_db: None, sign_in: Callable[..., Page]
) -> None:
    run = filtered(random_features)
    page = sign_in(UserFactory(curator=True))
    page.goto(f"/runs/filter/{run.public_id}/")
    expect(page.locator(".verdict-first")).to_contain_text(
        "Nothing was removed: all 340 questions are kept"
    )
    expect(page.get_by_role("link", name="Removed questions")).to_have_count(0)


@pytest.fixture
def run(transactional_db: None) -> FilterRun:
    return FilterRunFactory(status=RunStatus.RUNNING, started_at=timezone.now(), total=4)


def test_phases_appear_and_the_asking_ends_with_the_run(
    run: FilterRun, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True))
    asked: list[str] = []

    def note(request: Request) -> None:
        if request.headers.get("hx-request"):
            asked.append(request.url)

    page.on("request", note)
    page.goto(f"/runs/filter/{run.public_id}/")
    expect(page.get_by_text("No phase is complete yet.")).to_be_visible()
    PhaseFactory(run=run, n_before=1830, n_removed=76)
    expect(page.get_by_role("cell", name="1,754")).to_be_visible()
    done = RunStatus.DONE
    Selection.objects.update(status=done, kept=ArtifactFactory(), n_kept=1754)
    FilterRun.objects.update(status=done, stop_reason="fewer_than_k", ended_at=timezone.now())
    expect(page.locator(".verdict-first")).to_contain_text("questions were removed")
    # What was open before the last answer still is.
    expect(page.get_by_role("cell", name="1,754")).to_be_visible()
    expect(page.locator("#announce")).to_have_text("The run has ended: done")
    wait(page, 2_000)  # one more may have been on its way
    already = len(asked)
    wait(page, 5_000)
    assert len(asked) == already >= 2


@pytest.mark.long
def test_a_run_is_cancelled_from_its_page(run: FilterRun, sign_in: Callable[..., Page]) -> None:
    page = sign_in(UserFactory(curator=True))
    page.goto(f"/runs/filter/{run.public_id}/")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Cancel run").click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Cancel run").click()
    expect(page.get_by_text("stopping after the current step")).to_be_visible()
    run.refresh_from_db()
    assert run.cancel_requested


@pytest.mark.long
def test_a_replaced_part_keeps_the_focus(run: FilterRun, sign_in: Callable[..., Page]) -> None:
    page = sign_in(UserFactory(curator=True))
    campaign = run.encoding.snapshot.campaign.slug
    page.goto(f"/runs/?campaign={campaign}")
    # Neither has an id, and the link is there twice.
    links = page.locator(f"#jobs a[href='/campaigns/{campaign}/']")
    for place in (links.nth(1), page.get_by_role("group", name="Runs")):
        place.focus()
        place.evaluate("each => { each.dataset.old = true }")
        expect(page.locator("#jobs [data-old]")).to_have_count(0)
        expect(place).to_be_focused()


@pytest.mark.long
def test_the_list_of_runs_follows_them_and_keeps_what_is_typed(
    run: FilterRun, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True))
    page.goto("/runs/?kind=filterrun")
    expect(page.locator("#jobs")).to_have_attribute("hx-trigger", "every 2s")
    page.locator(f"tr:has(#cancel-{run.public_id}) .keep summary").click()
    name = page.locator(f"#caption-{run.public_id}")
    name.fill("With the larger encoder")
    wait(page, 3_000)
    expect(name).to_have_value("With the larger encoder")
    done = RunStatus.DONE
    Selection.objects.update(status=done, kept=ArtifactFactory(), n_kept=1754)
    FilterRun.objects.update(status=done, stop_reason="fewer_than_k", ended_at=timezone.now())
    page.locator(".keep[open] summary").click()
    expect(page.locator("#jobs")).not_to_have_attribute("hx-trigger", "every 2s")
    expect(page.locator(".state-running")).to_have_count(0)


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


@pytest.mark.long
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
