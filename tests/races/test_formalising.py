"""Versions of one question stored at the same moment, and one sent from several tabs."""

import time
from dataclasses import replace
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from knowledge import paying as pay
from knowledge import proving, services
from knowledge.core.formalisation import Thing
from knowledge.models import Formalisation, FormalisingTask
from knowledge.services import formalising
from tests.factories import KnowledgeSetFactory
from tests.factories.knowledge import TOO_LARGE
from tests.knowledge.formalising import formalised, paying, qualified
from tests.races.threads import at_once
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers.models import LedgerEntry

EXPERTS = 4


def answers() -> list[Any]:
    """What each expert is answered, who words the trophy in a way of their own."""
    knowledge_set = KnowledgeSetFactory()
    worded = [
        replace(TOO_LARGE, things=(Thing("Trophy", f"cup {n}"), TOO_LARGE.things[1]))
        for n in range(EXPERTS)
    ]
    asked = partial(
        services.formalise, knowledge_set=knowledge_set, question="t-1", formulas=[], by=None
    )
    return at_once(*[partial(asked, formalisation=one) for one in worded])


def test_each_version_has_a_number_of_its_own() -> None:
    assert sorted(row.number for row in answers()) == [1, 2, 3, 4]


def test_without_the_lock_they_take_the_same_number(monkeypatch: pytest.MonkeyPatch) -> None:
    together, save = Barrier(EXPERTS), Formalisation.save

    def waiting(self: Formalisation, *args: Any, **options: Any) -> None:
        together.wait(timeout=30)
        save(self, *args, **options)

    monkeypatch.setattr(formalising, "one_at_a_time", lambda _: None)
    monkeypatch.setattr(Formalisation, "save", waiting)
    found = answers()
    assert sum(isinstance(answer, Exception) for answer in found) == EXPERTS - 1


def entries_written(monkeypatch: pytest.MonkeyPatch) -> int:
    """How often pay is written when a verified version is submitted from four tabs."""
    of = paying()
    worker = qualified(of)
    services.take_question(worker=worker, knowledge_set=of, question="t-1")
    made, written, accrue = formalised(of, worker), [], pay._accrue
    proving.store(proving.prove_anew(made))  # else the four would wait for each other's proof

    def slowly(task: FormalisingTask) -> None:
        written.append(task)
        time.sleep(0.3)
        accrue(task)

    monkeypatch.setattr(pay, "_accrue", slowly)
    at_once(*[partial(services.prove, formalisation=made)] * 4)
    assert LedgerEntry.objects.count() == 1
    assert check_ledger().reconciled
    return len(written)


def test_submitted_four_times_at_once_it_is_paid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert entries_written(monkeypatch) == 1


def test_control_without_the_lock_only_the_ledger_refuses_the_second_entry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unlocked(formalisation: Any) -> FormalisingTask | None:
        found = FormalisingTask.objects.waiting().filter(
            question=formalisation.question, worker=formalisation.author
        )
        return found.select_related("knowledge_set__campaign", "worker").first()

    monkeypatch.setattr(pay, "_locked", unlocked)
    assert entries_written(monkeypatch) > 1


def test_of_five_workers_one_gets_a_question() -> None:
    of = paying()
    people = [qualified(of) for _ in range(5)]
    take = partial(services.take_question, knowledge_set=of, question="t-1")
    found = at_once(*[partial(take, worker=worker) for worker in people])
    refused = [one.code for one in found if isinstance(one, DomainError)]
    assert refused == ["question_taken"] * 4
    assert FormalisingTask.objects.count() == 1
