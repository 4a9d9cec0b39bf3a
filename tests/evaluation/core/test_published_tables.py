"""The papers' tables: their published figures, and ours beside them."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from evaluation.core.published_tables import (
    KNOWLEDGE_TABLES,
    TABLES,
    FilledTable,
    Measured,
    OwnRow,
    Published,
    table_lines,
    to_csv,
    to_latex,
)
from knowledge.core.statistics import (
    KINDS,
    N_FALSE,
    N_PROBLEMS,
    N_TRUE,
    N_VALID,
    VARIANTS,
)
from tests.latex_tables import parsed

PAPERS = Path(__file__).parents[4] / "shared" / "papers"
NASTY = "R&D_1 50% {x} [a] ~^\\ ±"


def figures_of(row) -> list[str]:
    """A row's figures as the paper prints them, with deviations."""
    return [f"{cell.text} ({cell.sd})" if cell.sd else cell.text for cell in row.cells if cell]


def own(table, **options) -> OwnRow:
    """One row measured here, for the last line of the paper."""
    keys = [column.key for column in table.columns if column.is_measured]
    figures = {key: Measured(0.5 + 0.01 * at, 0.45, 0.6, 273) for at, key in enumerate(keys)}
    given = {"row": table.rows[-1].key, "model": "MiniLM", "figures": figures, **options}
    return OwnRow(**given)


def test_the_seven_tables_are_there() -> None:
    names = ["winogrande-3", "winogrande-4", "winogrande-6", "winogrande-7"]
    assert list(TABLES) == [*names, "square-one-1", "square-one-3", "square-one-4"]
    for table in TABLES.values():
        keys = [row.key for row in table.rows]
        assert len(set(keys)) == len(keys)
        n = sum(column.is_published for column in table.columns)
        assert {len(row.cells) for row in table.rows} == {n}


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers are not here")
@pytest.mark.parametrize("name", [name for name in TABLES if name.startswith("winogrande")])
def test_winograndes_figures_are_those_of_the_paper(name: str) -> None:
    text = (PAPERS / "winogrande-aaai2020.md").read_text(encoding="utf-8")
    before = text[: text.index(f"Table {name[-1]}: ")]
    start = 0 if name[-1] != "4" else before.index("Table 3: ")
    cells = re.findall(r"<td[^>]*>(.*?)</td>", before[start:], re.DOTALL)
    plain = [re.sub(r"<sup>.*?</sup>|<[^>]+>", "", cell).strip() for cell in cells]
    numbers = [cell for cell in plain if re.fullmatch(r"\d+(\.\d)?", cell)]
    found = [figure for row in TABLES[name].rows for figure in figures_of(row)]
    assert numbers[-len(found) :] == found or sorted(numbers[-len(found) :]) == sorted(found)


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers are not here")
@pytest.mark.parametrize("name", [name for name in TABLES if name.startswith("square")])
def test_square_ones_figures_are_those_of_the_paper(name: str) -> None:
    text = (PAPERS / "back-to-square-one.txt").read_text(encoding="utf-8")
    end = text.index(f"Table {name[-1]}: ")
    lines = text[:end].splitlines()[-32:]
    for row in TABLES[name].rows:
        assert f"{row.label} {' '.join(figures_of(row))}" in lines, row.label


def test_winogenders_published_gaps_follow_from_its_accuracies() -> None:
    rows = TABLES["winogrande-7"].rows
    for no, yes in zip(rows[::2], rows[1::2], strict=True):
        for at in (0, 1):
            first, second, gap = no.cells[at], yes.cells[at], no.cells[at + 2]
            assert first
            assert second
            assert gap
            assert abs(first.percent - second.percent) == pytest.approx(gap.percent, abs=0.01)


@pytest.mark.parametrize("name", TABLES)
def test_latex_can_be_parsed_and_has_both_figures(name: str) -> None:
    table = TABLES[name]
    rows = [own(table), own(table, row="", section=NASTY, label="*" + NASTY, model=NASTY)]
    found = parsed(to_latex(FilledTable(table, rows)))
    parts = sum(column.is_published + column.is_measured for column in table.columns)
    assert {len(row) for row in found} == {2 + parts}
    [ours] = [row for row in found if row[1] == "MiniLM"]
    assert "50.0 (45.0--60.0)" in ours
    cells = [cell.text for cell in table.rows[-1].cells if cell]
    assert all(any(part.startswith(text) for part in ours) for text in cells)


def test_the_parser_of_the_test_refuses_broken_tables() -> None:
    good = to_latex(FilledTable(TABLES["winogrande-4"], []))
    for old, new in (
        ("51.5 &", "51.5"),
        ("{llr", "{lr"),
        ("XS", "X_S"),
        ("XS", "X{S"),
        ("50.4", "5%"),
    ):
        with pytest.raises(AssertionError):
            parsed(good.replace(old, new))


