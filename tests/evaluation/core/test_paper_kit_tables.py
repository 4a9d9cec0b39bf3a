"""The tables of a paper kit, and the check of their numbers, on a stored release."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from corpora.core.bundle import codec
from corpora.core.bundle.layout import MANIFEST
from corpora.core.bundle.manifest import Manifest
from corpora.core.bundle.reading import Bundle
from evaluation.core.paper_kit import paper_kit
from evaluation.core.paper_kit.facts import read_facts
from evaluation.core.paper_kit.tables import tables, to_latex, to_markdown
from evaluation.core.verify.expected_tables import expected_tables
from evaluation.core.verify.findings import Outcome
from evaluation.core.verify.marked import marked_rows
from evaluation.core.verify.recomputing import recomputed
from evaluation.core.verify.texts import check_text, compared_rows
from tests.evaluation.core.test_paper_kit_text import CASES, FORMS, bundle, changed

__all__ = ["bundle"]
DIGITS = re.compile(r"%.*|<!--.*?-->|`[^`]*`|\d+(?:[,.]\d+)*")


def wrong(text: str, expected: dict[str, list[list[str]]], form: str) -> list[str]:
    rows = [*marked_rows(text, is_latex=form == "tex")]
    found = compared_rows("tables", rows, expected)
    return [one.sentence for one in found if one.outcome is Outcome.WRONG]


def text_of(bundle: Bundle, case: dict[str, Any], form: str) -> tuple[str, dict[str, Any]]:
    """Return all tables of the release with some facts changed, and its manifest."""
    about = recomputed(bundle, bundle.document(MANIFEST))
    about = json.loads(json.dumps(about))
    for path, value in case.items():
        changed(about, path, value)
    facts = read_facts(bundle)
    object.__setattr__(facts, "manifest", codec.from_json(Manifest, json.dumps(about)))
    write = to_latex if form == "tex" else to_markdown
    return "\n".join(map(write, tables(facts))), about


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_the_tables_of_every_kind_of_release_are_right(bundle: Bundle, form: str) -> None:
    for case, facts in CASES.items():
        text, about = text_of(bundle, facts, form)
        assert wrong(text, expected_tables(bundle, about), form) == [], case


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
def test_a_changed_number_of_a_table_is_named_with_its_row(bundle: Bundle, form: str) -> None:
    text, about = text_of(bundle, CASES["people's performance"] | CASES["pay"], form)
    expected = expected_tables(bundle, about)
    places = [found.span() for found in DIGITS.finditer(text) if found[0][0].isdecimal()]
    rows = [
        (begin, end)
        for begin, end in places
        if "|" in line(text, begin) or "&" in line(text, begin)
    ]
    assert len(rows) > 80
    for begin, end in rows:
        new = text[begin : end - 1] + str((int(text[end - 1]) + 1) % 10)
        (said,) = wrong(text[:begin] + new + text[end:], expected, form)
        row = re.sub("[^a-z]", "", line(text, begin).lower())
        assert re.sub("[^a-z]", "", said.lower()).startswith(row), (said, line(text, begin))


def line(text: str, place: int) -> str:
    return text[text.rindex("\n", 0, place) + 1 : text.index("\n", place)]


@pytest.mark.parametrize("form", FORMS)
def test_rows_that_are_removed_added_or_exchanged_are_found(bundle: Bundle, form: str) -> None:
    text, about = text_of(bundle, {}, form)
    expected = expected_tables(bundle, about)
    lines = text.splitlines(keepends=True)
    first, second = [n for n, one in enumerate(lines) if "8.00" in one][1:3]
    assert wrong("".join(lines[:first] + lines[first + 1 :]), expected, form)
    assert wrong("".join([*lines[:first], lines[first], *lines[first:]]), expected, form)
    lines[first], lines[second] = lines[second], lines[first]
    assert wrong("".join(lines), expected, form)


def test_each_file_of_the_kit_with_numbers_is_checked(bundle: Bundle, tmp_path: Path) -> None:
    about = bundle.document(MANIFEST)
    for name, content in paper_kit(bundle).items():
        if name.startswith(("tables", "methods")):
            path = tmp_path / Path(name).name
            path.write_bytes(content)
            found = [*check_text(bundle, about, text=path)]
            assert [one for one in found if one.outcome is Outcome.WRONG] == [], name
            is_settings = "settings" in name
            assert any(one.outcome is Outcome.OK for one in found) is not is_settings, name
