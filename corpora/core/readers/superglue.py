"""SuperGLUE's Winograd Schema Challenge: does the pronoun refer to this noun phrase?"""

import re
from collections.abc import Iterator
from typing import Any

from corpora.core.items import TRUTH, Item, composed
from corpora.core.readers.lines import at_line, text_of
from corpora.core.readers.records import Source, as_word, table_records
from tabular import is_unknown, whole_number

NAMES = (
    "text", "target", "idx", "label", "span1_index", "span1_text", "span2_index", "span2_text",
)  # fmt: skip
_LABELS = {"true": 1, "1": 1, "false": 2, "0": 2}


def read_superglue_wsc(lines: Source) -> Iterator[Item]:
    """Read text, two spans by whitespace-token index and, unless blind, label.

    The spans are in ``target``, as SuperGLUE publishes them, or in columns of their own, as Hugging
    Face does; a label is true or false, 1 or 0, or -1 if unknown. Questions about the same pronoun
    of the same text are a group.

    Raises
    ------
    ValueError
        With the number of the first line that is not such a question.

    Notes
    -----
    One validation question has the index of the word before its pronoun, so a pronoun is also
    found next to its index.
    """
    groups: dict[tuple[str, int], str] = {}
    for record in table_records(lines, NAMES):
        with at_line(record.line):
            item = _item(record.fields, groups)
        yield item


def _item(row: dict[str, Any], groups: dict[tuple[str, int], str]) -> Item:
    text, target = _text(row, "text"), row.get("target", row)
    index = whole_number(row.get("idx"))
    if not isinstance(target, dict):
        raise ValueError(f"“target” must be an object, got {target!r:.80}")
    if index is None or index < 0:
        raise ValueError(f"“idx” must be a whole number, got {row.get('idx')!r:.80}")
    span = _span(text, _text(target, "span2_text"), whole_number(target.get("span2_index")))
    id = f"superglue_wsc-{index:03}"
    return Item(
        id=id,
        group=groups.setdefault((text, span[0]), id),
        sentence=text,
        options=TRUTH,
        answer=_answer(row.get("label")),
        form="truth",
        span=span,
        candidate=" ".join(_text(target, "span1_text").split()),
    )


def _text(row: dict[str, Any], name: str) -> str:
    return composed(text_of(row, name))


def _answer(label: Any) -> int | None:
    if is_unknown(label):
        return None
    number = whole_number(label)
    text = str(label if number is None else number).strip().casefold()
    if text not in _LABELS:
        raise ValueError(f"“label” must be true or false, 1 or 0, got {label!r:.80}")
    return _LABELS[text]


def _span(text: str, pronoun: str, index: int | None) -> tuple[int, int]:
    """Return the characters of the pronoun at or next to the token with this index."""
    tokens = list(re.finditer(r"\S+", text))
    if index is None or not 0 <= index < len(tokens):
        raise ValueError(f"“span2_index” must be 0 to {len(tokens) - 1}, got {index!r:.80}")
    for n in (index, index + 1, index - 1):
        token = tokens[n] if 0 <= n < len(tokens) else None
        if token and (match := as_word(pronoun).search(token[0])):
            return token.start() + match.start(), token.start() + match.end()
    raise ValueError(f"{pronoun!r} does not stand at word {index} of {text!r:.200}")
