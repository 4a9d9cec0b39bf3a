"""What the database itself refuses of sentences, annotators, words and reasons."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from knowledge.models import (
    Enrolment,
    FormalisingTask,
    LexiconEntry,
    Reason,
    Sentence,
    SentenceSeat,
    SetValidation,
)
from tests.factories import (
    FormalisationFactory,
    FormalisingTaskFactory,
    KnowledgeSetFactory,
    UserFactory,
)
from tests.knowledge.annotating import enrol, knowledge_set, pair, validation

pytestmark = pytest.mark.django_db
MODELS = (
    Sentence,
    SetValidation,
    Enrolment,
    SentenceSeat,
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


def begun(**fields: object) -> None:
    SetValidation.objects.filter(pk=validation(1).pk).update(**fields)


def enrolled_twice() -> None:
    of, bob = validation(1), UserFactory()
    enrol(bob, of)
    free = Enrolment.objects.free().order_by("number").first()
    Enrolment.objects.filter(pk=free.pk).update(worker=bob, enrolled_at=timezone.now())


def same_number() -> None:
    Enrolment.objects.create(validation=validation(1), number=1)


def without_a_time() -> None:
    validation(1).enrolments.filter(number=1).update(worker=UserFactory())


def same_seat() -> None:
    sentence = validation(1).knowledge_set.sentences.first()
    SentenceSeat.objects.filter(sentence=sentence, number=2).update(number=1)


def sits_twice() -> None:
    sentence = validation(1).knowledge_set.sentences.first()
    taken = {"worker": UserFactory(), "leased_until": timezone.now()}
    SentenceSeat.objects.filter(sentence=sentence, number__lte=2).update(**taken)


def seat(**fields: object) -> None:
    of = validation(1)
    one = SentenceSeat.objects.filter(validation=of).first()
    held = {"worker": UserFactory(), "leased_until": timezone.now()}
    SentenceSeat.objects.filter(pk=one.pk).update(**(held | fields))


def author_sits(field: str) -> None:
    alice = UserFactory()
    seat(**{"worker": alice, field: alice})


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
    ("knowledge_sentence_kind_is_known", lambda: false_sentence(kind="odd")),
    ("knowledge_sentence_false_has_a_true_one", lambda: true_sentence(kind="negation")),
    ("knowledge_sentence_is_not_of_itself", lambda: false_sentence(of=F("pk"))),
    ("knowledge_sentence_false_formula_has_lost_its_proof", lambda: false_sentence(pick="other")),
    (
        "knowledge_sentence_false_formula_has_lost_its_proof",
        lambda: false_sentence(pick="answer", false_formula="late(x)"),
    ),
    ("knowledge_setvalidation_status_is_known", lambda: begun(status="odd")),
    ("knowledge_setvalidation_pays_the_set_or_each_answer", lambda: begun(reward=Decimal(1))),
    ("knowledge_setvalidation_pays_no_less_than_zero", lambda: begun(whole_set=Decimal(-1))),
    (
        "knowledge_setvalidation_rewards_no_less_than_zero",
        lambda: begun(whole_set=None, reward=Decimal(-1)),
    ),
    ("knowledge_setvalidation_needs_more_than_half", lambda: begun(needed=3)),
    ("knowledge_setvalidation_has_problems", lambda: begun(n_problems=0)),
    ("knowledge_enrolment_number_is_taken_once", same_number),
    ("knowledge_enrolment_worker_enrols_once", enrolled_twice),
    ("knowledge_enrolment_taken_has_a_time", without_a_time),
    ("knowledge_sentenceseat_is_numbered", same_seat),
    ("knowledge_sentenceseat_worker_sits_once", sits_twice),
    ("knowledge_sentenceseat_taken_has_lease", lambda: seat(leased_until=None)),
    ("knowledge_sentenceseat_author_does_not_answer", lambda: author_sits("author")),
    ("knowledge_sentenceseat_author_does_not_answer", lambda: author_sits("formula_author")),
    (
        "knowledge_sentenceseat_answered_has_an_answer",
        lambda: seat(answered_at=timezone.now()),
    ),
    (
        "knowledge_sentenceseat_fails_is_known",
        lambda: seat(fails="taste", yes=False, answered_at=timezone.now()),
    ),
    (
        "knowledge_sentenceseat_only_a_no_fails",
        lambda: seat(fails="sense", yes=True, answered_at=timezone.now()),
    ),
    ("knowledge_lexiconentry_name_is_unique", words_twice),
    ("knowledge_formalisingtask_is_taken_once", lambda: task(2, worker=UserFactory())),
    ("knowledge_formalisingtask_question_is_paid_once", verified_twice),
    (
        "knowledge_formalisingtask_verified_has_a_formalisation",
        lambda: task(verified_at=timezone.now()),
    ),
    ("knowledge_formalisingtask_pays_no_less_than_zero", lambda: task(reward=Decimal(-1))),
    ("knowledge_reason_is_numbered", lambda: reason(2)),
    ("knowledge_reason_source_is_known", lambda: reason(source="robot")),
    ("knowledge_reason_accepted_are_votes", lambda: reason(n_accepted=6)),
]


@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        break_it()


def test_every_constraint_of_these_tables_is_tried() -> None:
    named = {constraint.name for model in MODELS for constraint in model._meta.constraints}
    assert named == {constraint for constraint, _ in REFUSED}
