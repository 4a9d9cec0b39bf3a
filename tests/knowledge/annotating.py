"""Small knowledge sets with sentences, and annotators who answer."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from knowledge import services
from knowledge.models import (
    Formalisation,
    Formula,
    KnowledgeSet,
    Sentence,
)
from panels.models import Enrolment, Panel, PanelSeat
from panels.services import cast_vote
from tests.factories import CampaignFactory
from tests.factories.knowledge import trophies
from tests.knowledge.wsc_formal import LARGE, TROPHY
from winoplatform import clock
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


def validation(n_pairs: int = 2, **asked: Any) -> Panel:
    """The panel that validates a set of some pairs; the whole set pays 500 CNY."""
    of = asked.pop("of", None) or knowledge_set()
    question = formalisation(of)
    for number in range(n_pairs):
        pair(of, number, formalisation=question)
    if "reward" not in asked:
        asked.setdefault("whole_set", Decimal("500.00"))
    return services.begin_validation(knowledge_set=of, by=None, **asked)


def answer(seat: PanelSeat, yes: bool = True, fails: str = "") -> PanelSeat:
    assert seat.worker is not None
    return cast_vote(
        worker=seat.worker, seat_id=seat.public_id, shown_option=1 if yes else 2, fails=fails
    )


def held_by(worker: User, of: Panel, number: int = 1) -> PanelSeat:
    """Enrol a worker under a number, with the first seat in hand, whatever they may do."""
    now = clock.now()
    Enrolment.objects.filter(panel=of, number=number).update(worker=worker, enrolled_at=now)
    seat = of.seats.filter(number=number).order_by("place").first()
    assert seat is not None
    seat.worker, seat.claimed_at, seat.reward = worker, now, Decimal("1.00")
    seat.leased_until = now + timedelta(minutes=10)
    seat.save()
    return seat
