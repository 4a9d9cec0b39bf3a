"""Check the numbers of a paper's methods section against a release."""

from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.expected_numbers import expected_numbers
from evaluation.core.verify.findings import Finding, ok, wrong
from evaluation.core.verify.marked import Marked, marked_sentences
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
        The section that a paper kit made, in LaTeX if it ends with ``.tex``, else in Markdown. Its
        words may be edited; the comments with the sentences' keys must stay.
    """
    expected = expected_numbers(bundle, recomputed(bundle, manifest))
    document = text.read_text(encoding="utf-8")
    parts = [*marked_sentences(document, is_latex=text.suffix.lower() == ".tex")]
    yield from compared(text.name, parts, expected)


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
