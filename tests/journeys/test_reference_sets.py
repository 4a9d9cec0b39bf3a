"""A curator imports a benchmark, evaluates a method on it and shows it; a worker reads it."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from evaluation.models import Evaluation
from tests.corpora.sets import LINES
from tests.factories import UserFactory
from tests.journeys.test_accessibility import VIEWS, assert_clean
from winoplatform.runs.kinds import execute_here


def file(*lines: str) -> FilePayload:
    content = "\n".join(lines).encode()
    return {"name": "tiny.jsonl", "mimeType": "application/jsonl", "buffer": content}


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

    page.get_by_role("button", name="Show to all users").click()
    expect(page.get_by_text("visible to all signed-in users")).to_be_visible()
    page.get_by_text("Delete …").click()
    expect(page.get_by_text("Evaluations refer to this set")).to_be_visible()

    worker = sign_in(UserFactory(), **view)
    worker.goto("/")
    worker.get_by_role("link", name="Public reference sets").click()
    worker.get_by_role("link", name="Tiny set").click()
    expect(worker.get_by_role("heading", name="Evaluations")).to_have_count(0)
    assert_clean(worker)
