"""The page of one question with its whole history."""

import uuid
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Campaign, Question
from evaluation.selectors.question_history import WITH_ALL, history_of, model_answers
from frontend.data.words import STATE_LOOKS, STATE_NAMES
from frontend.findings import answer_of, audit_log_lines, reason_name, verdict_words
from frontend.http import (
    READERS,
    REFUSALS,
    PageRequest,
    curators_only,
    existing,
    refusal_of,
)
from frontend.lookups import campaign_for, rights_here
from validation.models import QuestionComment
from validation.selectors import QuestionState
from validation.services.review.shared import add_comment, delete_comment
from winoplatform.errors import DomainError
from winoplatform.http.rights import Right
from workers.models import AuditEvent
from workers.services.audit import audits


class CommentForm(forms.Form):
    """A comment on a question."""

    public_id = forms.UUIDField(initial=uuid.uuid4, widget=forms.HiddenInput)
    text = forms.CharField(
        label=later("Comment"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=later("Members of the campaign read it. Workers do not."),
    )


@dataclass(frozen=True, slots=True)
class Preview:
    """A question beside the list: its text, votes and comments."""

    question: Any
    look: str
    state: Any
    answer: str
    reasons: list[str]
    words: Any
    comments: list[QuestionComment]
    form: CommentForm
    may_decide: bool


@audits(AuditEvent.Kind.LABELS)
@curators_only()
def question(request: PageRequest, slug: str, question_id: str) -> HttpResponse:
    """Show one question: text, comments, votes, decisions, pay, and where it is used."""
    campaign = campaign_for(request.user, slug)
    row: Any = _question(campaign, question_id)
    history = history_of(row)
    shows_answers = request.GET.get("answers") == "1"
    state = QuestionState(row.facts.state)
    context = {
        "campaign": campaign,
        "question": row,
        "twin": row.twin,
        "history": history,
        "look": STATE_LOOKS[state],
        "state": STATE_NAMES[state],
        "answer": answer_of(row),
        "other_answer": answer_of(history.sibling) if history.sibling else "",
        "words": verdict_words(getattr(row, "verdict", None)),
        "reasons": [reason_name(code) for code in row.facts.reasons],
        "gold": getattr(row, "gold", None),
        "returned": getattr(row.twin, "returned", None),
        "events": audit_log_lines(history.events),
        "shows_answers": shows_answers,
        "model_answers": model_answers(row, history) if shows_answers else [],
        "comments": row.comments.select_related("by"),
        "form": CommentForm(),
        "may_decide": _may_decide(request, campaign, state),
        "back": list_of(campaign.slug, request.GET.get("view", "")),
        "of_list": "?" + urlencode({"view": request.GET.get("view", "")}),
    }
    return render(request, "frontend/data/question.html", context)


def _question(campaign: Campaign, question_id: str) -> Question:
    return existing(
        WITH_ALL,
        _("There is no such question in this campaign."),
        twin__campaign=campaign,
        public_id=question_id,
    )


def preview_of(request: PageRequest, campaign: Campaign, question_id: str) -> Preview:
    """Return what the list's page shows of a question."""
    row: Any = _question(campaign, question_id)
    state = QuestionState(row.facts.state)
    return Preview(
        question=row,
        look=STATE_LOOKS[state],
        state=STATE_NAMES[state],
        answer=answer_of(row),
        reasons=[reason_name(code) for code in row.facts.reasons],
        words=verdict_words(getattr(row, "verdict", None)),
        comments=list(row.comments.select_related("by")),
        form=CommentForm(),
        may_decide=_may_decide(request, campaign, state),
    )


def _may_decide(request: PageRequest, campaign: Campaign, state: QuestionState) -> bool:
    is_open = state not in (QuestionState.PUBLISHED, QuestionState.WITHDRAWN)
    return is_open and Right.DECIDE in rights_here(request, campaign)


@curators_only("POST", needs=READERS)
def comment(request: PageRequest, slug: str, question_id: str) -> HttpResponse:
    """Add a comment, and show the question with it."""
    campaign = campaign_for(request.user, slug)
    row = _question(campaign, question_id)
    form = CommentForm(request.POST)
    try:
        if not form.is_valid():
            [errors, *_others] = form.errors.values()
            raise DomainError("invalid", str(errors[0]))
        data = form.cleaned_data
        add_comment(question=row, text=data["text"], key=data["public_id"], by=request.user)
    except REFUSALS as error:
        # Not the page again: only what a GET shows of labels is recorded.
        raise refusal_of(error) from error
    return _back(request, slug, question_id)


@curators_only("POST", needs=READERS)
def delete_own_comment(request: PageRequest, slug: str, comment_id: uuid.UUID) -> HttpResponse:
    """Delete a comment of the user's."""
    campaign = campaign_for(request.user, slug)
    row = delete_comment(comment_id=comment_id, campaign=campaign, by=request.user)
    messages.success(request, _("Your comment is deleted."))
    return _back(request, slug, row.public_id)


def _back(request: PageRequest, slug: str, question_id: str) -> HttpResponse:
    """Lead back to the comments where they were written: on the list's page, or the question's."""
    view = request.GET.get("view", "")
    if request.GET.get("show") == "1":
        shown = "&".join(part for part in (view, f"show={question_id}") if part)
        return redirect(f"{list_of(slug, shown)}#preview")
    address = reverse("data-question", args=[slug, question_id])
    return redirect(f"{address}?{urlencode({'view': view})}#comments")


def list_of(slug: str, view: str) -> str:
    """Return the address of the list with the filters of a view."""
    return reverse("data", args=[slug]) + (f"?{view}" if view else "")
