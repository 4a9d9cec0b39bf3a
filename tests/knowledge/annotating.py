"""Small knowledge sets with sentences, and annotators who answer."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from knowledge import services
from knowledge.models import (
    Enrolment,
    Formalisation,
    Formula,
    KnowledgeSet,
    Sentence,
    SentenceSeat,
    SetValidation,
)
from tests.factories import CampaignFactory
from tests.factories.knowledge import trophies
from tests.knowledge.wsc_formal import LARGE, TROPHY
from winoplatform import clock
from winoplatform.errors import DomainError
from workers.models import User

TRUE = "If {X:person is|are} late, {Y:person waits|wait} for {X}, as rule %d says."
FALSE = "If {X:person is|are} on time, {Y:person waits|wait} for {X}, as rule %d says."


def knowledge_set(name: str = "small", **fields: Any) -> KnowledgeSet:
    fields.setdefault("campaign", CampaignFactory(currency="CNY"))
    return services.create_knowledge_set(
        name=name, reference_set=trophies(f"trophies-{name}"), by=None, **fields
    )


def formula(of: KnowledgeSet, author: User | None = None) -> Formula:
    return services.add_formula(knowledge_set=of, name="large", text=LARGE, by=author)


def formalisation(of: KnowledgeSet, *formulas: Formula) -> Formalisation:
    return services.formalise(
        knowledge_set=of, question="t-1", formalisation=TROPHY, formulas=formulas, by=None
    )


def pair(of: KnowledgeSet, number: int = 1, **fields: Any) -> tuple[Sentence, Sentence]:
    """A true sentence and its false version."""
    true = services.write_sentence(
        knowledge_set=of,
        formalisation=fields.pop("formalisation", None) or formalisation(of),
        text=TRUE % number,
        by=fields.pop("by", None),
        **fields,
    )
    false = services.write_false_version(of=true, kind="changed", text=FALSE % number, by=None)
    return true, false


def validation(n_pairs: int = 2, **asked: Any) -> SetValidation:
    """The begun validation of a set of some pairs; the whole set pays 500 CNY."""
    of = asked.pop("of", None) or knowledge_set()
    question = formalisation(of)
    for number in range(n_pairs):
        pair(of, number, formalisation=question)
    if "reward" not in asked:
        asked.setdefault("whole_set", Decimal("500.00"))
    return services.begin_validation(knowledge_set=of, by=None, **asked)


def enrol(worker: User, of: SetValidation) -> Enrolment:
    return services.enrol(worker=worker, validation=of)


def claim(worker: User, of: SetValidation) -> SentenceSeat:
    return services.claim_sentence(worker=worker, validation=of)


def answer(seat: SentenceSeat, yes: bool = True, fails: str = "") -> SentenceSeat:
    assert seat.worker is not None
    return services.answer_sentence(
        worker=seat.worker, seat_id=seat.public_id, yes=yes, fails=fails
    )


def next_for(worker: User, of: SetValidation) -> SentenceSeat | None:
    """Claim a seat; None where nothing is left for the worker."""
    try:
        return claim(worker, of)
    except DomainError as refused:
        if refused.code != "queue_empty":
            raise
        return None


def answer_all(
    worker: User,
    of: SetValidation,
    choose: Callable[[SentenceSeat], bool] = lambda seat: seat.sentence.is_true,
) -> list[SentenceSeat]:
    """Let an enrolled worker answer until nothing is left; return the seats in their order."""
    seats = []
    while (seat := next_for(worker, of)) is not None:
        seats.append(answer(seat, choose(seat)))
    return seats


def held_by(worker: User, of: SetValidation, number: int = 1) -> SentenceSeat:
    """Enrol a worker under a number, with the first seat in hand, whatever they may do."""
    now = clock.now()
    Enrolment.objects.filter(validation=of, number=number).update(worker=worker, enrolled_at=now)
    seat = of.seats.filter(number=number).order_by("place").first()
    assert seat is not None
    seat.worker, seat.claimed_at, seat.reward = worker, now, Decimal("1.00")
    seat.leased_until = now + timedelta(minutes=10)
    seat.save()
    return seat
