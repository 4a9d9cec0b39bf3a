"""The page of one question with its whole history."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evaluation.selectors.question_history import WITH_ALL, history_of, model_answers
from frontend.data.words import STATE_LOOKS, STATE_NAMES
from frontend.findings import answer_of, audit_log_lines, reason_name, verdict_words
from frontend.http import PageRequest, curators_only, existing
from frontend.lookups import campaign_for
from validation.selectors import QuestionState
from workers.models import AuditEvent
from workers.services.audit import audits


@audits(AuditEvent.Kind.LABELS)
@curators_only()
def question(request: PageRequest, slug: str, question_id: str) -> HttpResponse:
    """Show one question: text, votes, decisions, pay, and where it is used."""
    campaign = campaign_for(request.user, slug)
    row = existing(
        WITH_ALL,
        _("There is no such question in this campaign."),
        twin__campaign=campaign,
        public_id=question_id,
    )
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
    }
    return render(request, "frontend/data/question.html", context)
