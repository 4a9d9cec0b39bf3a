"""Reference sets and evaluations: imported, scored, compared, shown and read."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from evaluation.models import Evaluation
from frontend.evaluations import starting
from frontend.shell import choices
from tests.corpora.sets import LINES
from tests.evaluation.sets import small_set, tiny_model
from tests.factories import UserFactory
from tests.journeys.folds import unfold
from tests.journeys.test_accessibility import VIEWS, assert_clean
from winoplatform.runs.kinds import execute_here


@pytest.mark.long
@VIEWS
def test_a_model_is_evaluated_compared_and_read(
    view: dict[str, Any],
    sign_in: Callable[..., Page],
    transactional_db: None,
    tmp_path: Any,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small_set(is_public=True)
    model = tiny_model(tmp_path, settings)
    for module in (choices, starting):  # in place of the model that comes with the platform
        monkeypatch.setattr(module, "SMOLLM2", model)
    page = sign_in(UserFactory(curator=True), **view)
    page.goto("/")
    page.get_by_role("link", name="Evaluations", exact=True).click()
    page.get_by_role("link", name="Evaluate", exact=True).click()
    expect(page.get_by_text("2 evaluations", exact=True)).to_be_visible()
    causal = page.get_by_role("group", name="Causal language models", exact=True)
    causal.get_by_label("whole sentence", exact=True).check()
    # The cost follows every choice.
    expect(page.get_by_text("3 evaluations", exact=True)).to_be_visible()
    expect(page.get_by_text("time not known yet").first).to_be_visible()
    assert_clean(page)
    page.get_by_role("button", name="Start 3 evaluations").click()
    expect(page.get_by_text("3 evaluations are queued.")).to_be_visible()

    for run in Evaluation.objects.all():
        execute_here(run)
    page.get_by_role("region", name="Newest evaluations").get_by_role(
        "link", name="causal"
    ).first.click()
    expect(page.get_by_text("questions per second")).to_have_count(0)
    unfold(page, "Answers")
    expect(page.get_by_text("all (3)")).to_be_visible()
    page.get_by_role("link", name="right on one only").click()
    expect(page.get_by_role("heading", name="Answers")).to_be_visible()
    assert_clean(page)

    page.get_by_role("link", name="small · test").click()
    unfold(page, "Table of systems")
    table = page.get_by_role("group", name="Table of systems")
    expect(table.get_by_role("row")).to_have_count(4)
    expect(table.get_by_text("best", exact=True)).to_be_visible()
    page.get_by_role("link", name="Combine systems").click()
    for name in ("most frequent answer", "whole sentence"):
        page.get_by_role("checkbox", name=name).check()
    assert_clean(page)
    page.get_by_role("button", name="Start ensemble").click()
    expect(page.get_by_role("heading", name="ensemble · majority vote")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="small · test").click()
    unfold(page, "Table of systems")
    page.get_by_role("link", name="group score").click()
    expect(page.locator("strong", has_text="group score")).to_be_visible()
    assert_clean(page)
    with page.expect_download() as file:
        page.get_by_role("link", name="LaTeX").click()
    assert file.value.suggested_filename == "comparison-small-test.tex"
    assert page.evaluate("document.documentElement.scrollWidth") <= view["viewport"]["width"]


@pytest.mark.long
@VIEWS
def test_predictions_are_read_reported_on_and_stored(
    view: dict[str, Any], sign_in: Callable[..., Page], transactional_db: None
) -> None:
    small_set()
    page = sign_in(UserFactory(curator=True), **view)
    page.goto("/evaluations/")
    page.get_by_role("link", name="Upload predictions").click()
    page.get_by_label("System").fill("GPT")
    answers = b"the trophy\nI cannot say\n1\n2\n1\n2\n"
    file: FilePayload = {"name": "out.txt", "mimeType": "text/plain", "buffer": answers}
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_role("button", name="Read the file").click()
    expect(page.get_by_role("heading", name="out.txt, by GPT")).to_be_focused()
    expect(page.get_by_text("5 of 6 questions")).to_be_visible()
    assert_clean(page)
    page.get_by_role("button", name="Store and compute the metrics").click()
    expect(page.get_by_role("heading", name="GPT · predictions made elsewhere")).to_be_visible()
    execute_here(Evaluation.objects.get())
    expect(page.get_by_text("done", exact=True)).to_be_visible()


def file(*lines: str) -> FilePayload:
    content = "\n".join(lines).encode()
    return {"name": "tiny.jsonl", "mimeType": "application/jsonl", "buffer": content}


@pytest.mark.long
@VIEWS
def test_a_benchmark_is_imported_evaluated_and_shown(
    view: dict[str, Any], sign_in: Callable[..., Page], transactional_db: None
) -> None:
    page = sign_in(UserFactory(curator=True), **view)
    page.goto("/reference-sets/")
    page.get_by_role("link", name="Import a reference set").last.click()
    page.get_by_label("Short name").fill("tiny")
    page.get_by_label("Title").fill("Tiny set")
    page.get_by_label("Format").select_option("winogrande")
    page.get_by_label("File of split 1").set_input_files(file("{}"))
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert").filter(has_text="choose the files again")).to_be_visible()
    expect(page.locator("[aria-invalid=true]").first).to_be_focused()
    expect(page.get_by_text("Split “test”: line 1: not a question of WinoGrande")).to_be_visible()
    assert_clean(page)

    page.get_by_label("File of split 1").set_input_files(file(*LINES))
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Tiny set", level=1)).to_be_visible()
    expect(page.get_by_text("1–6 of 6")).to_be_visible()

    page.get_by_role("link", name="Evaluate", exact=True).click()
    expect(page.get_by_role("checkbox", name="Tiny set · test")).to_be_checked()
    page.get_by_role("checkbox", name="text after the option", exact=True).first.uncheck()
    page.get_by_role("button", name="Start evaluation").click()
    page.goto("/reference-sets/tiny/")
    row = page.get_by_role("row", name="most frequent answer")
    expect(row).to_contain_text("waiting")
    execute_here(Evaluation.objects.get())
    expect(row).to_contain_text("done")
    assert_clean(page)

    page.get_by_label("Seen by").select_option("all")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_text("visible to all signed-in users")).to_be_visible()
    page.get_by_text("Delete …").click()
    expect(page.get_by_text("Evaluations refer to this set")).to_be_visible()

    worker = sign_in(UserFactory(), **view)
    worker.goto("/")
    worker.get_by_role("link", name="Public reference sets").click()
    worker.get_by_role("link", name="Tiny set").click()
    expect(worker.get_by_role("heading", name="Evaluations")).to_have_count(0)
    assert_clean(worker)