@pytest.mark.parametrize("name", TABLES)
def test_csv_has_published_and_measured_figures_in_columns_of_their_own(name: str) -> None:
    table = TABLES[name]
    rows = list(
        csv.DictReader(io.StringIO(to_csv(FilledTable(table, [own(table, evaluations="7")]))))
    )
    assert len(rows) == len(table.rows)
    [ours] = [row for row in rows if row["model"]]
    assert (ours["model"], ours["evaluations"]) == ("MiniLM", "7")
    for column, cell in _published(table):
        assert ours[f"{column.key}_published"] == (cell.text if cell else "")
        assert (f"{column.key}_percent" in ours) == column.is_measured
    [key] = [column.key for column in table.columns if column.is_measured][:1]
    assert float(ours[f"{key}_percent"]) == 50
    assert (ours[f"{key}_low"], ours[f"{key}_n"]) == ("45.0", "273")


def _published(table) -> Iterator[tuple[object, Published | None]]:
    columns = [column for column in table.columns if column.is_published]
    return zip(columns, table.rows[-1].cells, strict=True)


def test_a_formula_in_a_models_name_is_not_one_in_a_spreadsheet() -> None:
    table = TABLES["winogrande-4"]
    assert "'=HYPERLINK(1)" in to_csv(FilledTable(table, [own(table, model="=HYPERLINK(1)")]))


def test_a_line_that_several_models_repeat_is_there_for_each() -> None:
    table = TABLES["winogrande-6"]
    row = "wsc/winogrande"
    found = table_lines(
        table, [OwnRow(row, name, {"test": Measured(0.5)}) for name in ("one", "two")]
    )
    same = [line for line in found if line.label == "RoBERTa-WinoGrande*"][:2]
    assert [(line.model, line.cells[0].published.text) for line in same] == [
        ("one", "90.1"), ("two", "90.1")
    ]  # fmt: skip
    assert len(found) == len(table.rows) + 1


def test_lines_that_the_paper_does_not_have_end_their_section() -> None:
    table = TABLES["winogrande-4"]
    found = table_lines(table, [own(table, row="", label="1,280")])
    assert (found[-1].label, found[-1].cells[0].published) == ("1,280", None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"row": "xxl"}, "row must be one of winogrande-4, got 'xxl'"),
        ({"figures": {"train": Measured(0.5)}}, "figures must be measured columns"),
    ],
)
def test_what_the_table_does_not_have_is_refused(given: dict, message: str) -> None:
    table = TABLES["winogrande-4"]
    with pytest.raises(ValueError, match=message):
        table_lines(table, [own(table, **given)])


def test_published_models_take_no_figures_of_ours() -> None:
    table = TABLES["square-one-4"]
    with pytest.raises(ValueError, match="bert_single"):
        table_lines(table, [own(table, figures={"bert_single": Measured(0.5)})])


def shares(name: str) -> dict[str, dict[str, float]]:
    """The published figures of a table of WinoLogic, by line and column."""
    table = KNOWLEDGE_TABLES[name]
    keys = [column.key for column in table.columns]
    return {
        row.key: {key: cell.percent for key, cell in zip(keys, row.cells, strict=True) if cell}
        for row in table.rows
    }


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("baseline", [1, 2, 3])
def test_table_4_of_winologic_ties_to_tables_2_and_3(baseline: int, variant: str) -> None:
    models = shares("winologic-3" if baseline == 3 else "winologic-2")
    assert len(models) == (6 if baseline == 3 else 15)
    column = variant if baseline == 3 else f"{baseline}_{variant}"
    mean = np.mean([row[column] for name, row in models.items() if name != "Majority"])
    both = shares("winologic-4")[str(baseline)]
    true, false = both[f"{variant}_true"], both[f"{variant}_false"]
    pooled = (N_TRUE * true + N_FALSE * false) / (N_TRUE + N_FALSE)
    assert pooled == pytest.approx(mean, abs=0.01)
    if variant == "variable":
        said = f"{pooled:.2f}% from the two shares and their counts"
        assert said in " ".join(KNOWLEDGE_TABLES["winologic-4"].notes)


@pytest.mark.parametrize("line", ["1", "2", "3", "people"])
def test_table_5_of_winologic_ties_to_the_false_column_of_table_4(line: str) -> None:
    of_kind = shares("winologic-5")[line]
    mean = sum(n * of_kind[kind] for kind, n in KINDS.items()) / sum(KINDS.values())
    assert mean == pytest.approx(of_kind["false"], abs=0.01)
    if line != "people":
        assert of_kind["false"] == shares("winologic-4")[line]["variable_false"]


def test_peoples_row_of_table_5_comes_from_counts_of_six_answers_a_problem() -> None:
    right = {"negation": 235, "swapped": 415, "replaced": 686, "changed": 117, "other": 112}
    printed = shares("winologic-5")["people"]
    for kind, n in KINDS.items():
        assert round(100 * right[kind] / (6 * n), 2) == printed[kind]
    share = 100 * sum(right.values()) / (6 * sum(KINDS.values()))
    assert f"{share:.2f}%" in KNOWLEDGE_TABLES["winologic-5"].notes[-1]


def test_notes_of_winologic_state_its_counts() -> None:
    assert sum(KINDS.values()) == N_FALSE
    assert N_TRUE + N_FALSE == N_VALID
    said = f"{N_VALID} of {N_PROBLEMS} problems are valid ({N_VALID / N_PROBLEMS:.2%})"
    for name in ("winologic-2", "winologic-3", "winologic-4"):
        assert KNOWLEDGE_TABLES[name].notes[0].startswith(said)
