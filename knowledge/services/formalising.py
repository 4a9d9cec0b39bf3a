"""Write formulas and formalisations."""

import hashlib
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from corpora.core.items import Item
from knowledge.core import formalisation as core
from knowledge.core.language import FormulaError, parse, show, signature_of
from knowledge.core.language.errors import Problem
from knowledge.models import Formalisation, Formula, KnowledgeSet
from knowledge.selectors import SetQuestion, find_question
from knowledge.services.formalising_tasks import one_at_a_time, refuse_unless_taken
from winoplatform.errors import DomainError, NotFound
from workers.models import User


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
    found = find_question(knowledge_set, question)
    if found is None or (found.is_held_back and not (by is None or by.is_curator)):
        raise NotFound("question")
    refuse_otherwise(found.item, formalisation)
    if any(formula.knowledge_set_id != knowledge_set.pk for formula in formulas):
        raise DomainError("formula_of_other_set", "A formula belongs to another knowledge set.")
    try:
        theory = core.read(formalisation, {formula.name: formula.text for formula in formulas})
    except core.Refused as refused:
        raise refusal(refused.problems) from refused
    one_at_a_time(knowledge_set)
    if not (by is None or by.is_curator or knowledge_set.formalisation_reward is None):
        refuse_unless_taken(worker=by, knowledge_set=knowledge_set, question=question)
    return _store(knowledge_set, found, formalisation, theory.fingerprint, formulas, by)


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
    found: SetQuestion,
    formalisation: core.Formalisation,
    fingerprint: str,
    formulas: Sequence[Formula],
    by: User | None,
) -> Formalisation:
    versions = knowledge_set.formalisations.filter(question=found.item.id)
    newest = versions.order_by("-number").first()
    content = formalisation.as_dict()
    made = Formalisation(
        knowledge_set=knowledge_set,
        question=found.item.id,
        number=(versions.aggregate(last=Max("number"))["last"] or 0) + 1,
        content=content,
        fingerprint=fingerprint,
        is_held_back=found.is_held_back,
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
        first.code, first.sentence, details={"problems": [one.as_dict() for one in problems]}
    )
