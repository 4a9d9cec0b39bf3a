"""Pictures are read by pointing and by keyboard, lead to their questions, and are saved."""

import csv
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Page, expect

from evaluation.models import KeyAudit
from filtering import services
from filtering.models import FilterRun
from tests.corpora.sets import imported
from tests.evaluation.done import audited_key, evaluated
from tests.factories import UserFactory
from tests.filtering.evidence_made import assessed_run
from tests.filtering.stages import PUBLISHED, carried, encoding_of, frozen, leaking
from tests.journeys.folds import unfold_all
from winoplatform.runs.models import RunStatus

WIDE = {"viewport": {"width": 1440, "height": 900}}
# Where a point of a picture is on the screen.
PLACE = """([series, point]) => {
  const plot = document.querySelector("[data-drawn] .js-plotly-plot");
  const {xaxis, yaxis} = plot._fullLayout;
  const {x, y} = plot.data[series];
  const box = plot.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(x[point]), box.y + yaxis._offset + yaxis.d2p(y[point])];
}"""


@pytest.fixture
def run(transactional_db: None) -> FilterRun:
    questions = frozen(pairs=40, unpaired=10)
    encoding = encoding_of(questions, leaking(questions))
    run = services.start_filter_run(encoding=encoding, by=None, n=5, m=40, k=8, **PUBLISHED)
    carried(run)
    carried(run.assessments.get())
    run.refresh_from_db()
    return run


def opened(page: Page, run: FilterRun) -> None:
    page.goto(reverse("evidence", args=[run.public_id]))
    unfold_all(page)
    # Plotly is five megabytes of script: other tests share the cores.
    expect(page.locator("[data-drawn]").first).to_be_attached(timeout=60_000)


@pytest.mark.long
def test_a_point_tells_its_sentence_and_leads_to_its_question(
    run: FilterRun, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True), **WIDE)
    opened(page, run)
    picture = page.locator("[data-drawn]").first
    picture.evaluate("(one) => one.scrollIntoView({block: 'center', behavior: 'instant'})")
    series = picture.evaluate("(one) => one.querySelector('.js-plotly-plot').data[0].text[3]")
    x, y = page.evaluate(PLACE, [0, 3])
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    shown = picture.locator(".hoverlayer")
    expect(shown).to_contain_text("bed number")
    reading = picture.get_by_role("status")
    expect(reading).to_contain_text("bed number")
    assert series.replace("<br>", "").split(" (")[0] in reading.inner_text()
    page.mouse.click(x, y)
    page.wait_for_url("**/data/q*/")
    expect(page.get_by_role("main")).to_contain_text("bed number")


@pytest.mark.usefixtures("transactional_db")
def test_a_picture_appears_on_an_open_page_when_its_run_ends(sign_in: Callable[..., Page]) -> None:
    curator = UserFactory(curator=True)
    audit = audited_key(evaluated(imported(is_public=True)), created_by=curator).run
    KeyAudit.objects.update(status=RunStatus.RUNNING, result=None, ended_at=None)
    page = sign_in(curator, **WIDE)
    page.goto(reverse("key-audit", args=[audit.public_id]))
    expect(page.locator("[data-picture]")).to_have_count(0)
    KeyAudit.objects.update(status=audit.status, result=audit.result, ended_at=audit.ended_at)
    expect(page.locator("[data-drawn]").first).to_be_attached(timeout=60_000)


@pytest.mark.long
def test_keys_go_from_point_to_point_and_open_a_question(
    run: FilterRun, sign_in: Callable[..., Page]
) -> None:
    page = sign_in(UserFactory(curator=True), **WIDE)
    opened(page, run)
    picture = page.locator("[data-drawn]").first
    frame = picture.get_by_role("application")
    frame.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    reading = picture.get_by_role("status")
    expect(reading).to_contain_text("bed number")
    there = reading.get_by_role("link", name="Open").get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{there}")


@pytest.mark.long
def test_a_picture_is_saved_as_files_and_has_no_faults_in_either_theme(
    run: FilterRun, sign_in: Callable[..., Page], tmp_path: Path
) -> None:
    page = sign_in(UserFactory(curator=True), **WIDE)
    opened(page, run)
    picture = page.locator("[data-drawn]").first

    def saved(kind: str) -> bytes:
        with page.expect_download() as started:
            picture.get_by_role("button", name=kind).click()
        target = tmp_path / f"picture.{kind.lower()}"
        started.value.save_as(target)
        return target.read_bytes()

    assert saved("PNG").startswith(b"\x89PNG")
    assert b"<svg" in saved("SVG")[:200]
    rows = list(csv.DictReader(saved("CSV").decode().splitlines()))
    assert len(rows) == 90
    assert {row["series"] for row in rows} == {
        f"{kept}, answer {answer}" for kept in ("Removed", "Kept") for answer in (1, 2)
    }
    assert sum(row["series"].startswith("Kept") for row in rows) == run.selection.n_kept
    assert len(json.loads(saved("JSON"))["series"]) == 4
    axe = Axe()
    for theme in ("light", "dark"):
        page.get_by_role("button", name=theme).click()
        found = axe.run(page)
        assert not found.response["violations"], found.generate_report()


BOXES = """(all) => all.map((one) => one.getBoundingClientRect().toJSON())"""
WORDS = ":is(.legendtext, .annotation-text, .xtick text)"


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    apart = one["right"] <= other["left"] or other["right"] <= one["left"]
    return not (apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"])


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.usefixtures("transactional_db")
def test_no_words_of_a_picture_lie_over_others(sign_in: Callable[..., Page], width: int) -> None:
    run = assessed_run()
    page = sign_in(UserFactory(curator=True), viewport={"width": width, "height": 900})
    page.goto(reverse("evidence", args=[run.public_id]))
    expect(page.locator("[data-drawn]").first).to_be_attached(timeout=60_000)
    words = page.locator("[data-drawn]").first.locator(WORDS).evaluate_all(BOXES)
    assert len(words) >= 4
    assert not [pair for pair in combinations(words, 2) if overlap(*pair)]
