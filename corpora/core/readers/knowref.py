"""KnowRef: pronouns of web sentences, marked in square brackets."""

import json
import re
from collections.abc import Iterator
from typing import Any

from corpora.core.items import Item
from corpora.core.readers.lines import Skipped, at, text_of
from corpora.core.readers.records import Source, table_records

NAMES = (
    "original_sentence", "sentence_with_pronoun", "candidate0", "candidate1", "correct_candidate",
)  # fmt: skip
_MARKED = re.compile(r"\[([^\[\]]+)\]")


def read_knowref(lines: Source) -> Iterator[Item | Skipped]:
    """Read the JSON objects of KnowRef's test set: a marked sentence and two names.

    The answer is ``correct_candidate``. The field ``correct_candidate_idx`` is not read: it is
    another position than that of the name in 299 of the 1,269 records. Records with the same
    original sentence are a group. Two records are left out, since they are no questions: one has
    the same name twice, one marks two pronouns.

    Raises
    ------
    ValueError
        With the number of the first record that has another format.
    """
    groups: dict[str, str] = {}
    for number, record in enumerate(table_records(lines, NAMES), 1):
        with at(f"record {number}"):
            read = _item_of(record.fields, f"knowref-{number:04}", groups)
        yield Skipped(f"record {number}", read) if isinstance(read, str) else read


def _item_of(record: dict[str, Any], id: str, groups: dict[str, str]) -> Item | str:
    marked, names = text_of(record, "sentence_with_pronoun"), _names(record)
    matches = list(_MARKED.finditer(marked))
    if len(matches) > 1:
        return f"it marks {len(matches)} pronouns in {marked!r:.200}"
    if not matches:
        raise ValueError(f"“sentence_with_pronoun” must mark a [pronoun], got {marked!r:.200}")
    if names[0] == names[1]:
        return f"both candidates are {names[0]!r}"
    if names[2] not in names[:2]:
        raise ValueError(f"“correct_candidate” must be one of {names[:2]}, got {names[2]!r}")
    start, pronoun = matches[0].start(), matches[0][1]
    original = json.dumps(record.get("original_sentence"))
    return Item(
        id=id,
        group=groups.setdefault(original, id),
        sentence=marked[:start] + pronoun + marked[matches[0].end() :],
        options=(names[0], names[1]),
        answer=names.index(names[2]) + 1,
        form="pronoun",
        span=(start, start + len(pronoun)),
    )


def _names(record: dict[str, Any]) -> list[str]:
    """Return both candidates and the right one; the file has each as a list of one name."""
    names = []
    for field in ("candidate0", "candidate1", "correct_candidate"):
        value = record.get(field)
        if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], str):
            raise ValueError(f"“{field}” must be a list of one name, got {value!r:.80}")
        names.append(value[0])
    return names
