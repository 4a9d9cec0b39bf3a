"""How workers take questions to formalise, renew and return them."""

import uuid
from datetime import datetime, timedelta

from django.db import transaction

from collection.models import Campaign
from collection.services.campaigns import budget, campaigns
from collection.services.joining.access import eligibility
from collection.services.writing.assignments import one_at_a_time as one_writer_at_a_time
from knowledge.models import FormalisingTask, KnowledgeSet, Proof
from knowledge.selectors import find_question
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, NotFound
from workers.models import Qualification, User

FORMALISE = Qualification.Skill.FORMALISE


def one_at_a_time(knowledge_set: KnowledgeSet) -> None:
    """Wait for others who take a question or store a version of one."""
    KnowledgeSet.objects.select_for_update().get(pk=knowledge_set.pk)


@transaction.atomic
def take_question(*, worker: User, knowledge_set: KnowledgeSet, question: str) -> FormalisingTask:
    """Lease a question to *worker* and reserve its pay; again, it renews the lease.

    Raises
    ------
    NotFound
        When the set has no such question, or its label is held back.
    DomainError
        ``not_qualified``, ``not_asked`` if the set asks nobody to formalise, what
        ``refuse_unless_may_work`` raises, ``question_verified``, ``question_taken``,
        ``another_question_taken`` or ``budget_exhausted``.
    """
    one_writer_at_a_time(worker)
    if not KnowledgeSet.objects.formalised_by(worker).filter(pk=knowledge_set.pk).exists():
        raise DomainError(
            "not_qualified", "Pass the exercise of this set before you formalise.", status=403
        )
    if knowledge_set.formalisation_reward is None:
        raise Conflict("not_asked", "This set asks nobody to formalise questions for pay.")
    campaign = refuse_unless_may_work(worker, knowledge_set)
    set_question = find_question(knowledge_set, question)
    if set_question is None or set_question.is_held_back:
        raise NotFound("question")
    one_at_a_time(knowledge_set)
    now = clock.now()
    _refuse_unless_free(worker, knowledge_set, question, now)
    with budget.within(campaign):
        return _lease(worker, knowledge_set, question, campaign, now)


def refuse_unless_may_work(worker: User, knowledge_set: KnowledgeSet) -> Campaign:
    """Return the campaign that pays, if *worker* may begin work in it now.

    Raises
    ------
    DomainError
        ``no_campaign``, ``campaign_not_open``, or what bars a worker of the campaign:
        ``worker_paused``, ``guideline_not_accepted``, ``exercise_failed``, ``session_over``.
    """
    campaign = knowledge_set.campaign
    if campaign is None:
        raise Conflict("no_campaign", "No campaign pays for work on this set.")
    campaigns.refuse_unless_open(campaign)
    for barred in eligibility(worker, campaign, skill=FORMALISE).refusals:
        if barred.code != "budget_exhausted":  # which is for a reservation to find
            raise barred
    return campaign


def _refuse_unless_free(
    worker: User, knowledge_set: KnowledgeSet, question: str, now: datetime
) -> None:
    tasks = FormalisingTask.objects.filter(knowledge_set=knowledge_set)
    if tasks.filter(question=question, verified_at__isnull=False).exists() or _is_verified(
        knowledge_set, question
    ):
        raise Conflict("question_verified", "This question is formalised already. Take another.")
    held = tasks.held(now=now)
    if held.filter(question=question).exclude(worker=worker).exists():
        raise Conflict("question_taken", "Another worker has taken this question. Take another.")
    if held.filter(worker=worker).exclude(question=question).exists():
        raise Conflict(
            "another_question_taken",
            "You have taken another question of this set. Formalise or return it first.",
        )


def _is_verified(knowledge_set: KnowledgeSet, question: str) -> bool:
    newest = knowledge_set.formalisations.filter(question=question).order_by("-number").first()
    if newest is None:
        return False
    return Proof.objects.filter(fingerprint=newest.fingerprint, verified=True).exists()


def _lease(
    worker: User, knowledge_set: KnowledgeSet, question: str, campaign: Campaign, now: datetime
) -> FormalisingTask:
    reward = knowledge_set.formalisation_reward
    assert reward is not None  # refused before
    until = now + timedelta(minutes=campaign.assignment_minutes)
    task, _made = FormalisingTask.objects.update_or_create(
        knowledge_set=knowledge_set,
        question=question,
        worker=worker,
        defaults={"leased_until": until},
        create_defaults={"leased_until": until, "reward": reward},
    )
    return task


def refuse_unless_taken(*, worker: User, knowledge_set: KnowledgeSet, question: str) -> None:
    """Refuse a version by a worker who has not taken the question, or whose time is over.

    Raises
    ------
    DomainError
        ``question_not_taken``.
    """
    held = FormalisingTask.objects.held(now=clock.now())
    if not held.filter(worker=worker, knowledge_set=knowledge_set, question=question).exists():
        raise Conflict(
            "question_not_taken",
            "Take this question first: your time for it is over, or its formalisation is verified.",
        )


@transaction.atomic
def return_question(*, worker: User, task_id: uuid.UUID) -> None:
    """Return a question, so that others may take it; twice is the same as once."""
    now = clock.now()
    held = FormalisingTask.objects.held(now=now).filter(worker=worker, public_id=task_id)
    held.update(leased_until=now)


def free_questions_of(*, worker: User, campaign: Campaign | None) -> None:
    """Free the questions of a worker who has left a campaign, or all."""
    now = clock.now()
    held = FormalisingTask.objects.held(now=now).filter(worker=worker)
    held = held if campaign is None else held.filter(knowledge_set__campaign=campaign)
    held.update(leased_until=now)
