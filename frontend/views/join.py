"""Before writing: the guidelines, the exercise, and what is still in the way."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from collection import services
from collection.models import Campaign, ExerciseItem
from collection.selectors.exercise import ShownItem, explained_items, shown_items
from collection.services.access import Standing, standing
from frontend.forms.join import AcceptForm, ExerciseForm
from frontend.http import PageRequest, signed_in
from frontend.selectors.campaigns import campaign_for
from winoplatform.errors import DomainError
from workers.models import Qualification, User


@signed_in
@require_safe
def join(request: PageRequest, slug: str) -> HttpResponse:
    """Show the step to do now; ``?again`` opens the exercise anew after a failed attempt."""
    return _steps(request, campaign_for(request.user, slug))


def _steps(
    request: PageRequest,
    campaign: Campaign,
    *,
    form: ExerciseForm | None = None,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    found = standing(request.user, campaign)
    context: dict[str, Any] = {"campaign": campaign, "standing": found}
    context |= _exercise(request, found, form)
    context["refusal"] = refusal or _hindrance(found)
    return render(request, "frontend/join.html", context, status=status)


def _hindrance(found: Standing) -> DomainError | None:
    """What stands in the way and is no step that can be done on this page."""
    return None if found.next_step or found.may_write else found.refusal


def _exercise(request: PageRequest, found: Standing, form: ExerciseForm | None) -> dict[str, Any]:
    """Read the last attempt, and the exercise where it is to be done now."""
    mine = found.qualification
    last = mine.attempts.order_by("-number").first() if mine else None
    context: dict[str, Any] = {
        "last": last,
        "explained": explained_items(last, request.user) if last else [],
    }
    wants_form = last is None or "again" in request.GET or form is not None
    if found.next_step == "exercise" and found.campaign.status == Campaign.Status.OPEN:
        number = found.n_attempts + 1
        fresh = {"initial": {"number": number}}
        if wants_form:
            items = _items(found.campaign, request.user)
            context["form"] = form or ExerciseForm(items, **fresh)
        context["number"] = number
    return context


def _items(campaign: Campaign, worker: User) -> list[ShownItem]:
    items = ExerciseItem.objects.current(campaign, Qualification.Skill.WRITE)
    return shown_items(list(items), worker)


@signed_in
@require_POST
def accept_guidelines(request: PageRequest, slug: str) -> HttpResponse:
    """Record that the version shown was read and is accepted."""
    campaign = campaign_for(request.user, slug)
    form = AcceptForm(request.POST)
    try:
        services.accept_guideline(
            worker=request.user,
            campaign=campaign,
            version=form.cleaned_data["version"] if form.is_valid() else 0,
        )
    except DomainError as refusal:
        return _steps(request, campaign, refusal=refusal, status=refusal.status)
    messages.success(request, _("You have accepted the guidelines."))
    return redirect("join", slug)


@signed_in
@require_POST
def submit_exercise(request: PageRequest, slug: str) -> HttpResponse:
    """Store an attempt and show it explained."""
    campaign = campaign_for(request.user, slug)
    form = ExerciseForm(_items(campaign, request.user), request.POST)
    if not form.is_valid() and not form.is_outdated:
        return _steps(request, campaign, form=form, status=400)
    try:
        services.submit_exercise(
            worker=request.user,
            campaign=campaign,
            number=form.cleaned_data.get("number", 0),
            answers=form.answers(),
        )
    except DomainError as refusal:
        return _steps(request, campaign, refusal=refusal, status=refusal.status)
    return redirect("join", slug)
