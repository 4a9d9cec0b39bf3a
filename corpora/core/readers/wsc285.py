"""The Winograd Schema Collection: an XML file with 285 questions."""

from collections.abc import Iterable, Iterator

from corpora.core.items import Item
from corpora.core.readers.flags import flagged
from corpora.core.readers.lines import at_line
from corpora.core.readers.mask_records import grouped
from corpora.core.readers.xml_records import XmlRecord, xml_records

_LETTERS = {"A": 1, "A.": 1, "B": 2, "B.": 2}


def read_wsc285(
    lines: Iterable[str],
    *,
    associative: Iterable[str] | None = None,
    switchable: Iterable[str] | None = None,
) -> Iterator[Item]:
    """Read the collection's XML: a sentence in three pieces, two options, the answer as a letter.

    The items keep their pronoun. Twins are grouped as in WSC273, which is the first 273 of the 285.

    Parameters
    ----------
    lines : iterable of str
        Decoded text; the published file is ISO-8859-1.
    associative, switchable : iterable of str, optional
        Trichelair's files of labels, as for WSC273. The last twelve questions have none.

    Raises
    ------
    ValueError
        With the line of the first question that has another format.
    """
    items = []
    for number, record in enumerate(xml_records(lines, "schema"), 1):
        with at_line(record.line):
            items.append(_item(record, f"wsc285-{number:03}"))
    items = list(grouped(items))
    for name, labels in (("associative", associative), ("switchable", switchable)):
        items = flagged(items, labels, name) if labels is not None else items
    yield from items


def _item(record: XmlRecord, id: str) -> Item:
    before, pronoun, after = (record.one(f"text/{name}") for name in ("txt1", "pron", "txt2"))
    options, letter = record.texts.get("answers/answer", []), record.one("correctAnswer")
    if letter not in _LETTERS or len(options) != 2:
        raise ValueError(f"expected two answers and A or B, got {options!r} and {letter!r}")
    start = len(before) + 1 if before else 0
    gap = "" if after[:1] in set(".,;:?!'") else " "
    return Item(
        id=id,
        group=id,
        sentence=f"{before} {pronoun}{gap}{after}".lstrip(),
        options=(options[0], options[1]),
        answer=_LETTERS[letter],
        form="pronoun",
        span=(start, start + len(pronoun)),
    )
