"""A run is watched while it goes, and the page stops asking when it has ended."""

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Request, expect

from corpora.models import Selection
from filtering.models import FilterRun
from tests.factories import ArtifactFactory, FilterRunFactory, PhaseFactory, UserFactory
from tests.journeys.timers import wait
from winoplatform.runs.models import RunStatus


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
