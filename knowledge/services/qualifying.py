"""The exercise for workers who want to formalise, which the prover marks."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from knowledge.core import formalisation as core
from knowledge.core.obligations import Examination, examine
from knowledge.models import KnowledgeSet
from knowledge.prover.shared import shared
from knowledge.selectors import find_question
from knowledge.services.formalising import refusal, refuse_otherwise
from knowledge.services.formalising_tasks import FORMALISE, refuse_unless_may_work
from panels.models import Enrolment
from winoplatform import clock
from winoplatform.errors import DomainError, NotFound
from workers import services as workers
from workers.models import Attempt, Qualification, User

MOST_ATTEMPTS = 100
"""Of one worker: each takes the prover, and is stored."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What the prover found in one attempt, and the qualification after it."""

    examination: Examination
    qualification: Qualification


def submit_exercise(
    *,
    worker: User,
    knowledge_set: KnowledgeSet,
    question: str,
    formalisation: core.Formalisation,
    knowledge: Mapping[str, str],
) -> Mark:
    """Prove a worker's formalisation of one question of the exercise; nothing of it is stored.

    Whoever has each question of the exercise verified once is qualified for the campaign.
    It takes a child process up to a few seconds, outside of any transaction.

    Parameters
    ----------
    knowledge
        Name → formula.

    Raises
    ------
    NotFound
        When the question is not in the set's exercise.
    DomainError
        What ``refuse_unless_may_work`` raises, ``exercise_passed``, ``annotates_set``,
        ``formalises_otherwise``, or the code of the first problem of the formalisation.
    """
    campaign = refuse_unless_may_work(worker, knowledge_set)
    found = find_question(knowledge_set, question)
    if question not in knowledge_set.exercise or found is None or found.is_held_back:
        raise NotFound("question")
    _refuse_unless_useful(worker, knowledge_set)
    refuse_otherwise(found.item, formalisation)
    try:
        theory = core.read(formalisation, knowledge)
    except core.Refused as refused:
        raise refusal(refused.problems) from refused
    examination = examine(theory, shared())
    with transaction.atomic():
        qualification = workers.locked_qualification(
            worker=worker, scope=campaign.public_id, skill=FORMALISE
        ) or workers.begin_qualification(
            worker=worker, scope=campaign.public_id, skill=FORMALISE, now=clock.now()
        )
        if qualification.status == Qualification.Status.STARTED:
            _note(qualification, knowledge_set, question, examination)
    return Mark(examination, qualification)


def _refuse_unless_useful(worker: User, knowledge_set: KnowledgeSet) -> None:
    """Refuse who is qualified, and who answers about sentences: formulas would tell the labels."""
    if KnowledgeSet.objects.formalised_by(worker).filter(pk=knowledge_set.pk).exists():
        raise DomainError("exercise_passed", "You may formalise this set already.", status=409)
    enrolled = Enrolment.objects.active().filter(worker=worker)
    if enrolled.filter(panel__knowledge_set__campaign=knowledge_set.campaign).exists():
        raise DomainError(
            "annotates_set",
            "You answer about sentences of this campaign, so others formalise its questions.",
            status=409,
        )


def _note(
    qualification: Qualification,
    knowledge_set: KnowledgeSet,
    question: str,
    examination: Examination,
) -> None:
    """Store an attempt, and decide the qualification if it is complete."""
    now, number = clock.now(), qualification.attempts.count() + 1
    workers.store_attempt(
        qualification,
        number=number,
        answers=[{"item": question, "choice": int(examination.verified)}],
        n_right=int(examination.verified),
        now=now,
    )
    if solved(qualification).issuperset(knowledge_set.exercise):
        status = Qualification.Status.PASSED
    elif number >= MOST_ATTEMPTS:
        status = Qualification.Status.FAILED
    else:
        return
    workers.decide_qualification(qualification, status=status, now=now)


def solved(qualification: Qualification | None) -> set[str]:
    """Return the questions of the exercise that the worker has had verified."""
    right = Attempt.objects.filter(qualification=qualification, n_right=1)
    return {answers[0]["item"] for answers in right.values_list("answers", flat=True)}
