"""A verified formalisation is paid once, by a campaign that reserved its pay."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from collection.services.campaigns.budget import committed
from knowledge import services
from knowledge.models import FormalisingTask, KnowledgeSet
from tests.factories import CampaignFactory, UserFactory
from tests.factories.knowledge import LARGE, TOO_LARGE, TOO_SMALL
from tests.knowledge.annotating import validation
from tests.knowledge.formalising import formalised, paying, qualified
from tests.panels.people import enrol
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError, NotFound
from workers.models import LedgerEntry, Qualification


def test_the_newest_version_is_paid_once_it_is_verified() -> None:
    of = paying()
    worker = qualified(of)
    services.take_question(worker=worker, knowledge_set=of, question="t-1")
    first = formalised(of, worker, known=False)
    assert not services.prove(formalisation=first).verified
    assert not LedgerEntry.objects.exists()
    second = formalised(of, worker)
    services.prove(formalisation=first)
    for _ in range(2):
        assert services.prove(formalisation=second).verified
    entry = LedgerEntry.objects.get()
    assert (entry.worker, entry.kind, entry.amount) == (worker, "formalisation", Decimal("2.00"))
    assert check_ledger().reconciled


def test_the_ledger_check_finds_a_formalisation_that_was_not_paid() -> None:
    of = paying()
    worker = qualified(of)
    task = services.take_question(worker=worker, knowledge_set=of, question="t-1")
    made = formalised(of, worker)
    FormalisingTask.objects.filter(pk=task.pk).update(
        verified_at=timezone.now(), formalisation=made
    )
    [problem] = check_ledger().problems
    assert (problem.code, problem.count) == ("unpaid", 1)


def test_pay_is_reserved_while_a_question_is_taken() -> None:
    of = paying(campaign=CampaignFactory(budget_cap=Decimal("3.00")))
    assert of.campaign is not None
    first, second = qualified(of), qualified(of)
    task = services.take_question(worker=first, knowledge_set=of, question="t-1")
    assert committed(of.campaign) == Decimal("2.00")
    with pytest.raises(DomainError) as refused:
        services.take_question(worker=second, knowledge_set=of, question="t-2")
    assert refused.value.code == "budget_exhausted"
    services.return_question(worker=first, task_id=task.public_id)
    FormalisingTask.objects.update(leased_until=timezone.now() - timedelta(hours=1))
    services.take_question(worker=second, knowledge_set=of, question="t-2")


def test_what_was_promised_is_paid_after_the_amount_changed() -> None:
    of = paying()
    worker = qualified(of)
    services.take_question(worker=worker, knowledge_set=of, question="t-1")
    services.change_knowledge_set(knowledge_set=of, formalisation_reward=Decimal("5.00"))
    services.prove(formalisation=formalised(of, worker))
    assert LedgerEntry.objects.get().amount == Decimal("2.00")


def test_promised_work_keeps_its_campaign() -> None:
    of = paying()
    services.take_question(worker=qualified(of), knowledge_set=of, question="t-1")
    for change in ({"campaign": CampaignFactory()}, {"formalisation_reward": None}):
        with pytest.raises(DomainError) as refused:
            services.change_knowledge_set(knowledge_set=of, **change)
        assert refused.value.code == "work_promised"


def test_a_question_is_with_one_worker_and_a_worker_has_one_question() -> None:
    of = paying()
    first, second = qualified(of), qualified(of)
    services.take_question(worker=first, knowledge_set=of, question="t-1")
    for worker, question, code in (
        (second, "t-1", "question_taken"),
        (first, "t-2", "another_question_taken"),
        (UserFactory(), "t-2", "not_qualified"),
    ):
        with pytest.raises(DomainError) as refused:
            services.take_question(worker=worker, knowledge_set=of, question=question)
        assert refused.value.code == code
    with pytest.raises(DomainError) as refused:
        formalised(of, second)
    assert refused.value.code == "question_not_taken"


def test_a_verified_question_is_taken_by_nobody() -> None:
    of = paying()
    services.prove(formalisation=formalised(of, UserFactory(curator=True)))
    with pytest.raises(DomainError) as refused:
        services.take_question(worker=qualified(of), knowledge_set=of, question="t-1")
    assert refused.value.code == "question_verified"


def test_a_set_that_asks_nobody_has_no_question_to_take() -> None:
    of = paying(formalisation_reward=None)
    with pytest.raises(DomainError) as refused:
        services.take_question(worker=UserFactory(curator=True), knowledge_set=of, question="t-1")
    assert (refused.value.code, refused.value.status) == ("not_asked", 409)


def test_the_prover_marks_the_exercise() -> None:
    of, worker = paying(exercise=["t-1", "t-2"]), UserFactory()

    def submitted(question: str, content: object, text: str) -> str:
        mark = services.submit_exercise(
            worker=worker,
            knowledge_set=of,
            question=question,
            formalisation=content,  # type: ignore[arg-type]
            knowledge={"mine": text},
        )
        return mark.qualification.status

    small = "too_small(y) -> not Poss(fit_into(x, y), s)"
    assert submitted("t-1", TOO_LARGE, small) == "started"
    assert submitted("t-1", TOO_LARGE, LARGE) == "started"
    with pytest.raises(DomainError):
        services.take_question(worker=worker, knowledge_set=of, question="t-1")
    assert submitted("t-2", TOO_SMALL, small) == "passed"
    services.take_question(worker=worker, knowledge_set=of, question="t-1")
    with pytest.raises(DomainError) as refused:
        submitted("t-1", TOO_LARGE, LARGE)
    assert refused.value.code == "exercise_passed"
    with pytest.raises(NotFound):
        services.submit_exercise(
            worker=UserFactory(),
            knowledge_set=of,
            question="t-3",
            formalisation=TOO_LARGE,
            knowledge={},
        )


def test_an_exercise_has_questions_of_its_set() -> None:
    with pytest.raises(DomainError) as refused:
        paying(exercise=["t-9"])
    assert refused.value.code == "unknown_question"


def test_who_formalises_does_not_annotate_and_who_annotates_does_not_formalise() -> None:
    asked = validation()
    of, worker = KnowledgeSet.objects.get(panel=asked), UserFactory()
    services.change_knowledge_set(
        knowledge_set=of, formalisation_reward=Decimal("1.00"), exercise=["t-1"]
    )
    of.refresh_from_db()
    with pytest.raises(DomainError) as refused:
        enrol(qualified(of), asked)
    assert refused.value.code == "knows_labels"
    enrol(worker, asked)
    with pytest.raises(DomainError) as refused:
        services.submit_exercise(
            worker=worker,
            knowledge_set=of,
            question="t-1",
            formalisation=TOO_LARGE,
            knowledge={"mine": LARGE},
        )
    assert refused.value.code == "annotates_set"
    assert not Qualification.objects.filter(worker=worker).exists()
