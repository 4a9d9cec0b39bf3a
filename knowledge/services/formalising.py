"""Formalise questions, and who may."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from corpora.core.items import Item
from knowledge.core import formalisation as core
from knowledge.core.language import FormulaError, parse, show, signature_of
from knowledge.core.language.errors import Problem
from knowledge.core.obligations import Examination, examine
from knowledge.models import Formalisation, Formula, KnowledgeSet
from knowledge.prover.shared import shared
from knowledge.selectors import SetQuestion, find_question
from knowledge.services.formalising_tasks import (
    FORMALISE,
    one_at_a_time,
    refuse_unless_may_work,
    refuse_unless_taken,
)
from panels.models import Enrolment
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, NotFound
from workers import services as workers
from workers.models import Attempt, Qualification, User


@transaction.atomic
def add_formula(*, knowledge_set: KnowledgeSet, name: str, text: str, by: User | None) -> Formula:
    """Add a formula of knowledge to a set.

    Raises
    ------
    DomainError
        With the code of the problem, when the formula cannot be read or its names do not fit.
    ValidationError
        When the set has the name or the formula already.
    """
    try:
        tree = parse(text)
        signature_of([tree])
    except FormulaError as error:
        raise refusal((error.problem,)) from error
    formula = Formula(
        knowledge_set=knowledge_set,
        name=name,
        text=text,
        shown=show(tree, reach=True),
        digest=hashlib.sha256(show(tree).encode()).hexdigest(),
        author=by,
    )
    formula.full_clean()
    formula.save()
    return formula


@transaction.atomic
def formalise(
    *,
    knowledge_set: KnowledgeSet,
    question: str,
    formalisation: core.Formalisation,
    formulas: Sequence[Formula],
    by: User | None,
) -> Formalisation:
    """Store a new version of a question's formalisation; the same again returns the newest.

    Raises
    ------
    NotFound
        When the set has no such question; also one whose label is held back, but for curators.
    DomainError
        With the code of the first problem and all problems in the details, when it is refused; or
        ``formalises_otherwise`` when its options or answer are not the question's,
        ``formula_of_other_set``, or ``question_not_taken`` for a worker of a set that pays.
    """
    set_question = find_question(knowledge_set, question)
    if set_question is None or (set_question.is_held_back and not (by is None or by.is_curator)):
        raise NotFound("question")
    refuse_otherwise(set_question.item, formalisation)
    if any(formula.knowledge_set_id != knowledge_set.pk for formula in formulas):
        raise DomainError("formula_of_other_set", "A formula belongs to another knowledge set.")
    try:
        theory = core.read(formalisation, {formula.name: formula.text for formula in formulas})
    except core.Refused as refused:
        raise refusal(refused.problems) from refused
    one_at_a_time(knowledge_set)
    if not (by is None or by.is_curator or knowledge_set.formalisation_reward is None):
        refuse_unless_taken(worker=by, knowledge_set=knowledge_set, question=question)
    return _store(knowledge_set, set_question, formalisation, theory.fingerprint, formulas, by)


@transaction.atomic
def formalise_with(
    *,
    knowledge_set: KnowledgeSet,
    question: str,
    formalisation: core.Formalisation,
    formulas: Sequence[Formula],
    new: Sequence[tuple[str, str]],
    by: User | None,
) -> Formalisation:
    """Add *new* formulas, each a name and a text, and ``formalise`` with them; or store nothing.

    Raises
    ------
    DomainError
        As ``formalise``; ``invalid`` where the set has the name or the text of a new formula.
    """
    added = []
    for name, text in new:
        try:
            added.append(add_formula(knowledge_set=knowledge_set, name=name, text=text, by=by))
        except ValidationError as error:
            why = " ".join(error.messages)
            raise DomainError("invalid", f"The new formula “{name}”: {why}") from error
    return formalise(
        knowledge_set=knowledge_set,
        question=question,
        formalisation=formalisation,
        formulas=[*formulas, *added],
        by=by,
    )


def _store(
    knowledge_set: KnowledgeSet,
    set_question: SetQuestion,
    formalisation: core.Formalisation,
    fingerprint: str,
    formulas: Sequence[Formula],
    by: User | None,
) -> Formalisation:
    versions = knowledge_set.formalisations.filter(question=set_question.item.id)
    newest = versions.order_by("-number").first()
    content = formalisation.as_dict()
    made = Formalisation(
        knowledge_set=knowledge_set,
        question=set_question.item.id,
        number=(versions.aggregate(last=Max("number"))["last"] or 0) + 1,
        content=content,
        fingerprint=fingerprint,
        is_held_back=set_question.is_held_back,
        author=by,
    )
    made.full_clean()
    if newest is not None and newest.fingerprint == fingerprint and _same(newest, formalisation):
        return newest
    made.save()
    made.formulas.set(formulas)
    return made


def _same(row: Formalisation, formalisation: core.Formalisation) -> bool:
    """Return whether words and texts are the same too, which the fingerprint leaves out."""
    return core.Formalisation.from_dict(row.content) == formalisation


def refuse_otherwise(item: Item, formalisation: core.Formalisation) -> None:
    """Refuse options or an answer that are not those of the question, in its order."""
    options = formalisation.options
    right = None if item.answer is None else item.answer - 1
    if len(options) == len(item.options) and (
        right is None or options[right] == formalisation.answer
    ):
        return
    raise DomainError(
        "formalises_otherwise",
        "Name one thing for each option of the question, in their order, and the right one as the "
        "answer.",
    )


def refusal(problems: Sequence[Problem]) -> DomainError:
    first = problems[0]
    return DomainError(
        first.code,
        first.sentence,
        details={"problems": [problem.as_dict() for problem in problems]},
    )


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
    set_question = find_question(knowledge_set, question)
    if question not in knowledge_set.exercise or set_question is None or set_question.is_held_back:
        raise NotFound("question")
    _refuse_unless_useful(worker, knowledge_set)
    refuse_otherwise(set_question.item, formalisation)
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
        raise Conflict("exercise_passed", "You may formalise this set already.")
    enrolled = Enrolment.objects.active().filter(worker=worker)
    if enrolled.filter(panel__knowledge_set__campaign=knowledge_set.campaign).exists():
        raise Conflict(
            "annotates_set",
            "You answer about sentences of this campaign, so others formalise its questions.",
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


def qualification_for(knowledge_set: KnowledgeSet, *, worker: User) -> Qualification | None:
    """Return a worker's qualification to formalise a set's questions; None before an attempt."""
    if knowledge_set.campaign is None:
        return None
    mine = Qualification.objects.filter(worker=worker, skill=FORMALISE)
    return mine.filter(scope=knowledge_set.campaign.public_id).first()


def solved(qualification: Qualification | None) -> set[str]:
    """Return the questions of the exercise that the worker has had verified."""
    right = Attempt.objects.filter(qualification=qualification, n_right=1)
    return {answers[0]["item"] for answers in right.values_list("answers", flat=True)}
