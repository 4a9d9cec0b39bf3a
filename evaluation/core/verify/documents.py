"""Compare what a release says with what its files tell: its manifest and every sentence."""

import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice, zip_longest
from typing import Any

from corpora.core.bundle import codec
from corpora.core.bundle.documents import documents
from corpora.core.bundle.layout import MANIFEST
from corpora.core.bundle.manifest import FORMAT, Manifest
from corpora.core.bundle.reading import Bundle
from evaluation.core.verify.checksums import HARNESS
from evaluation.core.verify.findings import Finding, equal, ok, unchecked, wrong
from evaluation.core.verify.recomputing import NOT_HERE, check_people, people_shown, recomputed

MOST = 20
"""Lines of one document that are named."""
MOST_ALIGNED = 200
"""Lines between the first and the last difference; of more, the nth is compared with the nth."""


def check_claims(bundle: Bundle, manifest: dict[str, Any]) -> Iterator[Finding]:
    """Compare every figure of the manifest, and every sentence, with what the files tell."""
    facts = recomputed(bundle, manifest)
    yield from _figures(bundle, manifest, facts)
    yield from _documents(bundle, manifest, facts)


def _figures(bundle: Bundle, manifest: dict[str, Any], facts: dict[str, Any]) -> Iterator[Finding]:
    for name in sorted(facts):
        if facts[name] is not manifest[name]:
            yield from _compared(name, manifest[name], facts[name])
    published = sum(facts["origin"]["questions"].values())
    yield equal(
        MANIFEST,
        "snapshot.questions, which are published or in left_out,",
        said=manifest["snapshot"]["questions"],
        found=published + sum(manifest["left_out"].values()),
    )
    yield from check_people(bundle, facts)
    missing = sorted(people_shown(bundle) - set(manifest["people"]["origins"]))
    yield equal(MANIFEST, "origins of people not named", said=[], found=missing)
    yield unchecked(MANIFEST, f"{NOT_HERE}: their sources are not in the release")


def _compared(path: str, claim: Any, value: Any) -> Iterator[Finding]:
    """Compare two values, each leaf of objects and lists by its path."""
    if isinstance(claim, dict) and isinstance(value, dict):
        for key in sorted(claim.keys() | value.keys()):
            yield from _compared(f"{path}.{key}", claim.get(key), value.get(key))
    elif isinstance(claim, list) and isinstance(value, list) and len(claim) == len(value):
        for place, (one, other) in enumerate(zip(claim, value, strict=True)):
            yield from _compared(f"{path}[{place}]", one, other)
    else:
        yield equal(MANIFEST, path, said=claim, found=value)


def _documents(
    bundle: Bundle, manifest: dict[str, Any], recomputed: dict[str, Any]
) -> Iterator[Finding]:
    """Render every document from what the files tell, and compare it line by line.

    Texts of an earlier format are those of an earlier version, which may have written them
    otherwise: a difference proves nothing wrong there, and is said.
    """
    is_earlier = manifest["format"] != FORMAT
    found = documents(codec.from_json(Manifest, json.dumps(recomputed, sort_keys=True)))
    try:
        # Its figures were compared one by one: here it is how they are written.
        found[MANIFEST] = codec.to_json(codec.from_json(Manifest, json.dumps(manifest)))
    except ValueError as error:
        del found[MANIFEST]
        yield wrong(MANIFEST, f"it is not the manifest of a release: {error}")
    names = set(bundle.names())
    for name in sorted(names - found.keys()):
        if name.startswith(HARNESS):
            yield wrong(name, "no such document follows from the manifest")
    for name, text in found.items():
        if name in names:
            is_of_earlier = is_earlier and name != MANIFEST
            yield from _lines(bundle, name, text, is_of_earlier=is_of_earlier)


def _lines(bundle: Bundle, name: str, text: str, *, is_of_earlier: bool) -> Iterator[Finding]:
    expected = text.split("\n")
    lines_of_bundle = bundle.content(name).decode(errors="replace").split("\n")
    differing = list(islice(_differing(lines_of_bundle, expected), MOST))
    if differing and is_of_earlier:
        yield unchecked(
            name,
            f"line {differing[0][0]} and others are not what this version of the platform makes "
            "from the files: the release has an earlier format, so check its texts with the "
            "version that made it",
        )
        return
    for number, there, made in differing:
        yield wrong(
            name,
            f"line {number} is not what this version of the platform makes from the files: "
            f"{_quote(there)}, where they tell {_quote(made)}",
        )
    if not differing:
        yield ok(name, f"{len(expected) - 1:,} lines follow from the files")


def _differing(
    lines: list[str], expected: list[str]
) -> Iterator[tuple[int, str | None, str | None]]:
    """Yield each line that differs: its number, what is there, and what should be.

    Only the lines between the first and the last difference are aligned, and only if they are few:
    the time of `SequenceMatcher` grows with their square or more.
    """
    begin, end, last = _middle(lines, expected)
    if max(end, last) - begin > MOST_ALIGNED:
        yield from _in_place(begin, lines[begin:end], expected[begin:last])
        return
    matcher = SequenceMatcher(None, lines[begin:end], expected[begin:last], autojunk=False)
    for tag, one, two, first, second in matcher.get_opcodes():
        if tag != "equal":
            there, made = lines[begin + one : begin + two], expected[begin + first : begin + second]
            yield from _in_place(begin + one, there, made)


def _middle(lines: list[str], expected: list[str]) -> tuple[int, int, int]:
    """Return where two lists begin to differ, and where the difference ends in each."""
    most = min(len(lines), len(expected))
    begin = next((n for n in range(most) if lines[n] != expected[n]), most)
    rest = range(1, most - begin + 1)
    same = next((n - 1 for n in rest if lines[-n] != expected[-n]), most - begin)
    return begin, len(lines) - same, len(expected) - same


def _in_place(
    begin: int, lines: list[str], expected: list[str]
) -> Iterator[tuple[int, str | None, str | None]]:
    for place, (there, made) in enumerate(zip_longest(lines, expected)):
        if there != made:
            yield begin + 1 + min(place, max(0, len(lines) - 1)), there, made


def _quote(line: str | None, most: int = 300) -> str:
    if line is None:
        return "nothing"
    return repr(line if len(line) <= most else f"{line[:most]} …")
