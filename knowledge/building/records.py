"""The records of a release from the rows of the database."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from django.db.models import F

from collection.core.people import title_of
from corpora.core.bundle.canary import guid_of
from corpora.core.publish import Publisher
from knowledge.building.content import Content
from knowledge.core.bundle.records import (
    About,
    FormalisationRecord,
    PairRecord,
    ProofRecord,
    SentenceRecord,
    Source,
    Validation,
    VoteRecord,
)
from knowledge.models import (
    Formalisation,
    KnowledgeRelease,
    KnowledgeSet,
    Sentence,
)
from knowledge.selectors import knowledge_release_people, policy_of, set_figures
from panels.models import PanelSeat


def about(run: KnowledgeRelease, content: Content) -> About:
    """Return what a release is called, and what it was made from."""
    knowledge_set = run.knowledge_set
    policy = None if knowledge_set.panel is None else policy_of(knowledge_set.panel)
    people = knowledge_release_people(run)
    built_at = run.created_at.isoformat(timespec="seconds")
    return About(
        name=run.name,
        title=title_of(run.title or knowledge_set.title, people),
        people=people,
        authors=tuple(run.authors),
        licence=run.licence,
        set=knowledge_set.name,
        set_title=knowledge_set.title,
        source=_source(knowledge_set),
        built_at=built_at,
        canary=guid_of(run.name, built_at),
        validation=None
        if policy is None
        else Validation(annotators=policy.annotators, needed=policy.needed),
        left_out=content.left_out,
    )


def _source(knowledge_set: KnowledgeSet) -> Source:
    if knowledge_set.release is not None:
        release = knowledge_set.release
        return Source(kind="release", name=release.name, licence=release.licence)
    assert knowledge_set.reference_set is not None  # a constraint of the table
    of = knowledge_set.reference_set
    return Source(kind="reference_set", name=of.name, licence=of.licence)


def formalisation_record(row: Formalisation, content: Content) -> FormalisationRecord:
    proof = content.proofs[row.fingerprint]
    return FormalisationRecord(
        question=row.question,
        version=row.number,
        content=row.content,
        formulas=tuple(sorted(formula.name for formula in content.formulas[row.pk])),
        fingerprint=row.fingerprint,
        proof=ProofRecord(
            prover=proof.prover,
            verified=proof.verified,
            ways=tuple(proof.report.get("ways", ())),
            undecided=proof.report.get("undecided", ""),
        ),
    )


def pair_records(content: Content, publisher: Publisher) -> Iterator[PairRecord]:
    """Yield the pairs in the order of their new ids."""
    of = content.knowledge_set
    valid = None if of.panel is None else set_figures(of).valid
    pairs = [(_base(true, publisher), true, false) for true, false in content.pairs]
    for base, true, false in sorted(pairs, key=lambda record: record[0]):
        ids = ids_of((true, false), publisher)
        records = [_sentence(row, ids[row], valid) for row in (true, false)]
        yield PairRecord(
            pair=base,
            question=true.formalisation.question,
            version=true.formalisation.number,
            formula=None if true.formula is None else true.formula.name,
            kind=false.kind,
            false_formula=false.false_formula,
            pick=false.pick,
            true=records[0],
            false=records[1],
        )


def ids_of(pair: tuple[Sentence, Sentence], publisher: Publisher) -> dict[Sentence, str]:
    """Return the published ids of a pair, whose endings are a coin of the release."""
    base = _base(pair[0], publisher)
    endings = publisher.endings([str(row.public_id) for row in pair])
    return {row: f"{base}-{endings[str(row.public_id)]}" for row in pair}


def _base(true: Sentence, publisher: Publisher) -> str:
    return publisher.base(str(true.public_id))


def _sentence(row: Sentence, id: str, valid: frozenset[int] | None) -> SentenceRecord:
    return SentenceRecord(
        id=id,
        text=row.text,
        mentions=row.noun_phrases,
        valid=None if valid is None else row.pk in valid,
    )


def vote_records(content: Content, publisher: Publisher) -> Iterator[VoteRecord]:
    """Yield the answers about the published problems, by new ids and pseudonyms."""
    ids = {
        str(row.public_id): id
        for pair in content.pairs
        for row, id in ids_of(pair, publisher).items()
    }
    rows: Any = (
        PanelSeat.objects.counting()
        .filter(panel__knowledge_set=content.knowledge_set)
        .annotate(of=F("item__source_id"))
    )
    seats = rows.iterator(chunk_size=5000)  # a record is a fraction of a row
    pseudonym = cache(publisher.pseudonym)
    votes = [_vote(row, ids[row.of], pseudonym) for row in seats if row.of in ids]
    yield from sorted(votes, key=lambda vote: (vote.id, vote.annotator))


def _vote(row: PanelSeat, id: str, pseudonym: Callable[[object], str]) -> VoteRecord:
    return VoteRecord(
        id=id,
        annotator=pseudonym(row.worker_id),
        yes=row.option == 1,
        fails=row.fails,
        seconds=None,  # would tell in another release who it is
    )
