"""Freeze the records of a release, so that each attempt makes the same files of them."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from typing import IO, Any

from corpora.core.bundle import codec
from corpora.core.bundle.archive import write_archive
from corpora.core.bundle.layout import INDEX, MANIFEST
from corpora.core.publish import Publisher
from knowledge.building.content import Content, content_of, words_in
from knowledge.building.records import (
    about,
    formalisation_record,
    ids_of,
    pair_records,
    vote_records,
)
from knowledge.core.bundle import layout
from knowledge.core.bundle.files import FIELDS, record_lines
from knowledge.core.bundle.records import ClaimRecord, FormulaRecord, WordsRecord
from knowledge.models import KnowledgeRelease
from winoplatform.artifacts import store
from winoplatform.models import Artifact
from winoplatform.runs.attempts import Attempt

EXPECTED = {"proved": "unsat", "refuted": "sat"}
"""What another prover answers to a claim."""


def freeze(attempt: Attempt[KnowledgeRelease]) -> Artifact:
    """Store all records of a release as one file."""
    run = attempt.run
    publisher = Publisher(bytes.fromhex(run.key))
    content = content_of(run.knowledge_set, progress=attempt.pulse)
    with tempfile.TemporaryFile() as file:
        write_archive(_files(run, content, publisher), file, folder=run.name)
        return store.put_file(file)


def _files(
    run: KnowledgeRelease, content: Content, publisher: Publisher
) -> Iterator[tuple[str, AbstractContextManager[IO[bytes]]]]:
    """Yield the files one by one; the records of a file are made as it is written."""
    yield MANIFEST, as_file([codec.to_json(about(run, content)).encode()])
    records = _records(run, content, publisher)
    for name in FIELDS:
        yield name, as_file(record_lines(records[name]))
    yield layout.PROOFS, as_file(_claims(content))
    yield INDEX, as_file(_index(content, publisher))


def _records(
    run: KnowledgeRelease, content: Content, publisher: Publisher
) -> dict[str, Iterable[Any]]:
    formulas = {
        one.name: one.text for row in content.formalisations for one in content.formulas[row.pk]
    }
    phrased = (true.formula for true, _false in content.pairs if true.formula is not None)
    formulas |= {formula.name: formula.text for formula in phrased}
    contents = (json.dumps(row.content, ensure_ascii=False) for row in content.formalisations)
    return {
        layout.QUESTIONS: content.items,
        layout.PAIRS: pair_records(content, publisher),
        layout.FORMULAS: (
            FormulaRecord(name=name, text=formulas[name]) for name in sorted(formulas)
        ),
        layout.WORDS: (
            WordsRecord(name=row.name, positive=row.positive, negative=row.negative)
            for row in words_in(run.knowledge_set, chain(contents, formulas.values()))
        ),
        layout.FORMALISATIONS: (
            formalisation_record(row, content) for row in content.formalisations
        ),
        layout.VOTES: vote_records(content, publisher),
    }


@contextmanager
def as_file(lines: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """Write lines to a file that lives as long as the block."""
    with tempfile.TemporaryFile() as file:
        file.writelines(lines)
        file.seek(0)
        yield file


def _claims(content: Content) -> Iterator[bytes]:
    for row in content.formalisations:
        for claim in content.proofs[row.fingerprint].claims:
            record = ClaimRecord(
                question=row.question,
                version=row.number,
                claim=claim["name"],
                expected=EXPECTED[claim["verdict"]],
                script=claim["script"],
            )
            yield codec.to_line(record).encode()


def _index(content: Content, publisher: Publisher) -> Iterator[bytes]:
    """Yield which published problem is which sentence of this platform."""
    for pair in content.pairs:
        for sentence, id in ids_of(pair, publisher).items():
            yield json.dumps({"id": id, "sentence": str(sentence.public_id)}).encode() + b"\n"
