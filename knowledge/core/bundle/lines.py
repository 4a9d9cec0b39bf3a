"""The records of a release as lines of text, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any, TypeVar

from corpora.core.bundle import codec
from corpora.core.items import Item
from knowledge.core.bundle import layout
from knowledge.core.bundle.records import (
    About,
    Bundle,
    ClaimRecord,
    FormalisationRecord,
    FormulaRecord,
    PairRecord,
    VoteRecord,
    WordsRecord,
)

T = TypeVar("T")
LONGEST_LINE = 1 << 20
"""Bytes; a formalisation has at most 40 formulas of 2,000 characters."""
FIELDS = {
    layout.QUESTIONS: "questions",
    layout.PAIRS: "pairs",
    layout.FORMULAS: "formulas",
    layout.WORDS: "words",
    layout.FORMALISATIONS: "formalisations",
    layout.VOTES: "votes",
}
"""The fields of a bundle by their files; claims are long, so they are passed line by line."""
KINDS = {
    layout.PAIRS: PairRecord,
    layout.FORMULAS: FormulaRecord,
    layout.WORDS: WordsRecord,
    layout.FORMALISATIONS: FormalisationRecord,
    layout.VOTES: VoteRecord,
}


def record_lines(records: Iterable[Any]) -> Iterator[bytes]:
    """Yield the lines of one of the files in `FIELDS`."""
    for record in records:
        yield (
            f"{record.to_line()}\n" if isinstance(record, Item) else codec.to_line(record)
        ).encode()


def read_bundle(about: About, files: Mapping[str, IO[bytes]]) -> Bundle:
    """Read the records of a release from the files in `FIELDS`.

    Raises
    ------
    ValueError
        With the file and the line of the first record that has another form.
    """
    values = {
        field: tuple(_records(name, files[name], _reader(name))) for name, field in FIELDS.items()
    }
    return Bundle(about=about, **values)  # type: ignore[arg-type]  # by the readers of `FIELDS`


def read_claims(file: IO[bytes]) -> Iterator[ClaimRecord]:
    """Yield the claims of a file, with errors as in `read_bundle`."""
    return _records(layout.PROOFS, file, lambda line: codec.from_json(ClaimRecord, line))


def _reader(name: str) -> Callable[[str], Any]:
    if name == layout.QUESTIONS:
        return Item.from_line
    return lambda line: codec.from_json(KINDS[name], line)


def _records(name: str, file: Iterable[bytes], read: Callable[[str], T]) -> Iterator[T]:
    for number, line in enumerate(_lines(file), 1):
        try:
            if len(line) > LONGEST_LINE:
                raise ValueError(f"a line has at most {LONGEST_LINE:,} bytes")
            yield read(line.decode())
        except (ValueError, RecursionError) as error:  # also what is not UTF-8
            raise ValueError(f"{name}, line {number}: {error!s:.300}") from error


def _lines(file: Any) -> Iterator[bytes]:
    """Yield lines, of which none is read beyond its longest length."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line
