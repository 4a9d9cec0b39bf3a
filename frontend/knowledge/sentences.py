"""Write knowledge sentences and their false versions, and list a set's pairs."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from corpora.core.items import Item
from frontend.http import (
    REFUSALS,
    PageRequest,
    curators_only,
    existing,
    refusal_of,
    show,
)
from frontend.items import pieces_of
from frontend.knowledge.forms import FalseForm
from frontend.knowledge.formulas import refusal_text
from frontend.knowledge.phrases import NAMES, TypedSentence, different, forms_of, offers_of
from frontend.knowledge.reads import (
    answer_of,
    newest_of,
    pronoun_of,
    question_and_twins,
    question_in,
    set_for,
)
from frontend.paging import page_of
from knowledge import services
from knowledge.core.slots import FORMS
from knowledge.core.statistics import PUBLISHED, mean_likeness
from knowledge.models import Formalisation, Formula, KnowledgeSet, Sentence
from knowledge.selectors import find_question
from winoplatform.errors import Conflict, DomainError
from workers.models import AuditEvent
from workers.services.audit import audits

PAIRS = 25


@audits(AuditEvent.Kind.LABELS)
@curators_only()
def sentences(request: PageRequest, name: str) -> HttpResponse:
    """List the pairs of a set, newest first, and how alike their sentences are."""
    knowledge_set = set_for(request.user, name)
    rows = knowledge_set.sentences.filter(of=None).select_related("false_version", "formula")
    page = page_of(rows.select_related("formalisation"), request, parameter="before", size=PAIRS)
    context = {
        "set": knowledge_set,
        "page": page,
        "rows": [_pair(row) for row in page.rows],
        "likeness": _likeness(knowledge_set),
        "n": rows.count(),
        "n_pairs": rows.filter(false_version__isnull=False).count(),
    }
    return render(request, "frontend/knowledge/sentences.html", context)


def _pair(row: Sentence) -> dict[str, Any]:
    false = getattr(row, "false_version", None)
    pieces = different(row.text, false.text) if false is not None else []
    return {"row": row, "true": row.text_in("variable"), "false": false, "pieces": pieces}


def _likeness(knowledge_set: KnowledgeSet) -> list[tuple[Any, Any, Any]]:
    """Return Table 1 of a set, each form beside the published figures."""
    rows = knowledge_set.sentences.filter(false_version__isnull=False).select_related(
        "false_version"
    )
    pairs = list(rows)
    return [
        (
            NAMES[form],
            mean_likeness((row.text_in(form), row.false_version.text_in(form)) for row in pairs),
            PUBLISHED[form],
        )
        for form in FORMS
    ]


@audits(AuditEvent.Kind.LABELS)
@curators_only("GET", "POST")
def write(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Write the true sentence of a question; GET drafts it from a formula by the lexicon."""
    knowledge_set = set_for(request.user, name)
    item = question_in(question_and_twins(request.user, knowledge_set, question), question)
    newest = newest_of(request.user, knowledge_set, item.id)
    if newest is None:
        raise Conflict("not_formalised", _("Write this question as formulas first."))
    sent = request.POST if request.method == "POST" else request.GET
    formulas = list(newest.formulas.all())
    formula = next((row for row in formulas if str(row.public_id) == sent.get("formula")), None)
    context: dict[str, Any] = {
        "set": knowledge_set,
        "item": item,
        "newest": newest,
        "formulas": formulas,
        "formula": formula,
    }
    if request.method == "POST":
        return _store(request, context)
    typed = TypedSentence("", {})
    if formula is not None:
        typed = _draft(newest, formula, context)
    return _form(request, context, typed)


def _draft(newest: Formalisation, formula: Formula, context: dict[str, Any]) -> TypedSentence:
    try:
        text, mentions = services.draft(formalisation=newest, formula=formula)
    except DomainError as error:
        context["missing"] = error.details.get("missing", [])
        context["refusal"] = error
        return TypedSentence("", {})
    return TypedSentence(text, mentions)


