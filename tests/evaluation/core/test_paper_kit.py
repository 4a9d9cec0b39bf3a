"""The files of a paper kit, made of a stored release and of changes of it."""

import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpora.core.bundle.reading import Bundle, open_bundle
from evaluation.core.paper_kit import KIT, paper_kit
from evaluation.core.paper_kit.checklists import answers, checklists, gaps
from tests.evaluation.core.test_paper_kit_text import CASES, HOSTILE, RELEASE, changed
from tests.latex_tables import parsed


@pytest.fixture(scope="module")
def bundle() -> Iterator[Bundle]:
    with open_bundle(RELEASE) as opened:
        yield opened


@pytest.fixture(scope="module")
def kit(bundle: Bundle) -> dict[str, bytes]:
    return paper_kit(bundle)


def kit_of(tmp_path: Path, case: dict[str, Any]) -> dict[str, bytes]:
    """The kit of the stored release with some facts changed in its manifest."""
    with zipfile.ZipFile(RELEASE) as archive:
        archive.extractall(tmp_path)
    (folder,) = tmp_path.iterdir()
    about = json.loads((folder / "manifest.json").read_text())
    for path, value in case.items():
        changed(about, path, value)
    (folder / "manifest.json").write_text(json.dumps(about))
    with open_bundle(folder) as opened:
        return paper_kit(opened)


HOSTILE_EVERYWHERE = CASES["hostile texts"] | {
    "authors": [HOSTILE, "}{", "a & b"], "campaign": HOSTILE,
    "human": CASES["people's performance"]["human"],
    "collection.pay": {"writing": {"0.40": 8}, "validating": {}},
}  # fmt: skip


def test_a_kit_has_its_files_and_the_same_bytes_each_time(
    bundle: Bundle, kit: dict[str, bytes]
) -> None:
    assert set(KIT) <= set(kit)
    others = {name.partition("/")[0] for name in kit.keys() - set(KIT)}
    assert others == {"tables", "figures"}
    assert paper_kit(bundle) == kit


def test_tables_are_read_as_latex_reads_them(kit: dict[str, bytes], tmp_path: Path) -> None:
    for made in (kit, kit_of(tmp_path, HOSTILE_EVERYWHERE)):
        tables = [name for name in made if name.startswith("tables/")]
        assert len(tables) > 3
        for name in tables:
            assert len(parsed(made[name].decode())) > 1, name


def test_a_table_has_the_figures_of_the_release(bundle: Bundle, kit: dict[str, bytes]) -> None:
    about = bundle.document("manifest.json")
    rows = {row[0]: row for row in parsed(kit["tables/statistics.tex"].decode())[1:]}
    assert {name.replace("\\", "") for name in rows} == set(about["splits"])
    dev = about["splits"]["dev"]
    told = [str(dev[key]) for key in ("questions", "pairs", "unpaired", "label_1")]
    assert rows["dev"][1:5] == told
    assert "tables/people.tex" not in kit  # nobody gave fresh votes
    assert "| `train_xl` | 18 |" in kit["tables.md"].decode()


def test_figures_are_files_that_readers_of_pdf_open(kit: dict[str, bytes]) -> None:
    figures = {name: content for name, content in kit.items() if name.startswith("figures/")}
    assert {"figures/splits.pdf", "figures/agreement.pdf"} <= figures.keys()
    for content in figures.values():
        assert content.startswith(b"%PDF-1.4")
        begin = int(content.rsplit(b"startxref\n", 1)[1].split()[0])
        assert content[begin:].startswith(b"xref\n0 6\n")
        rows = content[begin:].splitlines()[3:8]
        for number, row in enumerate(rows, 1):
            assert content[int(row[:10]) :].startswith(b"%d 0 obj" % number)
        (length,) = re.findall(rb"/Length (\d+)", content)
        stream = content.split(b"stream\n", 1)[1].split(b"\nendstream")[0]
        assert len(stream) == int(length)


def test_the_datasheet_is_that_of_the_card(bundle: Bundle, kit: dict[str, bytes]) -> None:
    card = bundle.content("README.md")
    assert kit["datasheet.md"].startswith(b"## Datasheet")
    assert card.endswith(kit["datasheet.md"])


def test_braces_of_references_are_balanced_and_authors_whole(tmp_path: Path) -> None:
    text = kit_of(tmp_path, HOSTILE_EVERYWHERE)["references.bib"].decode()
    for entry in re.split(r"(?m)^(?=@)", text)[1:]:
        depth = 0
        for place, char in enumerate(entry):
            depth += (char == "{") - (char == "}")
            assert depth > 0 or entry[place:].strip() in ("", "}") or "{" not in entry[:place]
        assert depth == 0
    assert "author = {{50\\%" in text
    assert "and {a \\& b}}" in text


def test_the_demonstration_is_said_first_in_every_document(tmp_path: Path) -> None:
    made = kit_of(tmp_path, CASES["a demonstration"])
    for name in ("README.md", "methods.md", "methods.tex", "checklists.md", "checklists.tex"):
        assert "This release is a demonstration." in made[name].decode()[:700], name
    assert b"This release is a demonstration." in made["tables.md"]
    assert b"(demonstration): methods" in made["main.tex"]


def test_every_answer_of_a_checklist_is_in_the_release(bundle: Bundle) -> None:
    found = answers(bundle)
    assert set(found) == {"neurips", "human-baselines", "betterbench", "construct-validity"}
    for one in (one for of in found.values() for one in of if one.place):
        file, _, within = one.place.partition("#")
        assert file in bundle.names()
        if file == "manifest.json":
            value: Any = bundle.document(file)
            for key in within.split("."):
                value = value[int(key)] if isinstance(value, list) else value[key]
            assert value not in ("", [], {}, None) or one.question.empty, one.place


def test_what_nobody_answered_is_listed(bundle: Bundle, tmp_path: Path) -> None:
    """The stored release states nothing, and nobody gave fresh votes."""
    missing = gaps(answers(bundle))
    assert len(missing["human-baselines"]) > 18
    assert "Ethics review: by whom?" in missing["neurips"]
    assert "People's pay: how much?" in missing["neurips"]  # there are entries, without amounts
    assert "Licence of the data set?" not in missing["neurips"]
    stated = {"statements.ethics_review": "Board of the department", "statements.consent": "Asked."}
    text = kit_of(tmp_path, stated | CASES["pay"])["checklists.md"].decode()
    answered = text.split("### Not answered")[0]
    assert "Ethics review: by whom? `manifest.json#statements.ethics_review`: Board" in answered
    assert "`manifest.json#collection.hourly_pay.writing.median`: 12.50" in answered


def test_an_empty_field_answers_where_it_means_something(tmp_path: Path) -> None:
    text = kit_of(tmp_path, CASES["no filter"])["checklists.md"].decode()
    assert "`manifest.json#selection`: no filter was applied" in text


def test_checklists_ask_no_question_twice() -> None:
    for one in checklists():
        texts = [question.text for question in one.questions]
        assert len(texts) == len(set(texts)) > 10


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("case", [*CASES, "hostile everywhere"])
def test_latex_compiles_the_kit(case: str, tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    facts = HOSTILE_EVERYWHERE if case == "hostile everywhere" else CASES[case]
    for name, content in kit_of(tmp_path / "release", facts).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "main"]
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout[-1500:].decode(errors="replace")
    log = (tmp_path / "main.log").read_text(errors="replace")
    assert "undefined" not in log
    assert (tmp_path / "main.pdf").read_bytes().startswith(b"%PDF")
