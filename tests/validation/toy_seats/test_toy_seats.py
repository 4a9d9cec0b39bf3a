"""Six seats of a task that validation knows nothing of: claims, leases, answers and their races."""

import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from tests.factories import UserFactory
from tests.races.statements import without
from tests.races.threads import at_once
from tests.validation.toy_seats import services
from tests.validation.toy_seats.models import SEATS, TABLES, ToyAnswer, ToySeat, ToySentence
from validation.services.validating import leases
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User

pytestmark = pytest.mark.race


@pytest.fixture(autouse=True)
def tables(transactional_db: None) -> Iterator[None]:
    with connection.schema_editor() as editor:
        for model in TABLES:
            editor.create_model(model)
    yield
    with connection.schema_editor() as editor:
        for model in reversed(TABLES):
            editor.delete_model(model)


@pytest.fixture
def sentence() -> ToySentence:
    return services.make_sentence()


def claimed(worker: User) -> ToySeat:
    seat = services.claim(worker)
    assert seat is not None
    return seat


def end_lease(seat: ToySeat) -> None:
    ToySeat.objects.filter(pk=seat.pk).update(leased_until=seat.claimed_at - timedelta(seconds=1))


# -- races -----------------------------------------------------------------------------------------
def claims_that_meet(monkeypatch: pytest.MonkeyPatch, workers: list[User]) -> list[Any]:
    """Claims of which each is in the middle of it when the others begin."""
    lease_first = services.lease_first

    def lease_slowly(worker: User, now: datetime) -> ToySeat | None:
        seat = lease_first(worker, now)
        time.sleep(0.3)
        return seat

    monkeypatch.setattr(services, "lease_first", lease_slowly)
    return at_once(*[partial(services.claim, worker) for worker in workers])


def test_of_nine_who_claim_at_once_six_sit_in_one_seat_each(
    sentence: ToySentence, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = claims_that_meet(monkeypatch, UserFactory.create_batch(9))
    held = [seat for seat in claims if isinstance(seat, ToySeat)]
    assert sorted(seat.number for seat in held) == list(range(1, SEATS + 1))
    assert claims.count(None) == 9 - SEATS
    stored = dict(ToySeat.objects.values_list("pk", "worker"))
    assert stored == {seat.pk: seat.worker_id for seat in held}


@pytest.mark.long
def test_control_without_the_lock_many_believe_to_hold_one_seat(
    sentence: ToySentence, monkeypatch: pytest.MonkeyPatch
) -> None:
    without('FOR NO KEY UPDATE OF "toys_toyseat" SKIP LOCKED', services.claiming(), monkeypatch)
    claims = claims_that_meet(monkeypatch, UserFactory.create_batch(9))
    held = Counter(seat.pk for seat in claims if isinstance(seat, ToySeat))
    assert max(held.values()) > 1


def test_a_worker_who_claims_in_many_tabs_holds_one_seat(sentence: ToySentence, bob: User) -> None:
    seats = at_once(*[partial(services.claim, bob)] * 4)
    assert len({seat.pk for seat in seats}) == 1
    assert ToySeat.objects.filter(worker=bob).count() == 1


def test_the_same_answer_from_many_tabs_is_one_answer_paid_once(
    sentence: ToySentence, bob: User
) -> None:
    seat = claimed(bob)
    answers = at_once(*[partial(services.answer, bob, seat.public_id, "size")] * 4)
    assert {made.pk for made in answers} == {ToyAnswer.objects.get().pk}
    assert LedgerEntry.objects.get().amount == services.REWARD


def test_an_answer_and_the_next_claim_of_a_lapsed_seat_are_never_both_right(
    sentence: ToySentence, bob: User
) -> None:
    seat, others = claimed(bob), UserFactory.create_batch(SEATS)
    for other in others[1:]:
        claimed(other)
    end_lease(seat)
    said, taken = at_once(
        partial(services.answer, bob, seat.public_id, "size"), partial(services.claim, others[0])
    )
    assert isinstance(said, DomainError)
    taken = taken or claimed(others[0])  # None: the answer still had the seat locked
    assert taken.pk == seat.pk


# -- one after the other ---------------------------------------------------------------------------
def test_a_worker_sits_once_at_a_sentence_and_continues_to_the_next(bob: User) -> None:
    first, second = services.make_sentence(), services.make_sentence()
    seat = claimed(bob)
    services.answer(bob, seat.public_id, "size")
    assert [seat.sentence_id, claimed(bob).sentence_id] == [first.pk, second.pk]
    with pytest.raises(IntegrityError, match="worker_sits_once"), transaction.atomic():
        ToySeat.objects.filter(sentence=first, number=2).update(
            worker=bob, leased_until=seat.leased_until
        )


def test_another_answer_is_refused_with_what_stands(sentence: ToySentence, bob: User) -> None:
    seat = claimed(bob)
    services.answer(bob, seat.public_id, "size")
    with pytest.raises(DomainError) as refused:
        services.answer(bob, seat.public_id, "weight")
    assert (refused.value.code, refused.value.details) == ("already_answered", {"word": "size"})


def test_an_answer_pays_what_the_claim_promised(
    sentence: ToySentence, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = claimed(bob)
    monkeypatch.setattr(services, "REWARD", Decimal("9.99"))
    services.answer(bob, seat.public_id, "size")
    assert LedgerEntry.objects.get(worker=bob).amount == Decimal("0.10")
    assert ToySeat.objects.get(pk=seat.pk).answered_at is not None


def test_a_seat_given_back_is_free_at_once(sentence: ToySentence, bob: User) -> None:
    seat = claimed(bob)
    services.give_back(bob, seat.public_id)
    stands = ToySeat.objects.get(pk=seat.pk)
    assert (stands.worker, stands.leased_until, stands.reward) == (None, None, None)
    assert claimed(UserFactory()).pk == seat.pk


def test_a_lapsed_seat_goes_to_the_next_and_names_who_left_it(
    sentence: ToySentence, bob: User
) -> None:
    seat = claimed(bob)
    end_lease(seat)
    taken: Any = claimed(UserFactory())
    assert (taken.pk, taken.left_by) == (seat.pk, bob.pk)
    with pytest.raises(DomainError, match="no such seat"):
        services.answer(bob, seat.public_id, "size")


def test_nobody_answers_after_the_lease_has_ended(sentence: ToySentence, bob: User) -> None:
    seat = claimed(bob)
    end_lease(seat)
    with pytest.raises(DomainError, match="no longer yours"):
        services.answer(bob, seat.public_id, "size")


def test_a_beating_page_keeps_its_seat_for_half_an_hour_at_most(
    sentence: ToySentence, bob: User
) -> None:
    seat = claimed(bob)
    begun = seat.claimed_at - leases.LONGEST + timedelta(minutes=1)
    ToySeat.objects.filter(pk=seat.pk).update(
        claimed_at=begun, leased_until=seat.leased_until - timedelta(minutes=2, seconds=30)
    )
    services.beat(bob, seat.public_id)
    assert ToySeat.objects.get(pk=seat.pk).leased_until == begun + leases.LONGEST
