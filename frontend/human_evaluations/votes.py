"""Curators' pages: the votes of one person, and their exclusion."""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation import selectors, services
from evaluation.models import HumanEvaluation, HumanSeat
from frontend.forms import ReasonForm
from frontend.http import PageRequest, curators_only, existing
from frontend.paging import page_of
from workers.models import AuditEvent, User
from workers.services import worker_named
from workers.services.audit import audits

VOTES = 50


def _found(public_id: uuid.UUID) -> HumanEvaluation:
    rows = HumanEvaluation.objects.select_related(
        "campaign", "release", "snapshot", "reference_set"
    )
    return existing(rows, _("There is no such evaluation."), public_id=public_id)


@audits(AuditEvent.Kind.LABELS)
@curators_only("GET", "POST")
def person(request: PageRequest, public_id: uuid.UUID, worker: str) -> HttpResponse:
    """Show the votes of a person in an evaluation; POST excludes all of them."""
    evaluation, who = _found(public_id), worker_named(worker)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        _exclude_all(request, evaluation, who, form.cleaned_data["reason"])
        return redirect("human-evaluation-person", public_id, worker)
    mine = selectors.votes_of(evaluation, who)
    page = page_of(mine, request, parameter="votes", size=VOTES)
    context = {
        "evaluation": evaluation,
        "campaign": evaluation.campaign,
        "worker": who,
        "form": form,
        "page": page,
        "rows": [(seat, seat.item.item) for seat in page.rows],
        "n_votes": mine.count(),
        "n_excluded": mine.filter(excluded_at__isnull=False).count(),
    }
    status = 400 if form.is_bound else 200
    return render(request, "frontend/human_evaluations/person.html", context, status=status)


def _exclude_all(
    request: PageRequest, evaluation: HumanEvaluation, worker: User, reason: str
) -> None:
    done = services.exclude_human_votes_of(
        worker=worker, evaluation=evaluation, reason=reason, by=request.user
    )
    said = ngettext("%(n)d vote was excluded.", "%(n)d votes were excluded.", done.done)
    messages.success(request, said % {"n": done.done})
    if done.left:
        left = ngettext(
            "%(n)d more vote is left. Submit the form again.",
            "%(n)d more votes are left. Submit the form again.",
            done.left,
        )
        messages.warning(request, left % {"n": done.left})


@curators_only("POST")
def exclude_vote(request: PageRequest, public_id: uuid.UUID, vote_id: uuid.UUID) -> HttpResponse:
    """Exclude a vote; its worker gets a notice with the reason and keeps the pay."""
    done = _("The vote was excluded. It stays paid.")
    return _change(request, public_id, vote_id, services.exclude_human_vote, done)


@curators_only("POST")
def restore_vote(request: PageRequest, public_id: uuid.UUID, vote_id: uuid.UUID) -> HttpResponse:
    """Restore an excluded vote."""
    done = _("The vote was restored.")
    return _change(request, public_id, vote_id, services.restore_human_vote, done)


def _change(
    request: PageRequest,
    public_id: uuid.UUID,
    vote_id: uuid.UUID,
    change: Callable[..., HumanSeat],
    done: str,
) -> HttpResponse:
    votes = HumanSeat.objects.filter(evaluation__public_id=public_id, answered_at__isnull=False)
    missing = _("There is no such vote in this evaluation.")
    vote = existing(votes.select_related("worker"), missing, public_id=vote_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.warning(request, str(form.errors["reason"][0]))
    else:
        change(vote_id=vote_id, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, done)
    assert vote.worker is not None  # it is answered
    return redirect("human-evaluation-person", public_id, vote.worker.public_id)
