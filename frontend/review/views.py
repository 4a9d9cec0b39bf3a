"""The review queue: contested questions, one at a time, and the exclusion of votes."""

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from collection.models import Campaign, Question
from collection.selectors.known_people import known_worker
from frontend.findings import answer_of, audit_log_lines, reason_names, verdict_words
from frontend.forms import ReasonForm
from frontend.http import REVIEW, PageRequest, curators_only, existing
from frontend.lookups import campaign_for
from frontend.paging import place_page_of
from frontend.review import forms
from frontend.review.reads import MODELS, filtered, own_answer, own_words
from validation.models import Case, Vote
from validation.selectors.case_detail import WITH_ALL, case_detail
from validation.selectors.review_queue import next_case, position_in, queue_rows
from validation.services.quality import see_to_report
from validation.services.review.adjudication import (
    GIVEN_BY_CURATORS,
    ask_one_more,
    decide_question,
    look_at_reports,
    one_more_refusal,
    reopen,
)
from validation.services.review.bulk import confirm_verdicts
from validation.services.review.exclusions import exclude, exclude_all, restore
from validation.services.review.returns import return_for_revision
from validation.services.review.swaps import swap_answers
from validation.services.verdicts.questions import revisions_of
from winoplatform.errors import DomainError
from workers.models import AuditEvent
from workers.services.audit import audits

CASES = 30
DONE = {
    forms.VALID: later("Your decision is saved: the question is valid."),
    forms.INVALID: later("Your decision is saved: the question is not valid."),
    forms.ONE_MORE: later("Another vote was requested."),
    forms.BACK: later("The twin was returned for revision."),
    forms.REOPEN: later("The question is again decided by its votes."),
    forms.SWAP: later("The two answers were swapped. The votes decide both questions again."),
    forms.LOOKED_AT: later("The reports are marked as seen. The verdict did not change."),
}


@audits(AuditEvent.Kind.LABELS)
@curators_only("GET", "POST", needs=REVIEW)
def review_queue(request: PageRequest, slug: str) -> HttpResponse:
    """List a campaign's contested questions, by priority; POST confirms those shown."""
    campaign = campaign_for(request.user, slug)
    form = forms.ReviewFilterForm(request.GET, names=reason_names())
    chosen = form.filters()
    if request.method == "POST":
        return _confirm(request, campaign, chosen)
    report = see_to_report(campaign=campaign)
    page = place_page_of(filtered(campaign, chosen), request, parameter="after", size=CASES)
    revisions = revisions_of([case.question_id for case in page.rows])
    rows = [
        (
            row,
            verdict_words(getattr(row.case.question, "verdict", None)),
            revisions[row.case.question_id],
        )
        for row in queue_rows(page.rows, report=report)
    ]
    context = {
        "campaign": campaign,
        "form": form,
        "page": page,
        "rows": rows,
        "is_filtered": bool(chosen),
        "query": urlencode(chosen),
        "n_cases": filtered(campaign, chosen).count(),
        "n_verdicts": sum(hasattr(row.case.question, "verdict") for row, *_rest in rows),
    }
    return render(request, "frontend/review/review_queue.html", context)


def _confirm(request: PageRequest, campaign: Campaign, chosen: dict[str, str]) -> HttpResponse:
    """Confirm the verdicts of the questions shown that belong to *campaign*."""
    revisions = forms.shown_revisions(request.POST.getlist("shown")[:CASES])
    here = Question.objects.in_campaign(campaign).filter(public_id__in=revisions)
    ours = {name: revisions[name] for name in here.values_list("public_id", flat=True)}
    result = confirm_verdicts(shown=ours, by=request.user)
    done = ngettext("%(n)d verdict was confirmed.", "%(n)d verdicts were confirmed.", result.done)
    messages.success(request, done % {"n": result.done})
    if result.left:
        left = ngettext(
            "%(n)d question was left: it changed in the meantime, or has no verdict.",
            "%(n)d questions were left: they changed in the meantime, or have no verdict.",
            result.left,
        )
        messages.warning(request, left % {"n": result.left})
    return redirect(reverse("review-queue", args=[campaign.slug], query=chosen or None))


