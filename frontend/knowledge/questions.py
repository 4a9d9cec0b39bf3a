"""The expert's page: one question as formulas, checked as one types, and proved."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from corpora.core.items import Item
from frontend.http import REFUSALS, PageRequest, existing, refusal_of, show, signed_in
from frontend.items import pieces_of
from frontend.knowledge.checking import about_question, checked, refused_check
from frontend.knowledge.reads import (
    STATUSES,
    answer_of,
    formulas_beside,
    formulas_of,
    newest_of,
    question_and_twins,
    question_in,
    set_for,
    status_of,
    task_of,
    twins_of,
    versions_of,
)
from frontend.knowledge.typed import FormValues, marks, texts_of
from frontend.knowledge.words import examination_in_words, proof_in_words
from knowledge import services
from knowledge.core import formalisation as core
from knowledge.core.language.errors import Problem
from knowledge.models import Formalisation, Formula, KnowledgeSet
from knowledge.selectors import lexicon_of
from winoplatform.errors import Conflict, DomainError
from workers.models import AuditEvent, User
from workers.services.audit import audits

FORMULAS_OFFERED = 200
VERSIONS = 20


@audits(AuditEvent.Kind.LABELS)
@signed_in("GET", "POST")
def question(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Show a question's formulas and their proof; POST stores a version and proves it."""
    knowledge_set = set_for(request.user, name)
    items = question_and_twins(request.user, knowledge_set, question)
    item = question_in(items, question)
    if request.method == "POST":
        return _store(request, knowledge_set, item, items)
    newest = newest_of(request.user, knowledge_set, item.id)
    version = _version(request.user, knowledge_set, item, request.GET.get("version", "")) or newest
    typed = FormValues.blank(item)
    twin = None
    if version is not None:
        typed = FormValues.from_version(version.content, version.formulas.all())
    else:
        twin = _formalised_twin(request.user, knowledge_set, item, items)
        if twin is not None:
            typed = FormValues.from_version(twin.content, twin.formulas.all())
    context = _context(request, knowledge_set, item, items, typed, newest)
    context |= {"shown": version, "copied": twin}
    if version is not None:
        proof = services.stored_proof(formalisation=version)
        context["proof"] = None if proof is None else proof_in_words(version, proof)
    return render(request, "frontend/knowledge/question.html", context)


def _version(
    user: User, knowledge_set: KnowledgeSet, item: Item, number: str
) -> Formalisation | None:
    """Return a version by its number; None if none is asked for."""
    if not (number.isascii() and number.isdecimal() and len(number) < 7):
        return None
    rows = versions_of(user, knowledge_set, item.id).prefetch_related("formulas")
    return existing(rows, _("There is no such version."), number=int(number))


def _formalised_twin(
    user: User, knowledge_set: KnowledgeSet, item: Item, items: dict[str, Item]
) -> Formalisation | None:
    """Return the newest version of a twin, whose things and scene are mostly the same."""
    for twin in twins_of(item, items):
        newest = newest_of(user, knowledge_set, twin.id)
        if newest is not None and list(twin.options) == list(item.options):
            return newest
    return None


def _context(
    request: PageRequest,
    knowledge_set: KnowledgeSet,
    item: Item,
    items: dict[str, Item],
    typed: FormValues,
    newest: Formalisation | None,
) -> dict[str, Any]:
    twins = twins_of(item, items)
    rows = versions_of(request.user, knowledge_set, item.id)
    formulas = formulas_of(request.user, knowledge_set)
    is_paid = not request.user.is_curator and knowledge_set.formalisation_reward is not None
    return about_question(knowledge_set, item, typed) | {
        "formulas": list(formulas_beside(formulas, typed.chosen, most=FORMULAS_OFFERED)),
        "newest": newest,
        "versions": list(rows.only("knowledge_set", "number", "created_at")[:VERSIONS]),
        "twins": [(twin, pieces_of(twin), answer_of(twin)) for twin in twins],
        "is_paid": is_paid,
        "task": task_of(request.user, knowledge_set, item.id) if is_paid else None,
    }


def _chosen_formulas(user: User, knowledge_set: KnowledgeSet, typed: FormValues) -> list[Formula]:
    ids = [uuid.UUID(formula_id) for formula_id in typed.chosen]
    return list(formulas_of(user, knowledge_set).filter(public_id__in=ids).order_by("name"))


def _store(
    request: PageRequest, knowledge_set: KnowledgeSet, item: Item, items: dict[str, Item]
) -> HttpResponse:
    typed = FormValues.sent(request.POST)
    formulas = _chosen_formulas(request.user, knowledge_set, typed)
    problems: Sequence[Problem] = typed.problems(item, formulas)
    refusal = None
    if not problems:
        try:
            made = _store_version(knowledge_set, item, typed, formulas, by=request.user)
        except REFUSALS as error:
            refusal = refusal_of(error)
        else:
            return _proved(request, knowledge_set, made)
    newest = newest_of(request.user, knowledge_set, item.id)
    context = _context(request, knowledge_set, item, items, typed, newest)
    context |= {
        "marks": marks(problems, texts_of(typed, item, formulas)),
        "refusal": refusal,
        "is_bound": True,
    }
    status = refusal.status if refusal is not None else 400
    return render(request, "frontend/knowledge/question.html", context, status=status)


