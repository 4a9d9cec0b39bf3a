"""The documents: links lead somewhere, and decisions that are referred to exist."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.data_dir import ROOT

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
