"""Freeze the records of a release, so that each attempt makes the same files of them."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import IO

from corpora.core.bundle import codec
from corpora.core.bundle.archive import write_archive
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
from knowledge.core.bundle.lines import FIELDS, record_lines
from knowledge.core.bundle.records import (
    Bundle,
    ClaimRecord,
    FormulaRecord,
    WordsRecord,
)
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
    bundle = _bundle(run, content, publisher)
    with tempfile.TemporaryFile() as file:
        write_archive(_files(bundle, content, publisher), file, folder=run.name)
        return store.put_file(file)


def _bundle(run: KnowledgeRelease, content: Content, publisher: Publisher) -> Bundle:
    formulas = {one.name: one for row in content.formalisations for one in row.formulas.all()}
    phrased = (true.formula for true, _false in content.pairs if true.formula is not None)
    formulas |= {one.name: one for one in phrased}
    formalisations = [
        formalisation_record(row, content.proofs[row.fingerprint]) for row in content.formalisations
    ]
    texts = [json.dumps(one.content, ensure_ascii=False) for one in formalisations]
    texts += [one.text for one in formulas.values()]
    return Bundle(
        about=about(run, content),
        questions=tuple(content.items),
        words=tuple(
            WordsRecord(name=row.name, positive=row.positive, negative=row.negative)
            for row in words_in(run.knowledge_set, texts)
        ),
        formulas=tuple(
            FormulaRecord(name=name, text=formulas[name].text) for name in sorted(formulas)
        ),
        formalisations=tuple(formalisations),
        pairs=tuple(pair_records(run, content, publisher)),
        votes=tuple(vote_records(run, content, publisher)),
    )


def _files(
    bundle: Bundle, content: Content, publisher: Publisher
) -> Iterator[tuple[str, AbstractContextManager[IO[bytes]]]]:
    yield layout.MANIFEST, as_file([codec.to_json(bundle.about).encode()])
    for name in FIELDS:
        yield name, as_file(record_lines(bundle, name))
    yield layout.PROOFS, as_file(_claims(content))
    yield layout.INDEX, as_file(_index(content, publisher))


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