@audits(AuditEvent.Kind.LABELS)
@curators_only("GET", "POST", needs=REVIEW)
def question(request: PageRequest, slug: str, question_id: str) -> HttpResponse:
    """Show one question with all data about its verdict; POST performs the button's action."""
    campaign = campaign_for(request.user, slug)
    row = _question(campaign, question_id)
    if request.method == "GET":
        chosen = _list_filters(request)
        if chosen.get("answer") == forms.AFTERWARDS and own_answer(request.GET) is None:
            return _ask_first(request, campaign, row, chosen)
        return _show(request, campaign, row, forms.DecisionForm())
    form = forms.DecisionForm(request.POST)
    if not form.is_valid():
        return _show(request, campaign, row, form, status=400)
    case: Case | None = getattr(row, "case", None)
    try:
        _do(request, row, form.cleaned_data)
    except DomainError as refusal:
        beside = form.refuse(refusal)
        return _show(
            request,
            campaign,
            row,
            form,
            refusal=None if beside else refusal,
            status=refusal.status,
        )
    messages.success(request, DONE[form.cleaned_data["outcome"]])
    if form.cleaned_data["outcome"] == forms.SWAP:
        return redirect(request.get_full_path())
    return redirect(_next(request, campaign, case))


def _question(campaign: Campaign, question_id: str) -> Question:
    return existing(
        WITH_ALL,
        _("There is no such question in this campaign."),
        twin__campaign=campaign,
        public_id=question_id,
    )


def _do(request: PageRequest, question: Question, values: dict[str, Any]) -> None:
    change: dict[str, Any] = {
        "question_id": question.public_id,
        "revision": values["revision"],
        "note": values["note"],
        "by": request.user,
    }
    if values["outcome"] in (forms.VALID, forms.INVALID):
        is_valid = values["outcome"] == forms.VALID
        decide_question(valid=is_valid, reasons=values["reasons"], **change)
    else:
        others = {
            forms.ONE_MORE: ask_one_more,
            forms.BACK: return_for_revision,
            forms.REOPEN: reopen,
            forms.LOOKED_AT: look_at_reports,
            forms.SWAP: swap_answers,
        }
        others[values["outcome"]](**change)


def _list_filters(request: PageRequest) -> dict[str, str]:
    """Return the filters of the list that a question was opened from, which its address keeps."""
    return forms.ReviewFilterForm(request.GET, names=reason_names()).filters()


def _next(request: PageRequest, campaign: Campaign, case: Case | None) -> str:
    """Return the address of the next case of the list, or of the list if there is none."""
    chosen = _list_filters(request)
    listed = filtered(campaign, chosen)
    following = (next_case(listed, after=case) if case else None) or listed.first()
    if following is None or (case is not None and following.pk == case.pk):
        return reverse("review-queue", args=[campaign.slug], query=chosen or None)
    return reverse(
        "review-question",
        args=[campaign.slug, following.question.public_id],
        query=chosen or None,
    )


def _ask_first(
    request: PageRequest, campaign: Campaign, question: Question, chosen: dict[str, str]
) -> HttpResponse:
    """Ask the curator for an answer before the page shows the author's and the votes."""
    context = {
        "campaign": campaign,
        "question": question,
        "options": list(enumerate(question.twin.options, 1)),
        "filters": chosen,
        "query": urlencode(chosen),
        "position": position_in(filtered(campaign, chosen), getattr(question, "case", None)),
    }
    return render(request, "frontend/review/ask_first.html", context)


