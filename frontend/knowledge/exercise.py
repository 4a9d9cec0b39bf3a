"""The exercise for workers who want to formalise: its questions, and one of them."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from corpora.core.items import Item
from frontend.http import REFUSALS, PageRequest, blind_only, existing, refusal_of
from frontend.items import pieces_of
from frontend.knowledge.checking import about_question, checked, refused_check
from frontend.knowledge.reads import question_in
from frontend.knowledge.typed import FormValues, marks, texts_of
from frontend.knowledge.words import examination_in_words
from knowledge.core.phrasing import Lexicon
from knowledge.models import KnowledgeSet
from knowledge.selectors import questions_for_people
from knowledge.services.formalising import qualification_for, solved, submit_exercise
from workers.models import User


def _set(user: User, name: str) -> KnowledgeSet:
    """Return a set with an exercise that *user* may take."""
    rows = KnowledgeSet.objects.visible_to(user).select_related("campaign")
    rows = rows.filter(formalisation_reward__isnull=False, campaign__isnull=False)
    knowledge_set = existing(rows, _("There is no such exercise."), name=name)
    if not knowledge_set.exercise:
        raise Http404(_("There is no such exercise."))
    return knowledge_set


@blind_only()
def exercise(request: PageRequest, name: str) -> HttpResponse:
    """List the questions of the exercise, and which are solved."""
    found = _set(request.user, name)
    qualification = qualification_for(found, worker=request.user)
    done = solved(qualification)
    items = questions_for_people(found, found.exercise)
    context = {
        "set": found,
        "qualification": qualification,
        "rows": [
            (items[id], pieces_of(items[id]), id in done) for id in found.exercise if id in items
        ],
    }
    return render(request, "frontend/knowledge/exercise.html", context)


@blind_only("GET", "POST")
def attempt(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Formalise one question of the exercise; only whether it is verified is stored."""
    is_check = request.method == "POST" and bool(request.htmx)
    if is_check and (refusal := refused_check(request)):
        return refusal
    knowledge_set = _set(request.user, name)
    questions = {question}.intersection(knowledge_set.exercise)
    item = question_in(questions_for_people(knowledge_set, questions), question)
    if is_check:  # this is no attempt
        return checked(request, item, FormValues.sent(request.POST), [])
    if request.method == "POST":
        return _submit(request, knowledge_set, item)
    return _page(request, knowledge_set, item, FormValues.blank(item), {})


def _submit(request: PageRequest, knowledge_set: KnowledgeSet, item: Item) -> HttpResponse:
    typed = FormValues.sent(request.POST)
    problems = typed.problems(item, [])
    context: dict[str, Any] = {"is_bound": True}
    if problems:
        context["marks"] = marks(problems, texts_of(typed, item, []))
        return _page(request, knowledge_set, item, typed, context, status=400)
    try:
        mark = submit_exercise(
            worker=request.user,
            knowledge_set=knowledge_set,
            question=item.id,
            formalisation=typed.formalisation(item),
            knowledge={formula.name or _("new"): formula.text for formula in typed.new},
        )
    except REFUSALS as error:
        context["refusal"] = refusal_of(error)
        return _page(request, knowledge_set, item, typed, context, status=context["refusal"].status)
    things = typed.formalisation(item).things
    context["proof"] = examination_in_words(mark.examination, things, Lexicon({}, {}))
    context["qualification"] = mark.qualification
    return _page(request, knowledge_set, item, typed, context)


def _page(
    request: PageRequest,
    knowledge_set: KnowledgeSet,
    item: Item,
    typed: FormValues,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    none: Sequence[Any] = ()
    page = {"is_exercise": True, "formulas": none, "twins": none, "versions": none}
    page |= about_question(knowledge_set, item, typed) | context
    return render(request, "frontend/knowledge/question.html", page, status=status)
