"""From a twin over a refuted proof and a validated sentence to a release and a tested model."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from corpora.models import ReferenceSet
from corpora.services import import_reference_set
from evaluation.models import Evaluation
from frontend.knowledge import checking
from knowledge.models import KnowledgeRelease
from panels.models import Panel
from tests.evaluation.sets import tiny_model
from tests.factories import CampaignFactory, UserFactory
from tests.factories.knowledge import KnowledgeSetFactory
from tests.journeys.test_accessibility import VIEWS, assert_clean
from tests.journeys.validating import settled
from tests.panels import people
from winoplatform.runs.kinds import execute_here

FOLDER = Path("collection/starter")


TWIN = "s002"
HEALTHY, ROTTEN = "healthy_root(x) -> not pulled_out(x)", "rotten_root(x) -> pulled_out(x)"


def starter_twin() -> ReferenceSet:
    """Import one twin of the starter campaign as a set of its own."""
    lines = (FOLDER / "twins.jsonl").read_text().splitlines()
    row = next(found for found in map(json.loads, lines) if found["key"] == TWIN)
    options = {"option1": row["option1"], "option2": row["option2"]}
    items = [
        {"qID": f"{TWIN}-{n}", "sentence": row[f"sentence{n}"], "answer": str(row[f"answer{n}"])}
        for n in (1, 2)
    ]
    splits = {"train": [json.dumps(item | options) for item in items]}
    return import_reference_set(name="starter", format="winogrande", splits=splits, by=None)


def look(page: Page) -> None:
    """axe finds nothing, and nothing is wider than the window."""
    assert_clean(page)


def prove(page: Page, version: int, found: str) -> None:
    page.get_by_role("button", name="Store and prove").click()
    expect(page.get_by_text(f"Version {version} is stored: {found}.")).to_be_visible()


def formalise_over_a_refuted_proof(page: Page) -> None:
    """Leave the knowledge out first, read the world that refutes it, and mend it."""
    page.get_by_role("link", name="healthy").first.click()
    for place, side in enumerate(("upper", "lower")):
        page.get_by_label("Words").nth(place).fill(f"the {side} molar")
        page.get_by_label("Kind").nth(place).fill("tooth")
    page.get_by_label("Scene").fill("pulled_out(LowerMolar)")
    page.get_by_label("Clause").fill("healthy_root(")
    expect(page.get_by_text("unreadable").first).to_be_visible()
    look(page)
    page.get_by_label("Clause").fill("healthy_root(It)")
    page.get_by_label("Outcome").fill("not pulled_out(UpperMolar)")
    expect(page.get_by_text("can be read and fit together")).to_be_visible()
    page.reload()
    expect(page.get_by_text("This is what you typed last")).to_be_visible()
    expect(page.get_by_label("Clause")).to_have_value("healthy_root(It)")
    prove(page, 1, "refuted")
    expect(page.get_by_text("The outcome need not come about.")).to_be_visible()
    look(page)
    page.get_by_label("New formula 1").fill(HEALTHY)
    page.get_by_label("Its name").first.fill("healthy-stays")
    prove(page, 2, "verified")


def formalise_the_twin(page: Page) -> None:
    """The twin's page begins with a copy; the same formulas must resolve it to the other option."""
    page.get_by_role("link", name="Open the twin").click()
    expect(page.get_by_text("Copied from the twin")).to_be_visible()
    page.get_by_label("Scene").fill("not pulled_out(UpperMolar)")
    page.get_by_label("Clause").fill("rotten_root(It)")
    page.get_by_label("Outcome").fill("pulled_out(LowerMolar)")
    page.get_by_label("New formula 1").fill(ROTTEN)
    page.get_by_label("Its name").first.fill("rotten-goes")
    prove(page, 1, "verified")
    expect(page.get_by_text("resolve each twin to its own answer")).to_be_visible()
    look(page)
    page.get_by_role("link", name="Open the twin").click()