def _store(request: PageRequest, context: dict[str, Any]) -> HttpResponse:
    typed = TypedSentence.sent(request.POST)
    if "preview" in request.POST:
        return _form(request, context, typed)
    try:
        made = services.write_sentence(
            knowledge_set=context["set"],
            formalisation=context["newest"],
            formula=context["formula"],
            text=typed.text,
            mentions=typed.used_mentions,
            by=request.user,
        )
    except REFUSALS as error:
        refusal = refusal_of(error)
        return _form(request, context | {"refusal": refusal}, typed, status=refusal.status)
    return redirect("knowledge-sentence", context["set"].name, made.public_id)


def _form(
    request: PageRequest, context: dict[str, Any], typed: TypedSentence, *, status: int = 200
) -> HttpResponse:
    item: Item = context["item"]
    context |= {
        "typed": typed,
        "preview": typed.preview(item) if typed.text else None,
        **_about(item),
    }
    return render(request, "frontend/knowledge/write.html", context, status=status)


def _about(item: Item) -> dict[str, Any]:
    return {"pieces": pieces_of(item), "answer": answer_of(item), "pronoun": pronoun_of(item)}


@curators_only("POST")
def preview(request: PageRequest, name: str, question: str) -> HttpResponse:
    """Show a text in its three forms as it is typed; nothing is stored."""
    knowledge_set = set_for(request.user, name)
    item = question_in(question_and_twins(request.user, knowledge_set, question), question)
    typed = TypedSentence.sent(request.POST)
    context = {
        "item": item,
        "typed": typed,
        "preview": typed.preview(item) if typed.text else None,
        # Typing a noun phrase leaves its field alone.
        "with_rows": request.htmx.trigger_name == "text",
    }
    return render(request, "frontend/knowledge/preview.html", context)


def _find(request: PageRequest, name: str, sentence_id: uuid.UUID) -> Sentence:
    knowledge_set = set_for(request.user, name)
    rows = Sentence.objects.visible_to(request.user).filter(knowledge_set=knowledge_set, of=None)
    rows = rows.select_related(
        "knowledge_set", "formalisation__knowledge_set", "formula", "author", "false_version"
    )
    return existing(rows, _("There is no such sentence."), public_id=sentence_id)


@audits(AuditEvent.Kind.LABELS)
@curators_only("GET", "POST")
def sentence(request: PageRequest, name: str, sentence_id: uuid.UUID) -> HttpResponse:
    """Show a true sentence beside its false version; POST stores a false version."""
    row = _find(request, name, sentence_id)
    form = FalseForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            services.write_false_version(of=row, by=request.user, **form.cleaned_data)
        except REFUSALS as error:
            form.add_error(None, refusal_text(refusal_of(error)))
        else:
            messages.success(request, _("The false version is stored."))
            return redirect("knowledge-sentence", name, sentence_id)
    return _page(request, row, form)


def _page(request: PageRequest, row: Sentence, form: FalseForm) -> HttpResponse:
    false = getattr(row, "false_version", None)
    question = find_question(row.knowledge_set, row.formalisation.question)
    item = None if question is None else question.item
    context = {
        "set": row.knowledge_set,
        "row": row,
        "forms": forms_of(row),
        "false": false,
        "false_forms": forms_of(false) if false is not None else (),
        "false_pieces": different(row.text, false.text) if false is not None else [],
        "is_frozen": row.knowledge_set.panel_id is not None,
        "item": item,
        "form": form,
        **({} if item is None else _about(item)),
    }
    status = 400 if form.is_bound else 200
    return render(request, "frontend/knowledge/sentence.html", context, status=status)


@curators_only()
def offers(request: PageRequest, name: str, sentence_id: uuid.UUID) -> HttpResponse:
    """Show the false versions made from the formula, those that pick the other option first."""
    row = _find(request, name, sentence_id)
    context: dict[str, Any] = {"set": row.knowledge_set, "row": row}
    if row.formula is not None:
        context["found"] = offers_of(row)
    return show(request, "frontend/knowledge/offers_page.html", context, part="offers")


@curators_only("POST")
def delete(request: PageRequest, name: str, sentence_id: uuid.UUID) -> HttpResponse:
    """Delete a sentence with its false version, before the validation begins."""
    row = _find(request, name, sentence_id)
    try:
        services.delete_sentence(sentence=row)
    except REFUSALS as error:
        messages.warning(request, refusal_of(error).message)
        return redirect("knowledge-sentence", name, sentence_id)
    messages.success(request, _("The sentence was deleted."))
    return redirect("knowledge-sentences", name)
