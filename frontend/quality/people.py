"""Workers: their work, how their texts were typed, pause and resume."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.models import Campaign, Twin
from frontend.charts import share_chart
from frontend.forms import ReasonForm
from frontend.http import PageRequest, curators_only
from frontend.paging import page_of
from frontend.quality.people_reads import joined, pay_by_campaign, twin_rows
from frontend.twins import with_questions
from validation.selectors import people as with_work
from validation.selectors import person as with_history
from validation.selectors.quality import months_of
from winoplatform.errors import DomainError
from workers import services
from workers.models import AuditEvent, User
from workers.services.audit import audits

PEOPLE, TWINS = 30, 10


@curators_only()
def people(request: PageRequest) -> HttpResponse:
    """List workers, newest first; ``?q`` searches by the beginning of the pseudonym."""
    rows = User.objects.filter(role=User.Role.WORKER)
    query = request.GET.get("q", "").strip()[:32].replace("\x00", "")
    if query:
        rows = rows.filter(public_id__startswith=query)
    page = page_of(rows, request, parameter="people", size=PEOPLE)
    context = {"page": page, "people": with_work(page.rows), "query": query}
    return render(request, "frontend/quality/people.html", context)


@audits(AuditEvent.Kind.LABELS)
@curators_only()
def person(request: PageRequest, public_id: str) -> HttpResponse:
    return _person(request, services.worker_named(public_id), ReasonForm())


def _person(
    request: PageRequest,
    worker: User,
    form: ReasonForm,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    theirs = with_questions(Twin.objects.filter(author=worker)).select_related("provenance")
    page = page_of(theirs, request, parameter="twins", size=TWINS)
    campaigns = {campaign.public_id: campaign for campaign in Campaign.objects.all()}
    found, pauses = with_history(worker)
    context = {
        "person": found,
        "pay": pay_by_campaign(worker, campaigns),
        "pauses": pauses,
        "joined": joined(worker, campaigns),
        "twins": page,
        **_validating(worker),
        "rows": twin_rows(page.rows),
        "form": form,
        "refusal": refusal,
    }
    return render(request, "frontend/quality/person.html", context, status=status)


def _validating(worker: User) -> dict[str, Any]:
    months = months_of(worker.pk)
    shares = [month.author.value for month in months]
    chart = share_chart(shares, [month.begins[:7] for month in months])
    return {"months": months, "months_chart": chart}


@curators_only("POST")
def pause_worker(request: PageRequest, public_id: str) -> HttpResponse:
    """Pause the worker: no new work, and a notice with the reason."""
    worker = services.worker_named(public_id)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _person(request, worker, form, status=400)
    try:
        services.pause_worker(worker=worker, reason=form.cleaned_data["reason"], by=request.user)
    except DomainError as refusal:
        return _person(request, worker, form, refusal=refusal, status=refusal.status)
    messages.success(request, _("The worker was paused and can see the reason."))
    return redirect("person", public_id)


@curators_only("POST")
def resume_worker(request: PageRequest, public_id: str) -> HttpResponse:
    """Resume the worker."""
    worker = services.worker_named(public_id)
    try:
        services.resume_worker(worker=worker)
    except DomainError as refusal:
        return _person(request, worker, ReasonForm(), refusal=refusal, status=refusal.status)
    messages.success(request, _("The pause has ended. The worker can get work again."))
    return redirect("person", public_id)