def write_a_pair(page: Page) -> None:
    page.get_by_role("link", name="Write its sentence").click()
    page.get_by_role("link", name="healthy-stays").click()
    for name, positive, negative in (
        ("healthy_root", "{x has|have} a healthy root", "{x does|do} not have a healthy root"),
        ("pulled_out", "{x is|are} pulled out", "{x is|are} not pulled out"),
    ):
        page.get_by_label(f"Words of {name}").fill(positive)
        page.get_by_label("Its opposite").fill(negative)
        page.get_by_role("button", name="Store the words").click()
    expect(page.get_by_text("If tooth X has a healthy root, then X is not").first).to_be_visible()
    page.get_by_label("Words of X").fill("the old molar")
    expect(page.get_by_text("If the old molar has a healthy root")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Store the sentence").click()
    cards = page.locator(".offer-card")
    expect(cards.first).to_contain_text("picks the other option")
    look(page)
    cards.first.get_by_role("button", name="Use this one").click()
    expect(page.get_by_text("The false version is stored.")).to_be_visible()


@pytest.mark.long
@VIEWS
def test_a_twin_becomes_a_release_on_which_a_model_is_tested(
    view: dict[str, Any],
    sign_in: Callable[..., Page],
    transactional_db: None,
    tmp_path: Path,
    settings: Any,
) -> None:
    CampaignFactory(slug="kitchen", name="Kitchen")
    starter_twin()
    model = tiny_model(tmp_path, settings, positions=200)
    page = sign_in(UserFactory(curator=True), **view)
    page.goto("/")
    page.get_by_role("link", name="Knowledge", exact=True).click()
    look(page)
    page.get_by_role("link", name="New knowledge set").first.click()
    page.get_by_label("Short name").fill("teeth")
    page.get_by_label("Questions").select_option("reference_set:starter")
    page.get_by_label("Campaign that pays").select_option("kitchen")
    look(page)
    page.get_by_role("button", name="Make the set").click()
    look(page)
    formalise_over_a_refuted_proof(page)
    formalise_the_twin(page)
    write_a_pair(page)
    page.goto(reverse("knowledge-sentences", args=["teeth"]))
    look(page)

    page.get_by_role("link", name="Validation").first.click()
    page.get_by_label("Amount").fill("5.00")
    look(page)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Begin the validation").click()
    expect(page.get_by_text("0 of 12")).to_be_visible()
    answer(sign_in, view)
    for worker in UserFactory.create_batch(5):
        answer_all(worker)
    page.reload()
    expect(page.get_by_text("12 of 12")).to_be_visible()
    look(page)

    page.get_by_role("link", name="Releases").click()
    page.get_by_label("Name", exact=True).fill("first")
    look(page)
    page.get_by_role("button", name="Build the release").click()
    execute_here(KnowledgeRelease.objects.get())
    expect(page.get_by_role("link", name="variable.jsonl").first).to_be_visible()
    page.get_by_role("textbox", name="Model").fill(model)
    page.get_by_role("button", name="Test the model").click()
    execute_here(Evaluation.objects.get())
    expect(page.get_by_text("Measured here").first).to_be_visible()
    page.reload()
    look(page)


@pytest.mark.long
def test_formulas_typed_before_the_scripts_have_come_are_checked_and_too_many_are_not(
    sign_in: Callable[..., Page], transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "CHECKS", 1)
    KnowledgeSetFactory(name="teeth", reference_set=starter_twin())
    page = sign_in(UserFactory(curator=True))
    late: list[Route] = []
    page.route("**/htmx*.js", lambda route: late.append(route))
    page.goto(reverse("knowledge-question", args=["teeth", f"{TWIN}-1"]), wait_until="commit")
    page.get_by_label("Clause").fill("healthy_root(")
    for route in late:
        route.continue_()
    expect(page.get_by_text("unreadable").first).to_be_visible()
    page.get_by_label("Clause").fill("healthy_root(It")
    expect(page.get_by_text("Not checked: the formulas were checked too often.")).to_be_visible()


def answer(sign_in: Callable[..., Page], view: dict[str, Any]) -> None:
    """Answer about both problems, the second by its key."""
    page = sign_in(UserFactory(), **view)
    page.goto("/")
    look(page)
    page.get_by_role("link", name="Answer about reasons").click()
    look(page)
    page.get_by_role("button", name="Take part").click()
    expect(page.get_by_text("more likely to refer to")).to_be_visible()
    look(page)
    settled(page)
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_text("1 of 2 answered, $2.50 earned")).to_be_visible()
    settled(page)
    page.keyboard.press("2")
    expect(page.get_by_role("heading", name="You have answered every question")).to_be_visible()
    expect(page.get_by_text("$5.00 earned. Thank you.")).to_be_visible()
    look(page)


def answer_all(worker: Any) -> None:
    panel = Panel.objects.get()
    people.enrol(worker, panel)
    assert people.answer_all(panel, [worker]) == 2
