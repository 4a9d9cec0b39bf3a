"""Pages of fine-tuning: start a grid, watch it, its learning curve, its map, the papers' tables."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from corpora.core.items import Item
from corpora.models import ReferenceSet
from evaluation import services
from evaluation.core.published_tables import TABLES
from evaluation.models import FineTuning, FineTuningStep, Grid, GridTarget
from evaluation.selectors.training_items import MappedItem
from frontend.fine_tunings.reads import map_view
from tests.evaluation.grids import (
    cell,
    curve,
    dynamics,
    finish,
    ids_of,
    metrics,
    new_grid,
    scored,
)
from tests.evaluation.training import planted_set
from tests.factories import CampaignFactory, ReleaseFactory
from tests.filtering.stages import TINY
from tests.frontend.pages import words
from tests.latex_tables import parsed
from training.core.seeds import Region
from winoplatform.artifacts import store
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

FOUR = {160: [0.5, 0.52, 0.51], 640: [0.6, 0.58, 0.59], 2560: [0.68, 0.66, 0.67]}


@pytest.fixture
def data(db: None) -> ReferenceSet:
    return planted_set()


def at(run: Grid) -> str:
    return reverse("grid", args=[run.public_id])


@pytest.mark.long
def test_without_a_grid_the_list_leads_to_the_form(as_dana: Client) -> None:
    shown = as_dana.get(reverse("fine-tunings"))
    assert "Start the first grid" in words(shown)
    assert reverse("new-grid") in shown.content.decode()
    assert reverse("fine-tunings") in as_dana.get(reverse("evaluations")).content.decode()


@pytest.mark.long
def test_the_form_says_the_cost_before_the_start(as_dana: Client, data: ReferenceSet) -> None:
    asked = {"kind": "grid", "train": f"reference-set:{data.name}:train", "preset": "quick",
             "model": "pkg:cognition/model", "dtype": "float32"}  # fmt: skip
    shown = words(as_dana.get(reverse("new-grid"), asked))
    assert "3 cells" in shown
    assert "360 questions to train on" in shown  # 40 items, 3 epochs, 3 seeds
    assert "time not known yet" in shown
    assert not Grid.objects.exists()
    answer = as_dana.post(reverse("new-grid"), asked)
    made = Grid.objects.get()
    assert answer["Location"] == at(made)
    assert made.cells.count() == 3


def test_what_is_refused_is_said_and_nothing_starts(as_dana: Client, data: ReferenceSet) -> None:
    asked = {"kind": "curve", "train": f"reference-set:{data.name}:train", "preset": "quick",
             "model": "pkg:cognition/model", "dtype": "float32", "sizes": "many"}  # fmt: skip
    answer = as_dana.post(reverse("new-grid"), asked)
    assert answer.status_code == 400
    assert "A size is one of xs, s, m, l, xl, or a number of questions." in words(answer)
    assert not Grid.objects.exists()


@pytest.mark.long
def test_a_grid_shows_its_cells_and_the_best_with_its_rule(
    as_dana: Client, data: ReferenceSet
) -> None:
    grid = new_grid("grid", preset="aaai")
    ids = ids_of(data)
    first, second = (
        finish(cell(grid, data, seed=seed), value, ids) for seed, value in enumerate([0.61, 0.72])
    )
    cell(grid, data, seed=2)
    shown = words(as_dana.get(at(grid)))
    assert "61.0%" in shown
    assert "72.0%" in shown
    assert "Best:" not in shown
    found = {"cells": [str(second.public_id)], "value": 0.72, "sd": None}
    result = {"rule": "best", "settings": {"": found}, "stopped": ""}
    Grid.objects.filter(pk=grid.pk).update(best=second, result=result, status=RunStatus.DONE)
    shown = words(as_dana.get(at(grid)))
    assert "Best: rate 1e-5, 3 epochs, batch 16, seed 1" in shown
    assert "Rule: the cell with the highest accuracy on dev." in shown
    assert first.public_id != second.public_id


@pytest.mark.long
def test_a_learning_curve_grows_while_cells_finish(as_dana: Client, data: ReferenceSet) -> None:
    grid = new_grid("curve")
    waiting = cell(grid, data, seed=0, size=20, setting="n20")
    answer = as_dana.get(at(grid))
    assert "The curve grows while cells finish." in words(answer)
    assert "hx-trigger" in answer.content.decode()
    finish(waiting, 0.63, ids_of(data)[:20])
    part = as_dana.get(at(grid), HTTP_HX_REQUEST="true").content.decode()
    assert "<svg" in part
    assert "20 questions, seed 0: 63.0%" in part
    assert "<html" not in part


@pytest.mark.long
def test_a_real_curve_of_four_sizes_and_three_seeds_grows_on_its_page(
    as_dana: Client, data: ReferenceSet
) -> None:
    train = services.SplitOf("train", reference_set=data)
    made = services.start_grid(
        services.plan_curve(model=TINY, train=train, sizes=[10, 20, 30, 40]), by=None
    )
    for n, run in enumerate(made.cells.order_by("pk"), 1):
        execute_here(run)
        assert as_dana.get(at(made)).content.decode().count('class="dot"') == 2 * n
    tex = as_dana.get(reverse("curve-file", args=[made.public_id, "tex"])).content.decode()
    assert [row[:2] for row in parsed(tex)[1:5]] == [[f"{n}", "3"] for n in (10, 20, 30, 40)]


@pytest.mark.long
def test_a_curve_has_areas_people_and_an_honest_answer(as_dana: Client) -> None:
    shown = words(as_dana.get(at(curve(FOUR, planted_set("winogrande-mini")))))
    assert "51.0% ± 1.0%" in shown
    assert "Area" in shown
    assert "94.0%, people in WinoGrande’s paper, on the test questions of this set" in shown
    assert "Not reached by 2,560 questions, the largest size measured" in shown
    assert "If the curve follows" in shown


@pytest.mark.long
def test_no_other_sets_people_stand_beside_a_curve(as_dana: Client) -> None:
    shown = words(as_dana.get(at(curve(FOUR))))
    assert "51.0% ± 1.0%" in shown
    assert "Unknown: none is published for these questions" in shown
    for said in ("94.0%", "Where the curve reaches people", "Not reached"):
        assert said not in shown
    dpr = words(as_dana.get(at(curve(FOUR, planted_set("dpr")))))
    assert "95.2%, people in WinoGrande’s paper" in dpr


def test_a_transfer_shows_what_was_chosen_for_each_target(as_dana: Client) -> None:
    resource, wsc, pdp = (planted_set(name) for name in ("winogrande-x", "wsc273", "pdp"))
    grid = new_grid("transfer")
    for of in (wsc, pdp):
        GridTarget.objects.create(grid=grid, reference_set=of, split="test")
    first, second = (
        finish(cell(grid, resource, setting="winogrande", seed=seed), 0.7, ids_of(resource))
        for seed in range(2)
    )
    for run, on_wsc, on_pdp in ((first, 0.91, 0.62), (second, 0.83, 0.64)):
        scored(run, wsc, on_wsc)
        scored(run, pdp, on_pdp)
    chosen = {"wsc273 test": {"dev": "pdp test", "cell": str(second.public_id)}}
    result = {"rule": "best", "settings": {}, "stopped": "", "tuned_on": {"winogrande": chosen}}
    Grid.objects.filter(pk=grid.pk).update(result=result, status=RunStatus.DONE)
    section = words(as_dana.get(at(grid))).partition("Chosen for each target")[2]
    assert "wsc273 test 83.0%" in section
    assert "pdp test 64.0%" in section
    assert "seed 1" in section
    assert "91.0%" not in section


@pytest.mark.long
def test_the_curve_on_a_target_is_another_one(as_dana: Client) -> None:
    grid = curve(FOUR)
    shown = as_dana.get(at(grid), {"target": 1})
    assert "160 questions, seed 0: 48.0%" in shown.content.decode()
    for wrong in ("2", "0", "999999", "x", "-1"):
        assert as_dana.get(at(grid), {"target": wrong}).status_code == 404


@pytest.mark.long
def test_the_curves_files_have_its_points_and_parse(as_dana: Client) -> None:
    grid = curve(FOUR, planted_set("winogrande-mini"))
    file = as_dana.get(reverse("curve-file", args=[grid.public_id, "csv"])).content.decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert len(rows) == 9
    assert {row["fine_tuning"] for row in rows} == {
        str(id) for id in FineTuning.objects.values_list("public_id", flat=True)
    }
    tex = as_dana.get(reverse("curve-file", args=[grid.public_id, "tex"])).content.decode()
    table = parsed(tex)
    assert table[1][:4] == ["160", "3", r"51.0 $\pm$ 1.0", "52.0"]
    assert table[-1][0] == "Area"
    assert "Not reached by 2,560 questions" in tex
    assert "a power law with a floor" in tex
    assert as_dana.get(reverse("curve-file", args=[grid.public_id, "pdf"])).status_code == 404


def test_a_map_shows_sentences_on_hover_and_the_hardest_first(
    as_dana: Client, data: ReferenceSet
) -> None:
    ids = ids_of(data)
    run = finish(cell(None, data), 0.7, ids, wrong=ids[3:5])
    answer = as_dana.get(reverse("fine-tuning", args=[run.public_id]))
    shown = words(answer)
    assert "Map of the training questions" in shown
    assert "hard to learn" in shown
    picture = answer.context["map"].picture
    drawn = {series.name: len(series.x) for series in picture.series}
    assert (sum(drawn.values()), picture.href) == (len(ids), "")
    assert answer.context["map"].n_below_chance == 2
    sizes = {code: n for code, _, n in answer.context["map"].counts}
    assert sizes == dict.fromkeys(("easy", "ambiguous", "hard"), round(len(ids) / 3))
    said = [text for series in picture.series for text in series.text]
    assert any(text.startswith("Ann put _ on the table") for text in said)
    assert "Offer" not in shown  # a reference set has no review queue
    file = as_dana.get(reverse("map-file", args=[run.public_id])).content.decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert {row["item"] for row in rows[:2]} == set(ids[3:5])
    assert all("hard" in row["regions"].split() for row in rows[: len(ids) // 3])
    assert len(rows) == len(ids)


def test_offers_of_a_reference_set_are_refused(as_dana: Client, data: ReferenceSet) -> None:
    ids = ids_of(data)
    run = finish(cell(None, data), 0.7, ids)
    answer = as_dana.post(reverse("offer-label-errors", args=[run.public_id]), {"item": ids[:1]})
    assert "These questions belong to no campaign." in words(as_dana.get(answer["Location"]))


def test_the_papers_tables_show_published_and_own_figures(as_dana: Client) -> None:
    data = planted_set("winogrande-mini")
    curve({160: [0.5, 0.54], 700: [0.6]}, data)
    shown = words(as_dana.get(reverse("paper-table", args=["winogrande-4"])))
    assert "50.4" in shown  # published, XS on test
    assert "52.0%" in shown  # the mean of two seeds on dev
    assert "700" in shown  # a size that the paper does not have
    tex = as_dana.get(reverse("paper-table-file", args=["winogrande-4", "tex"])).content.decode()
    assert any("52.0 (47.0--57.0)" in one for row in parsed(tex) for one in row)


@pytest.mark.long
@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_read_and_downloaded(as_dana: Client, name: str) -> None:
    assert as_dana.get(reverse("paper-table", args=[name])).status_code == 200
    for ending in ("csv", "tex"):
        answer = as_dana.get(reverse("paper-table-file", args=[name, ending]))
        assert answer.status_code == 200
    assert as_dana.get(reverse("paper-table-file", args=[name, "pdf"])).status_code == 404


def test_transfers_stand_in_the_line_of_what_they_were_trained_on(as_dana: Client) -> None:
    resource, wsc, dpr = (planted_set(name) for name in ("winogrande-x", "wsc273", "dpr"))
    grid = new_grid("transfer")
    first = finish(cell(grid, resource, setting="winogrande"), 0.7, ids_of(resource))
    scored(first, wsc, 0.81)
    scored(first, dpr, 0.82)
    after = finish(cell(grid, dpr, setting="winogrande-dpr-ft", before=first), 0.7, ids_of(dpr))
    scored(after, dpr, 0.9)
    file = as_dana.get(reverse("paper-table-file", args=["winogrande-6", "csv"])).content.decode()
    rows = {
        (row["section"][:3], row["row"]): float(row["test_percent"])
        for row in csv.DictReader(io.StringIO(file))
        if row["test_percent"]
    }
    assert rows == {
        ("WSC", "RoBERTa-WinoGrande*"): pytest.approx(81),
        ("DPR", "RoBERTa-WinoGrande*"): pytest.approx(82),
        ("DPR", "RoBERTa-WinoGrande-ft"): pytest.approx(90),
    }


def test_a_table_is_attached_beside_a_release_with_its_hash(as_dana: Client) -> None:
    release = ReleaseFactory(finished=True)
    asked = {"release": release.pk, "ending": "tex"}
    address = reverse("attach-paper-table", args=["winogrande-6"])
    answer = as_dana.post(address, asked)
    report = release.reports.get()
    assert report.name == "winogrande-6.tex"
    assert report.artifact.sha256 in words(as_dana.get(answer["Location"]))
    again = as_dana.post(address, asked)
    assert again.status_code == 409
    assert "The release has a report with this name." in words(again)


def test_an_attached_table_has_no_figure_of_a_blind_test_nor_of_a_hidden_set(
    as_dana: Client,
) -> None:
    release = ReleaseFactory(finished=True)
    resource = planted_set("winogrande-x")
    hidden = planted_set("winogrande-y")
    ReferenceSet.objects.filter(pk=resource.pk).update(is_public=True)
    grid = new_grid("grid")
    known = finish(cell(grid, resource), 0.71, ids_of(resource))
    scored(known, None, 0.837, release=release)
    scored(known, hidden, 0.846)
    table = reverse("paper-table-file", args=["winogrande-3", "csv"])
    for_curators = as_dana.get(table).content
    # Sets that both stand for WinoGrande are lines, not seeds.
    assert all(share in for_curators for share in (b",83.7,", b",84.6"))
    address = reverse("attach-paper-table", args=["winogrande-3"])
    assert as_dana.post(address, {"release": release.pk, "ending": "csv"}).status_code == 302
    with store.open_artifact(release.reports.get().artifact) as file:
        attached = file.read()
    assert b"71" in attached
    assert b"83.7" not in attached
    assert b"84.6" not in attached


@pytest.mark.long
def test_a_worker_sees_grids_on_public_questions_only(as_alice: Client) -> None:
    grid = curve(FOUR)
    cell_of_it = grid.cells.first()
    assert cell_of_it is not None
    hidden = [at(grid), reverse("fine-tuning", args=[cell_of_it.public_id])]
    assert [as_alice.get(address).status_code for address in hidden] == [404, 404]
    ReferenceSet.objects.update(is_public=True)
    assert [as_alice.get(address).status_code for address in hidden] == [200, 200]
    assert as_alice.get(reverse("new-grid")).status_code == 403


def test_a_map_of_one_epoch_says_why_there_is_none(as_dana: Client, data: ReferenceSet) -> None:
    run = finish(cell(None, data), 0.7, ids_of(data))
    one = store.put_bytes(dynamics(ids_of(data), epochs=1))
    FineTuning.objects.filter(pk=run.pk).update(dynamics=one)
    shown = words(as_dana.get(reverse("fine-tuning", args=[run.public_id])))
    assert "There is no map: probability must have at least 2 epochs" in shown


def test_a_click_on_the_map_opens_the_question_of_its_campaign() -> None:
    item = Item(id="one", group="one", sentence="The _ fell.", options=("a", "b"), answer=1)
    mapped = MappedItem(1, item, 0.2, 0.1, 0.0, (Region.HARD, Region.AMBIGUOUS))
    drawn = map_view([mapped], CampaignFactory.build(slug="winter"), {"one": "f" * 16}).picture
    assert drawn.href == "/campaigns/winter/review/{id}/"
    [hard] = [series for series in drawn.series if series.x]
    assert (hard.ids, hard.y) == (["f" * 16], [0.2])


def test_a_fine_tuning_shows_its_epochs_as_a_tuning_does(
    as_dana: Client, data: ReferenceSet
) -> None:
    run = cell(None, data)
    first = {"run": run, "attempt": 1, "epoch": 1, "loss": 0.7, "seconds": 30.0}
    FineTuningStep.objects.create(number=1, batch=2, is_epoch_end=False, **first)
    FineTuningStep.objects.create(
        number=2, batch=4, is_epoch_end=True, dev_accuracy=0.6, dev_metrics=metrics(0.6), **first
    )
    shown = as_dana.get(reverse("fine-tuning", args=[run.public_id]))
    assert "1 best so far" in words(shown)
    assert "60.0%" in words(shown)
    assert "1 min" in words(shown)  # of both parts of the epoch
    assert shown.content.decode().count("data-picture") == 3
