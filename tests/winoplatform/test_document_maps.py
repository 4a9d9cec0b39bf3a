"""Documents list all that is in the code, their links lead somewhere, and their examples hold."""

import doctest
import re
import subprocess
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from django.dispatch import Signal

from tests.data_dir import ROOT
from tests.documents import MADE, models
from winoplatform.runs.dispatch import run_models
from winoplatform.runs.models import Run

pytestmark = pytest.mark.rowless


@pytest.mark.parametrize("name", MADE)
def test_a_document_made_from_code_is_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text() == MADE[name](), "run make docs"


def test_every_table_says_in_a_line_what_a_row_is() -> None:
    made_by_django = [model for model in models() if f"{model.__name__}(" in (model.__doc__ or "(")]
    assert made_by_django == []


def signals() -> dict[str, set[str]]:
    """Return the signals of our own, each with the names of its receivers."""
    found = {}
    for path in sorted(ROOT.glob("*/signals.py")):
        app = path.parent.name
        for name, signal in vars(import_module(f"{app}.signals")).items():
            if isinstance(signal, Signal):
                found[f"{app}.{name}"] = {str(key[0]) for key, *_ in signal.receivers}
    return found


def test_the_page_of_signals_has_each_with_its_receivers() -> None:
    rows = re.findall(
        r"^\| `([\w.]+)` \|.*\| (.+) \|$", (ROOT / "docs/signals.md").read_text(), re.M
    )
    assert {name: set(re.findall(r"`([\w.]+)`", listens)) for name, listens in rows} == signals()


def test_every_folder_of_tests_is_on_their_map() -> None:
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    text = (ROOT / "tests/README.md").read_text()
    assert set(re.findall(r"^\| `(\w+)/` \|", text, re.M)) == folders


FILES = [
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\n")
    if name and (ROOT / name).is_file()
]
DOCUMENTS = [path for path in FILES if path.suffix == ".md"]
DECISIONS = {path.name[:4]: path for path in DOCUMENTS if path.parent.name == "decisions"}
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", flags=re.M | re.S)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-") for words in headings}


def dead(path: Path, link: str) -> bool:
    file, _, anchor = link.partition("#")
    target = (path.parent / file).resolve() if file else path
    return not target.exists() or (bool(anchor) and anchor not in anchors(target))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_of_a_document_leads_to_a_file_and_a_heading(path: Path) -> None:
    links = LINK.findall(CODE.sub("", path.read_text()))
    assert [link for link in links if ":" not in link and dead(path, link)] == []


def test_every_decision_that_code_and_documents_name_exists() -> None:
    text = {path: path.read_text() for path in FILES if path.suffix in {".py", ".md", ".html"}}
    pattern = re.compile(r"[dD]ecisions?[ /](\d{4})\b")
    named = {(name_of(path), n) for path, words in text.items() for n in pattern.findall(words)}
    assert {(path, number) for path, number in named if number not in DECISIONS} == set()


@pytest.mark.parametrize("number", sorted(DECISIONS))
def test_a_decision_has_its_number_in_its_title_and_an_alternative(number: str) -> None:
    text = DECISIONS[number].read_text()
    assert text.startswith(f"# {number}. ")
    assert "Not taken" in text


CHOOSES = {"evaluation", "knowledge evaluation"}  # by its settings


def test_the_document_lists_each_kind_of_run_by_its_queue() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    listed = {
        queue: set(re.split(r", |; ", re.search(rf"^\| `{queue}` \| (.+) \|$", text, re.M)[1]))  # type: ignore[index]
        for queue in ("light", "heavy")
    }
    for model in run_models():
        name = str(model._meta.verbose_name)
        chooses = model.queue is not Run.queue
        assert chooses == (name in CHOOSES)
        assert chooses or name in listed[model.QUEUE], name
        assert not chooses or all(name in " ".join(kinds) for kinds in listed.values()), name


FREE_OF_FRAMEWORKS = (
    "stats",
    "tabular",
    "modeling",
    *(f"{path.parent.name}/core" for path in ROOT.glob("*/core")),
)


def with_examples() -> list[str]:
    files: list[Path] = [
        file for name in FREE_OF_FRAMEWORKS for file in (ROOT / name).rglob("*.py")
    ]
    return sorted(
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for file in files
        if ">>> " in file.read_text()
    )


@pytest.mark.parametrize("name", with_examples())
def test_examples_give_what_they_say(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted
    assert not found.failed