def _show(
    request: PageRequest,
    campaign: Campaign,
    question: Question,
    form: forms.DecisionForm,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    seen = _question(campaign, question.public_id) if refusal else question
    detail = case_detail(seen, report=see_to_report(campaign=campaign))
    verdict = getattr(detail.question, "verdict", None)
    is_public = detail.question.is_public  # type: ignore[attr-defined]  # annotated in WITH_ALL
    codes = reason_names()
    chosen = _list_filters(request)
    context = {
        "campaign": campaign,
        "query": urlencode(chosen),
        "position": position_in(filtered(campaign, chosen), detail.case),
        "found": detail,
        "models": MODELS,
        "twin": detail.question.twin,
        "answer": answer_of(detail.question),
        "own": own_words(detail.question, own_answer(request.GET)),
        "other_answer": answer_of(detail.sibling.question) if detail.sibling else "",
        "other_words": verdict_words(getattr(detail.sibling.question, "verdict", None))
        if detail.sibling
        else None,
        "may_be_gold": not is_public and _may_be_gold(detail.question),
        "no_more_votes": one_more_refusal(campaign, is_public=is_public, n_seats=detail.n_seats),
        "verdict": verdict,
        "words": verdict_words(verdict),
        "audit_log": audit_log_lines(detail.audit_log),
        "form": form,
        "chosen": form.data.getlist("reasons") if form.is_bound else [],  # type: ignore[attr-defined]
        "reasons": [(code.value, codes[code.value]) for code in GIVEN_BY_CURATORS],
        "refusal": refusal,
    }
    return render(request, "frontend/review/question.html", context, status=status)


def _may_be_gold(question: Question) -> bool:
    """Return whether a question that is not public can be used as gold."""
    verdict = getattr(question, "verdict", None)
    gold = getattr(question, "gold", None)
    if verdict is None or not verdict.valid:
        return False
    return gold is None or gold.retired_at is not None


@curators_only("POST", needs=REVIEW)
def exclude_vote(request: PageRequest, slug: str, vote_id: uuid.UUID) -> HttpResponse:
    """Exclude a vote; its worker gets a notice with the reason and keeps the pay."""
    return _change_vote(request, slug, vote_id, done=_("The vote was excluded. It stays paid."))


@curators_only("POST", needs=REVIEW)
def restore_vote(request: PageRequest, slug: str, vote_id: uuid.UUID) -> HttpResponse:
    """Restore an excluded vote."""
    return _change_vote(request, slug, vote_id, done=_("The vote was restored."), back=True)


def _change_vote(
    request: PageRequest, slug: str, vote_id: uuid.UUID, *, done: str, back: bool = False
) -> HttpResponse:
    campaign = campaign_for(request.user, slug)
    votes = Vote.objects.filter(seat__campaign=campaign).select_related("question")
    vote = existing(votes, _("There is no such vote in this campaign."), public_id=vote_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.warning(request, str(form.errors["reason"][0]))
    else:
        change = restore if back else exclude
        change(vote_id=vote_id, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, done)
    return redirect("review-question", slug, vote.question.public_id)


@curators_only("GET", "POST", needs=REVIEW)
def exclude_work(request: PageRequest, slug: str, public_id: str) -> HttpResponse:
    """Exclude the votes of one worker in a campaign since a time."""
    campaign, worker = campaign_for(request.user, slug), known_worker(request.user, public_id)
    form = forms.ExcludeWorkForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        done = exclude_all(worker=worker, campaign=campaign, by=request.user, **form.cleaned_data)
        excluded = ngettext("%(n)d vote was excluded.", "%(n)d votes were excluded.", done.done)
        messages.success(request, excluded % {"n": done.done})
        if not done.left:
            return redirect("exclude-work", slug, public_id)
        left = ngettext(
            "%(n)d more vote is left. Submit the form again.",
            "%(n)d more votes are left. Submit the form again.",
            done.left,
        )
        messages.warning(request, left % {"n": done.left})
    mine = Vote.objects.filter(worker=worker, seat__campaign=campaign)
    context = {
        "campaign": campaign,
        "worker": worker,
        "form": form,
        "n_votes": mine.count(),
        "n_excluded": mine.filter(excluded_at__isnull=False).count(),
    }
    status = 400 if form.is_bound and not form.is_valid() else 200
    return render(request, "frontend/review/exclude.html", context, status=status)
