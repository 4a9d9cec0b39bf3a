"""What annotators do, on ``validation.services.validating.leases``."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from tests.validation.toy_seats.models import SEATS, ToyAnswer, ToySeat, ToySentence
from validation.services.validating import leases
from winoplatform import clock
from winoplatform.db.prepared import Placeholder, Prepared, insert, once
from winoplatform.errors import NotFound
from workers.models import LedgerEntry, User
from workers.services import accruing

LEASE, REWARD = timedelta(minutes=3), Decimal("0.10")
BUDGET = uuid.UUID(int=6)


def make_sentence(text: str = "A trophy is larger than a suitcase.") -> ToySentence:
    sentence = ToySentence.objects.create(text=text)
    ToySeat.objects.bulk_create(
        ToySeat(sentence=sentence, number=number, place=sentence.pk)
        for number in range(1, SEATS + 1)
    )
    return sentence


@once
def claiming() -> Prepared[ToySeat]:
    return leases.claiming(
        ToySeat.objects.free(now=Placeholder("now")).open_to(Placeholder("worker"))
    )


def lease_first(worker: User, now: datetime) -> ToySeat | None:
    return claiming().first(worker=worker.pk, now=now, until=now + LEASE, reward=REWARD)


@transaction.atomic
def claim(worker: User) -> ToySeat | None:
    User.objects.select_for_update(no_key=True).get(pk=worker.pk)
    now = clock.now()
    for mine in ToySeat.objects.waiting().filter(worker=worker):
        if mine.leased_until > now:
            return mine
        leases.vacate(mine)
    return lease_first(worker, now)


@transaction.atomic
def beat(worker: User, seat_id: uuid.UUID) -> None:
    now = clock.now()
    held = ToySeat.objects.held(now=now).filter(worker=worker, public_id=seat_id)
    leases.prolong(held, now=now, until=now + LEASE)


@transaction.atomic
def give_back(worker: User, seat_id: uuid.UUID) -> None:
    leases.vacate(_locked(worker, seat_id))


@transaction.atomic
def answer(worker: User, seat_id: uuid.UUID, word: str) -> ToyAnswer:
    seat, now = _locked(worker, seat_id), clock.now()
    leases.refuse_unless_held(seat, now)
    first = ToyAnswer.objects.filter(seat=seat).first()
    if first is not None:
        leases.refuse_other({"word": first.word}, {"word": word})
        return first
    made = ToyAnswer(seat=seat, word=word)
    pay = accruing(
        worker=worker.pk,
        kind=LedgerEntry.Kind.VOTE,
        unit=str(seat.public_id),
        amount=seat.reward,
        currency="USD",
        budget=BUDGET,
    )
    insert(made, leases.answering(seat, now=now, reward=seat.reward), pay)
    return made


def _locked(worker: User, seat_id: uuid.UUID) -> ToySeat:
    mine = ToySeat.objects.filter(worker=worker, public_id=seat_id)
    seat = mine.select_for_update(no_key=True).first()
    if seat is None:
        raise NotFound("seat")
    return seat
