"""Check the numbers of a paper's methods section against a release."""

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from typing import Any

from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.expected_numbers import expected_numbers
from evaluation.core.verify.expected_tables import UNTOLD, expected_tables
from evaluation.core.verify.findings import Finding, ok, unchecked, wrong
from evaluation.core.verify.marked import Marked, marked_rows, marked_sentences
from evaluation.core.verify.numbers import numbers
from evaluation.core.verify.recomputing import recomputed

LONGEST = 300


def check_text(bundle: Bundle, manifest: dict[str, Any], *, text: Path) -> Iterator[Finding]:
    """Recompute every number of a methods section from the bundle, and name each odd sentence.

    Parameters
    ----------
    bundle : Bundle
    manifest : dict
        As in the bundle.
    text : Path
        The section or the tables that a paper kit made, in LaTeX if it ends with ``.tex``, else in
        Markdown. Words may be edited; the comments with the keys must stay.
    """
    facts, document = recomputed(bundle, manifest), text.read_text(encoding="utf-8")
    is_latex = text.suffix.lower() == ".tex"
    rows = [*marked_rows(document, is_latex=is_latex)]
    parts = [*marked_sentences(document, is_latex=is_latex)]
    if any(part.key for part in parts) or not rows:
        yield from compared(text.name, parts, expected_numbers(bundle, facts))
    yield from compared_rows(text.name, rows, expected_tables(bundle, facts))


def compared(place: str, parts: list[Marked], expected: dict[str, list[str]]) -> Iterator[Finding]:
    """Compare the numbers of each part of a text with those that it must have."""
    times = Counter(part.key for part in parts)
    n_right = 0
    for part in parts:
        there = numbers(part.text)
        if times[part.key] > 1 and part.key and there:
            yield wrong(place, f"{_quoted(part)}: its key {part.key} is there more than once")
        elif there == expected.get(part.key, []):
            n_right += len(there)
        else:
            yield wrong(place, f"{_quoted(part)}: {_difference(there, expected.get(part.key))}")
    for key, wanted in expected.items():
        if wanted and key not in times:
            yield wrong(place, f"the sentence {key} with {_joined(wanted)} is missing")
    yield ok(place, f"{n_right:,} numbers follow from the files")


def compared_rows(
    place: str, rows: list[Marked], expected: dict[str, list[list[str]]]
) -> Iterator[Finding]:
    """Compare the numbers in each row of a text's tables with those that it must have."""
    for key in dict.fromkeys(row.key for row in rows):
        if key == UNTOLD:
            yield unchecked(place, "settings of the filter, which only the manifest tells")
            continue
        there = [row for row in rows if row.key == key and numbers(row.text)]
        n_right = 0
        for row, wanted in _side_by_side(there, expected.get(key, [])):
            if row is not None and numbers(row.text) == wanted:
                n_right += len(wanted)
            else:
                yield wrong(place, _row_difference(key, row, wanted))
        yield ok(place, f"{n_right:,} numbers of {key} follow from the files")


def _side_by_side(
    there: list[Marked], wanted: list[list[str]]
) -> Iterator[tuple[Marked | None, list[str] | None]]:
    """Yield each row with what it must have; None for a row that one of both lacks."""
    if len(there) == len(wanted):
        yield from zip(there, wanted, strict=True)
        return
    has, tells = [tuple(numbers(row.text)) for row in there], [*map(tuple, wanted)]
    matcher = SequenceMatcher(None, has, tells, autojunk=False)
    for _, one, two, first, second in matcher.get_opcodes():
        yield from zip_longest(there[one:two], wanted[first:second])


def _row_difference(key: str, row: Marked | None, wanted: list[str] | None) -> str:
    if row is None:
        return f"a row of {key} with {_joined(wanted or [])} is missing"
    return f"{_quoted(row)}: {_difference(numbers(row.text), wanted)}"


def _quoted(part: Marked) -> str:
    text = part.text if len(part.text) <= LONGEST else f"{part.text[:LONGEST]} …"
    return f"“{text}”"


def _difference(there: list[str], wanted: list[str] | None) -> str:
    if not wanted:
        return f"it has {_joined(there)}, where the release tells no number"
    changes = []
    matcher = SequenceMatcher(None, there, wanted, autojunk=False)
    for tag, one, two, first, second in matcher.get_opcodes():
        if tag != "equal":
            has, tells = _joined(there[one:two]), _joined(wanted[first:second])
            changes.append(f"it has {has}, where the files tell {tells}")
    return "; ".join(changes)


def _joined(values: list[str]) -> str:
    return ", ".join(values) or "no number"
