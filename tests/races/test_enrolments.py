"""Twelve people want the six enrolments of a panel at the same time."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection

from knowledge import services
from panels.models import Enrolment, Panel, PanelSeat
from panels.services import end_enrolment, enrolments, seats
from tests.factories import UserFactory
from tests.knowledge.annotating import (
    answer,
    formalisation,
    knowledge_set,
    pair,
    validation,
)
from tests.panels.people import claim, enrol, next_for
from tests.races.statements import without
from tests.races.threads import at_once
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User

LOCK = 'FOR NO KEY UPDATE OF "panels_enrolment" SKIP LOCKED'


def work(worker: User, of: Panel, start: Barrier) -> int:
    """Enrol and answer until nothing is left; a connection is returned between requests."""
    start.wait()
    try:
        enrol(worker, of)
    except DomainError as refused:
        if refused.code != "set_is_full":
            raise
        return 0
    finally:
        connection.close()
    return answered(worker, of)


def answered(worker: User, of: Panel) -> int:
    n = 0
    while True:
        seat = next_for(worker, of)
        connection.close()
        if seat is None:
            return n
        answer(seat, seat.number % 2 == 0)
        connection.close()
        n += 1


def test_of_12_annotators_six_enrol_and_each_problem_gets_six_answers_for_3000_cny() -> None:
    of, people = validation(n_pairs=7), UserFactory.create_batch(12)
    start = Barrier(12)
    with ThreadPoolExecutor(12) as pool:
        counts = list(pool.map(partial(work, of=of, start=start), people))
    assert sorted(counts) == [0] * 6 + [14] * 6
    given = PanelSeat.objects.done().values_list("item", "worker")
    assert set(Counter(sentence for sentence, _ in given).values()) == {6}
    assert len(set(given)) == len(given) == 84
    entries = LedgerEntry.objects.filter(currency="CNY", kind="knowledge")
    assert entries.total() == Decimal("3000.00")
    assert {
        LedgerEntry.objects.filter(worker=worker).total()
        for worker in people
        if LedgerEntry.objects.filter(worker=worker).exists()
    } == {Decimal("500.00")}
    assert check_ledger().reconciled


def enrolments_that_meet(monkeypatch: pytest.MonkeyPatch, people: list[User]) -> list[Any]:
    """Enrolments of which each is in the middle of it when the others begin."""
    of, enrolling = validation(n_pairs=1), enrolments.enrolling()
    first = enrolling.first

    def slowly(**given: Any) -> Enrolment | None:
        found = first(**given)
        time.sleep(0.3)
        return found

    monkeypatch.setattr(enrolling, "first", slowly)
    return at_once(*[partial(enrol, person, of) for person in people])


def test_of_nine_who_enrol_at_once_six_get_a_number_each(monkeypatch: pytest.MonkeyPatch) -> None:
    found = enrolments_that_meet(monkeypatch, UserFactory.create_batch(9))
    numbers = [one.number for one in found if isinstance(one, Enrolment)]
    assert sorted(numbers) == [1, 2, 3, 4, 5, 6]
    assert [one.code for one in found if isinstance(one, DomainError)] == ["set_is_full"] * 3


def test_control_without_the_lock_many_believe_to_have_one_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(LOCK, enrolments.enrolling(), monkeypatch)
    found = enrolments_that_meet(monkeypatch, UserFactory.create_batch(9))
    numbers = Counter(one.number for one in found if isinstance(one, Enrolment))
    assert max(numbers.values()) > 1


def test_a_person_with_many_tabs_has_one_number_one_seat_and_is_paid_once() -> None:
    of, bob = validation(), UserFactory()
    assert len({one.pk for one in at_once(*[partial(enrol, bob, of)] * 4)}) == 1
    held = at_once(*[partial(claim, bob, of)] * 4)
    assert len({seat.pk for seat in held}) == 1
    assert len({one.pk for one in at_once(*[partial(answer, held[0])] * 4)}) == 1
    assert LedgerEntry.objects.count() == 1


def test_of_two_different_answers_at_once_one_counts_and_the_other_is_refused() -> None:
    of, bob = validation(), UserFactory()
    enrol(bob, of)
    seat = claim(bob, of)
    said = at_once(partial(answer, seat, True), partial(answer, seat, False))
    [refused] = [one for one in said if isinstance(one, DomainError)]
    assert refused.code == "already_answered"
    assert LedgerEntry.objects.count() == 1


def claim_while_ending(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A worker's claim in whose middle a curator ends the enrolment."""
    of, bob = validation(), UserFactory()
    enrolment = enrol(bob, of)
    lease_first = seats.lease_first

    def slowly(*args: Any, **given: Any) -> PanelSeat | None:
        time.sleep(0.3)
        return lease_first(*args, **given)

    monkeypatch.setattr(seats, "lease_first", slowly)

    def end() -> None:
        time.sleep(0.1)
        end_enrolment(enrolment=enrolment)

    at_once(partial(claim, bob, of), end)
    return list(PanelSeat.objects.filter(worker=bob))


def test_an_ended_enrolment_holds_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    assert claim_while_ending(monkeypatch) == []


def end_while_a_late_answer_is_stored(monkeypatch: pytest.MonkeyPatch) -> tuple[PanelSeat, Any]:
    """A curator ends the enrolment after a late answer has read its seat, before it is stored."""
    of, bob = validation(), UserFactory()
    enrolment = enrol(bob, of)
    seat, inside, ended = claim(bob, of), Event(), Event()
    PanelSeat.objects.filter(pk=seat.pk).update(leased_until=seat.claimed_at)
    is_free = seats._is_free

    def decide_slowly(found: PanelSeat) -> bool:
        inside.set()
        ended.wait(1)
        return is_free(found)

    def end() -> None:
        inside.wait(5)
        end_enrolment(enrolment=enrolment)
        ended.set()

    monkeypatch.setattr(seats, "_is_free", decide_slowly)
    given, _ = at_once(partial(answer, seat), end)
    seat.refresh_from_db()
    return seat, given


def test_a_late_answer_counts_though_its_enrolment_ends_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seat, given = end_while_a_late_answer_is_stored(monkeypatch)
    assert isinstance(given, PanelSeat)
    assert seat.option == 1
    assert LedgerEntry.objects.count() == 1


def test_control_without_the_lock_a_late_answer_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlocked(worker: User, seat_id: Any) -> PanelSeat:
        return PanelSeat.objects.get(worker=worker, public_id=seat_id)

    monkeypatch.setattr(seats, "locked", unlocked)
    seat, given = end_while_a_late_answer_is_stored(monkeypatch)
    assert isinstance(given, Exception)
    assert seat.answered_at is None


def test_sentences_and_their_validation_do_not_change_at_once() -> None:
    of = knowledge_set()
    pair(of)
    write = partial(
        services.write_sentence,
        knowledge_set=of,
        formalisation=formalisation(of),
        text="All sleep.",
        by=None,
    )
    begin = partial(services.begin_validation, knowledge_set=of, by=None, reward=Decimal(1))
    found = at_once(begin, write, begin)
    refused = {one.code for one in found if isinstance(one, DomainError)}
    assert refused <= {"already_begun", "sentences_frozen", "unbalanced"}
    begun = Panel.objects.filter(knowledge_set=of).first()
    assert begun is None or begun.n_items == of.sentences.count() == 2