def _store_version(
    knowledge_set: KnowledgeSet, item: Item, typed: FormValues, formulas: list[Formula], *, by: User
) -> Formalisation:
    """Store the new formulas and the version, or nothing."""
    named = enumerate(typed.new, len(formulas) + 1)
    return services.formalise_with(
        knowledge_set=knowledge_set,
        question=item.id,
        formalisation=typed.formalisation(item),
        formulas=formulas,
        new=[(new.name or f"{_slug(item.id)}-{number}", new.text) for number, new in named],
        by=by,
    )


def _slug(id: str) -> str:
    """Return the end of a question's id with only the characters of a formula's name."""
    slug = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in id)
    return slug[-40:].strip("-") or "formula"


def _proved(request: PageRequest, knowledge_set: KnowledgeSet, made: Formalisation) -> HttpResponse:
    """Prove outside of any transaction, since it takes a child process up to seconds."""
    proof = services.prove(formalisation=made)
    words = str(STATUSES[status_of(proof.verified, proof.report["undecided"])][0])
    message = _("Version %(number)d is stored: %(status)s.") % {
        "number": made.number,
        "status": words,
    }
    (messages.success if proof.verified else messages.warning)(request, message)
    address = reverse("knowledge-question", args=[knowledge_set.name, made.question])
    return redirect(f"{address}#proof")


@signed_in("POST")
def check(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Say what is wrong with the formulas as they are typed; nothing is stored."""
    if refusal := refused_check(request):
        return refusal
    knowledge_set = set_for(request.user, name)
    item = question_in(question_and_twins(request.user, knowledge_set, question), question)
    typed = FormValues.sent(request.POST)
    return checked(request, item, typed, _chosen_formulas(request.user, knowledge_set, typed))


@signed_in("POST")
def take(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Take a question to formalise for pay, or renew the time for it."""
    knowledge_set = set_for(request.user, name)
    if request.user.is_curator or knowledge_set.formalisation_reward is None:
        raise Conflict("not_paid", _("You can store formulas without taking the question."))
    try:
        services.take_question(worker=request.user, knowledge_set=knowledge_set, question=question)
    except DomainError as refusal:
        if refusal.code != "guideline_not_accepted" or knowledge_set.campaign is None:
            raise
        return redirect("join-formalise", knowledge_set.campaign.slug)
    return redirect("knowledge-question", name, question)


@signed_in("POST")
def give_back(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Return a question that one has taken."""
    knowledge_set = set_for(request.user, name)
    task = task_of(request.user, knowledge_set, question)
    if task is not None:
        services.return_question(worker=request.user, task_id=task.public_id)
    return redirect("knowledge-set", name)


@signed_in("POST")
def prove(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Prove the newest version."""
    knowledge_set = set_for(request.user, name)
    item = question_in(question_and_twins(request.user, knowledge_set, question), question)
    newest = newest_of(request.user, knowledge_set, item.id)
    if newest is None:
        raise Conflict("not_formalised", _("This question is not formalised yet."))
    return _proved(request, knowledge_set, newest)


@signed_in("POST")
def prove_pair(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Say whether the formulas of either twin resolve both, each to its own answer."""
    knowledge_set = set_for(request.user, name)
    items = question_and_twins(request.user, knowledge_set, question)
    item = question_in(items, question)
    mine = newest_of(request.user, knowledge_set, item.id)
    twins = [newest_of(request.user, knowledge_set, twin.id) for twin in twins_of(item, items)]
    other = next((twin for twin in twins if twin is not None), None)
    context: dict[str, Any] = {"set": knowledge_set, "item": item}
    if mine is not None and other is not None:
        context |= _pair(knowledge_set, mine, other)
    return show(request, "frontend/knowledge/pair.html", context, part="pair")


def _pair(knowledge_set: KnowledgeSet, mine: Formalisation, other: Formalisation) -> dict[str, Any]:
    try:
        pair = services.prove_pair(first=mine, second=other)
    except DomainError as error:
        return {"refusal": error}
    lexicon = lexicon_of(knowledge_set)
    proofs = [
        (formalisation.question, examination_in_words(result, _things(formalisation), lexicon))
        for formalisation, result in ((mine, pair.first), (other, pair.second))
    ]
    return {"is_resolved": pair.resolved, "proofs": proofs}


def _things(row: Formalisation) -> tuple[core.Thing, ...]:
    return core.Formalisation.from_dict(row.content).things
