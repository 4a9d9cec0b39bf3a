"""What the database itself refuses of sentences, words and reasons."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from knowledge.models import (
    FormalisingTask,
    LexiconEntry,
    Reason,
    Sentence,
)
from tests.factories import (
    FormalisationFactory,
    FormalisingTaskFactory,
    KnowledgeSetFactory,
    UserFactory,
)
from tests.knowledge.annotating import knowledge_set, pair

MODELS = (
    Sentence,
    LexiconEntry,
    Reason,
    FormalisingTask,
)
REASON = {
    "collection": "mine",
    "question": 0,
    "number": 0,
    "source": "human",
    "n_accepted": 1,
    "n_votes": 5,
}


def true_sentence(**fields: object) -> None:
    true, _ = pair(knowledge_set())
    Sentence.objects.filter(pk=true.pk).update(**fields)


def false_sentence(**fields: object) -> None:
    _, false = pair(knowledge_set())
    Sentence.objects.filter(pk=false.pk).update(**fields)


def words_twice() -> None:
    of = knowledge_set()
    for _ in range(2):
        LexiconEntry.objects.create(knowledge_set=of, name="late", positive="{x} is late")


def task(n: int = 1, **fields: object) -> None:
    of = KnowledgeSetFactory()
    for _ in range(n):
        FormalisingTaskFactory(**({"knowledge_set": of, "question": "t-1"} | fields))


def verified_twice() -> None:
    made = FormalisationFactory()
    task(2, verified_at=timezone.now(), formalisation=made)


def reason(n: int = 1, **fields: object) -> None:
    for _ in range(n):
        Reason.objects.create(**(REASON | fields))


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("sentence_kind_is_known", lambda: false_sentence(kind="odd")),
    ("sentence_false_has_a_true_one", lambda: true_sentence(kind="negation")),
    ("sentence_is_not_of_itself", lambda: false_sentence(of=F("pk"))),
    ("sentence_false_formula_has_lost_its_proof", lambda: false_sentence(pick="other")),
    (
        "sentence_false_formula_has_lost_its_proof",
        lambda: false_sentence(pick="answer", false_formula="late(x)"),
    ),
    ("lexiconentry_name_is_unique", words_twice),
    ("formalisingtask_is_taken_once", lambda: task(2, worker=UserFactory())),
    ("formalisingtask_question_is_paid_once", verified_twice),
    ("formalisingtask_verified_has_a_formalisation", lambda: task(verified_at=timezone.now())),
    ("formalisingtask_pays_no_less_than_zero", lambda: task(reward=Decimal(-1))),
    ("reason_is_numbered", lambda: reason(2)),
    ("reason_source_is_known", lambda: reason(source="robot")),
    ("reason_accepted_are_votes", lambda: reason(n_accepted=6)),
]


@pytest.mark.long
@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=f"knowledge_{constraint}"), transaction.atomic():
        break_it()


def test_every_constraint_of_these_tables_is_tried() -> None:
    named = {constraint.name for model in MODELS for constraint in model._meta.constraints}
    assert named == {f"knowledge_{constraint}" for constraint, _ in REFUSED}
