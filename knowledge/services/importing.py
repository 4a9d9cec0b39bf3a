"""Import a knowledge release that was exported here or elsewhere."""

import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from django.db import transaction

from corpora import services as corpora
from corpora.core.bundle.reading import Bundle as Archive
from corpora.core.items import Item
from corpora.models import ReferenceSet
from corpora.selectors import load_items
from knowledge.building import build
from knowledge.building.build import frozen_records, read_archive, require_same
from knowledge.building.making import made_of
from knowledge.core import formalisation as core
from knowledge.core.bundle.manifest import Manifest
from knowledge.core.bundle.records import Bundle, PairRecord
from knowledge.models import Formalisation, Formula, KnowledgeRelease, KnowledgeSet, Sentence
from knowledge.services.formalising import add_formula, refuse_otherwise
from knowledge.services.knowledge_sets import create_knowledge_set, put_words
from knowledge.services.sentences import write_sentence
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User

UNREADABLE = (ValueError, KeyError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What reading a zip file of unknown content raises."""
Versions = Mapping[tuple[str, int], Formalisation]


@transaction.atomic
def import_knowledge(
    *, archive: Archive, by: User | None, reference_set: ReferenceSet | None = None
) -> KnowledgeRelease:
    """Import a release with its set, all or nothing.

    Its files are made again from its records and must be the same. Votes stay in the files, since
    the people are not here. What it says of proofs is not stored: the set can be proved anew.

    Parameters
    ----------
    reference_set
        That has the questions; by default they become a set, which only curators see.

    Raises
    ------
    DomainError
        ``archive_unreadable``, ``questions_differ``, or the refusals of what is written.
    ValidationError
        When a name is taken or invalid.
    """
    try:
        manifest, bundle = read_archive(archive)
    except UNREADABLE as error:
        raise _unreadable(error) from error
    questions = _questions(bundle, by) if reference_set is None else reference_set
    _require_questions(questions, bundle.questions)
    knowledge_set = create_knowledge_set(
        name=bundle.about.set, title=bundle.about.set_title, reference_set=questions, by=by
    )
    _write(knowledge_set, bundle, by)
    return _release(knowledge_set, archive, manifest, by)


def _unreadable(error: Exception) -> DomainError:
    return DomainError("archive_unreadable", f"The archive cannot be imported: {error!s:.500}")


def _questions(bundle: Bundle, by: User | None) -> ReferenceSet:
    about = bundle.about
    return corpora.import_reference_set(
        name=about.set,
        format="items",
        splits={"questions": [item.to_line() for item in bundle.questions]},
        by=by,
        title=f"Questions of {about.set_title}"[:200],
        licence=about.source.licence,
        is_simulated=about.people.is_simulated,
        source=f"Of “{about.source.name}”, imported with the knowledge release “{about.name}”.",
    )


def _require_questions(reference_set: ReferenceSet, wanted: Iterable[Item]) -> None:
    splits = reference_set.splits.select_related("items")
    lines = {item.id: item.to_line() for split in splits for item in load_items(split)}
    for item in wanted:
        if lines.get(item.id) != item.to_line():
            raise Conflict(
                "questions_differ",
                f"The set “{reference_set.name}” does not have the question {item.id:.80} as the "
                "release has it.",
            )


def _write(knowledge_set: KnowledgeSet, bundle: Bundle, by: User | None) -> None:
    formulas = {
        row.name: add_formula(knowledge_set=knowledge_set, name=row.name, text=row.text, by=by)
        for row in bundle.formulas
    }
    for words in bundle.words:
        put_words(
            knowledge_set=knowledge_set,
            name=words.name,
            positive=words.positive,
            negative=words.negative,
        )
    versions = _formalisations(knowledge_set, bundle, formulas, by)
    for pair in bundle.pairs:
        _write_pair(knowledge_set, pair, versions, formulas, by)


def _formalisations(
    knowledge_set: KnowledgeSet,
    bundle: Bundle,
    formulas: Mapping[str, Formula],
    by: User | None,
) -> dict[tuple[str, int], Formalisation]:
    items = {item.id: item for item in bundle.questions}
    by_key = {}
    for record in bundle.formalisations:
        refuse_otherwise(items[record.question], core.Formalisation.from_dict(record.content))
        row = Formalisation(
            knowledge_set=knowledge_set,
            question=record.question,
            number=record.version,
            content=dict(record.content),
            fingerprint=record.fingerprint,
            author=by,
        )
        row.full_clean()
        row.save()
        row.formulas.set([formulas[name] for name in record.formulas])
        by_key[record.question, record.version] = row
    return by_key


def _write_pair(
    knowledge_set: KnowledgeSet,
    pair: PairRecord,
    versions: Versions,
    formulas: Mapping[str, Formula],
    by: User | None,
) -> None:
    formula = None if pair.formula is None else formulas[pair.formula]
    true = write_sentence(
        knowledge_set=knowledge_set,
        formalisation=versions[pair.question, pair.version],
        text=pair.true.text,
        by=by,
        formula=formula,
        mentions=asdict(pair.true)["mentions"],
    )
    false = Sentence(
        knowledge_set=knowledge_set,
        formalisation=true.formalisation,
        formula=formula,
        of=true,
        kind=pair.kind,
        text=pair.false.text,
        mentions=asdict(pair.false)["mentions"],
        false_formula=pair.false_formula,
        pick=pair.pick,
        author=by,
    )
    false.full_clean()
    false.save()


def _release(
    knowledge_set: KnowledgeSet, archive: Archive, manifest: Manifest, by: User | None
) -> KnowledgeRelease:
    about, now = manifest.about, clock.now()
    release = KnowledgeRelease(
        knowledge_set=knowledge_set,
        name=about.name,
        title=about.title,
        authors=list(about.authors),
        licence=about.licence,
        created_by=by,
        started_at=now,
    )
    release.frozen = frozen_records(archive, manifest)
    try:
        made = made_of(release, progress=lambda _: None)
        require_same(archive, made)
    except UNREADABLE as error:
        raise _unreadable(error) from error
    for name, value in build.results(made).items():
        setattr(release, name, value)
    release.status, release.ended_at = RunStatus.DONE, now
    release.full_clean()
    release.save()
    build.store_files(made.files)
    return release
