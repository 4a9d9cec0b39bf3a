"""A worker submits one verified formalisation from several tabs at once."""

import time
from functools import partial
from typing import Any

import pytest

from knowledge import paying as pay
from knowledge import proving, services
from knowledge.models import FormalisingTask
from tests.knowledge.formalising import formalised, paying, qualified
from tests.races.threads import at_once
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers.models import LedgerEntry


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
