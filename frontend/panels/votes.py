"""Curators' pages: the votes of one person, and their exclusion."""

import uuid
from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from collection.selectors.known_people import known_worker
from frontend.forms import ReasonForm
from frontend.http import REVIEW, PageRequest, curators_only, existing
from frontend.paging import page_of
from frontend.panels.reads import name_of
from panels import selectors, services
from panels.models import Panel, PanelSeat
from workers.models import AuditEvent, User
from workers.services.audit import audits

VOTES = 50


def _panel(user: User, public_id: uuid.UUID) -> Panel:
    rows = Panel.objects.visible_to(user).select_related(
        "campaign", "release", "snapshot", "reference_set"
    )
    return existing(rows, _("There is no such evaluation."), public_id=public_id)


@audits(AuditEvent.Kind.LABELS)
@curators_only("GET", "POST", needs=REVIEW)
def person(request: PageRequest, public_id: uuid.UUID, worker: str) -> HttpResponse:
    """Show the votes of a person in an evaluation; POST excludes all of them."""
    panel, who = _panel(request.user, public_id), known_worker(request.user, worker)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        _exclude_all(request, panel, who, form.cleaned_data["reason"])
        return redirect("human-evaluation-person", public_id, worker)
    mine = selectors.votes_of(panel, who)
    page = page_of(mine, request, parameter="votes", size=VOTES)
    context = {
        "panel": panel,
        "panel_name": name_of(panel),
        "campaign": panel.campaign,
        "worker": who,
        "form": form,
        "page": page,
        "rows": [(seat, seat.item.item) for seat in page.rows],
        "n_votes": mine.count(),
        "n_excluded": mine.filter(excluded_at__isnull=False).count(),
    }
    status = 400 if form.is_bound else 200
    return render(request, "frontend/panels/person.html", context, status=status)


def _exclude_all(request: PageRequest, panel: Panel, worker: User, reason: str) -> None:
    done = services.exclude_votes_of(worker=worker, panel=panel, reason=reason, by=request.user)
    message = ngettext("%(n)d vote was excluded.", "%(n)d votes were excluded.", done.done)
    messages.success(request, message % {"n": done.done})
    if done.left:
        left = ngettext(
            "%(n)d more vote is left. Submit the form again.",
            "%(n)d more votes are left. Submit the form again.",
            done.left,
        )
        messages.warning(request, left % {"n": done.left})


@curators_only("POST", needs=REVIEW)
def exclude_vote(request: PageRequest, public_id: uuid.UUID, vote_id: uuid.UUID) -> HttpResponse:
    """Exclude a vote; its worker gets a notice with the reason and keeps the pay."""
    done = _("The vote was excluded. It stays paid.")
    return _change(request, public_id, vote_id, services.exclude_vote, done)


@curators_only("POST", needs=REVIEW)
def restore_vote(request: PageRequest, public_id: uuid.UUID, vote_id: uuid.UUID) -> HttpResponse:
    """Restore an excluded vote."""
    done = _("The vote was restored.")
    return _change(request, public_id, vote_id, services.restore_vote, done)


def _change(
    request: PageRequest,
    public_id: uuid.UUID,
    vote_id: uuid.UUID,
    change: Callable[..., PanelSeat],
    done: str,
) -> HttpResponse:
    panel = _panel(request.user, public_id)
    votes = PanelSeat.objects.filter(panel=panel, answered_at__isnull=False)
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
