"""Workers as curators see them."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Max, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.core.people import Origin, origin_flag, pasted_share
from collection.models import Campaign, ExerciseItem, Provenance, Twin, of_member
from collection.selectors.known_people import known_to, known_worker, may_renew_password
from frontend.charts import share_chart
from frontend.forms import ReasonForm
from frontend.http import REVIEW, Needs, PageRequest, curators_only
from frontend.items import TwinState, twin_states, with_questions
from frontend.lookups import people_names
from frontend.paging import page_of
from frontend.shell.proposals import waiting
from validation.selectors import people as with_work
from validation.selectors import person as with_history
from validation.selectors.quality import months_of
from winoplatform.errors import DomainError
from winoplatform.http.rights import Right
from workers import services
from workers.models import AuditEvent, PersonLabel, Qualification, User
from workers.selectors import Balance, balances
from workers.services.audit import audits

ORIGINS = {
    Origin.TYPED: later("typed here"),
    Origin.PASTED: later("mostly pasted"),
    Origin.UNKNOWN: later("not measured"),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the page counted while a twin was written; ``flag`` is a hint, not a verdict."""

    flag: Origin
    words: str
    counts: Provenance
    share: float | None


@dataclass(frozen=True, slots=True)
class TwinRow:
    state: TwinState
    evidence: Evidence | None


def twin_rows(twins: Sequence[Twin]) -> list[TwinRow]:
    """Summarize twins that were fetched with their questions and provenance."""
    states = twin_states(twins)
    return [TwinRow(state, _evidence(getattr(state.twin, "provenance", None))) for state in states]


def _evidence(counts: Provenance | None) -> Evidence | None:
    if counts is None:
        return None
    flag = origin_flag(
        typed_characters=counts.typed_characters,
        pasted_characters=counts.pasted_characters,
        largest_insert=counts.largest_insert,
        active_seconds=counts.active_seconds,
    )
    share = pasted_share(counts.typed_characters, counts.pasted_characters)
    return Evidence(flag, str(ORIGINS[flag]), counts, share)


@dataclass(frozen=True, slots=True)
class Joined:
    """A worker's qualification in one campaign."""

    campaign: str
    qualification: Qualification
    attempts: int
    best: int | None
    has_test: bool
    """Whether the campaign has a test of this skill now."""


Campaigns = Mapping[uuid.UUID, Campaign]


def pay_by_campaign(worker: User, campaigns: Campaigns) -> list[tuple[Campaign, Balance]]:
    """Return what each campaign, by its public id, owes and has paid a worker."""
    return [
        (campaigns[row.budget], row) for row in balances(worker.ledger.filter(budget__in=campaigns))
    ]


def joined(worker: User, campaigns: Campaigns) -> list[Joined]:
    """Return the worker's qualifications, also those not passed."""
    mine: QuerySet[Any] = worker.qualifications.filter(scope__in=campaigns).annotate(
        made=Count("attempts"), best=Max("attempts__n_right")
    )
    items = ExerciseItem.objects.filter(part=ExerciseItem.Part.TEST, retired_at=None).order_by()
    tests = set(items.values_list("campaign__public_id", "skill").distinct())
    names = {key: campaign.name for key, campaign in campaigns.items()}
    return [
        Joined(names.get(row.scope, ""), row, row.made, row.best, (row.scope, row.skill) in tests)
        for row in mine
    ]


PEOPLE, TWINS = 30, 10
LABELLING = Needs(Right.DATA, Right.DATA)


@curators_only(needs=REVIEW)
def people(request: PageRequest) -> HttpResponse:
    """List workers, newest first; ``?q`` searches pseudonyms and the curator's own labels."""
    rows = User.objects.filter(known_to(request.user), role=User.Role.WORKER)
    query = request.GET.get("q", "").strip()[:32].replace("\x00", "")
    if query:
        labelled = PersonLabel.objects.filter(by=request.user, text__icontains=query)
        rows = rows.filter(Q(public_id__startswith=query) | Q(pk__in=labelled.values("worker")))
    page = page_of(rows, request, parameter="people", size=PEOPLE)
    context = {"page": page, "people": with_work(page.rows, request.user), "query": query}
    return render(request, "frontend/quality/people.html", context)


@audits(AuditEvent.Kind.LABELS)
@curators_only(needs=REVIEW)
def person(request: PageRequest, public_id: str) -> HttpResponse:
    return _person(request, known_worker(request.user, public_id), ReasonForm())


def _person(
    request: PageRequest,
    worker: User,
    form: ReasonForm,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    theirs = with_questions(
        Twin.objects.filter(of_member(request.user), author=worker)
    ).select_related("provenance")
    page = page_of(theirs, request, parameter="twins", size=TWINS)
    campaigns = {
        campaign.public_id: campaign for campaign in Campaign.objects.visible_to(request.user)
    }
    paying = Campaign.objects.filter(of_member(request.user, "pk", Right.PAY))
    found, pauses = with_history(worker, request.user)
    names = people_names(request)
    context = {
        "person": found,
        "label": names.labels.get(worker.public_id, ""),
        "may_renew_password": may_renew_password(request.user, worker, names),
        "pay": pay_by_campaign(worker, {row.public_id: row for row in paying}),
        "may_see_pay": bool(paying),
        "pauses": pauses,
        "joined": joined(worker, campaigns),
        "twins": page,
        **_validating(worker, request.user),
        "rows": twin_rows(page.rows),
        "form": form,
        "waiting": waiting(request.user, account=worker),
        "refusal": refusal,
    }
    return render(request, "frontend/quality/person.html", context, status=status)


@curators_only("POST", needs=LABELLING)
def label_person(request: PageRequest, public_id: str) -> HttpResponse:
    """Store the reader's own label for the worker."""
    worker = known_worker(request.user, public_id)
    try:
        services.label_person(worker=worker, text=request.POST.get("label", ""), by=request.user)
    except ValidationError as refusal:
        messages.warning(request, refusal.messages[0])
    return redirect("person", public_id)


def _validating(worker: User, reader: User) -> dict[str, Any]:
    months = months_of(worker.pk, reader)
    shares = [month.author.value for month in months]
    chart = share_chart(shares, [month.begins[:7] for month in months])
    return {"months": months, "months_chart": chart}


@curators_only("POST", needs=REVIEW)
def pause_worker(request: PageRequest, public_id: str) -> HttpResponse:
    """Pause the worker: no new work, and a notice with the reason."""
    worker = known_worker(request.user, public_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _person(request, worker, form, status=400)
    try:
        services.pause_worker(worker=worker, reason=form.cleaned_data["reason"], by=request.user)
    except DomainError as refusal:
        return _person(request, worker, form, refusal=refusal, status=refusal.status)
    messages.success(request, _("The worker was paused and can see the reason."))
    return redirect("person", public_id)


@curators_only("POST", needs=REVIEW)
def resume_worker(request: PageRequest, public_id: str) -> HttpResponse:
    """Resume the worker."""
    worker = known_worker(request.user, public_id)
    try:
        services.resume_worker(worker=worker)
    except DomainError as refusal:
        return _person(request, worker, ReasonForm(), refusal=refusal, status=refusal.status)
    messages.success(request, _("The pause has ended. The worker can get work again."))
    return redirect("person", public_id)
