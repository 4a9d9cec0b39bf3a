"""A campaign's studies on crowd platforms: create, configure, and follow their sessions."""

import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from collection.crowd.mturk import external_question
from collection.exports.sessions import sessions_csv
from collection.models import Campaign, CrowdSession, Study, of_member
from collection.selectors.crowd import places_taken, with_places, with_units
from collection.selectors.exercise import has_exercise
from collection.services.crowd import studies as services
from frontend.http import MANAGE, REFUSALS, PageRequest, curators_only, existing, refusal_of
from frontend.lookups import campaign_for
from frontend.paging import page_of
from frontend.recruitment.forms import LinksForm, StudyChangesForm, StudyForm
from winoplatform.errors import DomainError
from workers.models import AuditEvent, Qualification, User
from workers.services.audit import audits

SESSIONS = 25
COUNTED = {
    "n_active": CrowdSession.Status.ACTIVE,
    "n_completed": CrowdSession.Status.COMPLETED,
}


@curators_only("GET", "HEAD", "POST", needs=MANAGE)
def studies(request: PageRequest, slug: str) -> HttpResponse:
    """List a campaign's studies; POST creates one."""
    campaign = campaign_for(request.user, slug)
    if request.method != "POST":
        form = StudyForm(initial={"skill": "write", "units": 2})
        return _list(request, campaign, form)
    form = StudyForm(request.POST)
    study = _store(form, services.create_study, campaign=campaign)
    if study is None:
        return _list(request, campaign, form, status=400)
    return redirect("study", study.public_id)


def _store(form: StudyChangesForm, store: Callable[..., Study], **more: Any) -> Study | None:
    """Store the form's values; return None if the form has errors."""
    if not form.is_valid():
        return None
    try:
        return store(**more, **form.values())
    except REFUSALS as error:
        place = "return_url" if isinstance(error, DomainError) else None
        form.add_error(place, refusal_of(error).message)
    return None


def _list(
    request: PageRequest, campaign: Campaign, form: StudyForm, status: int = 200
) -> HttpResponse:
    counts = {
        name: Count("sessions", filter=Q(sessions__status=value)) for name, value in COUNTED.items()
    }
    context = {
        "campaign": campaign,
        "studies": with_places(campaign.studies.annotate(n_sessions=Count("sessions"), **counts)),
        "form": form,
    }
    return render(request, "frontend/recruitment/studies.html", context, status=status)


def _study_for(user: User, study_id: uuid.UUID) -> Study:
    return existing(
        Study.objects.filter(of_member(user)).select_related("campaign"),
        _("There is no such study."),
        public_id=study_id,
    )


@never_cache
@curators_only(needs=MANAGE)
def study(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    """Show the values to paste into the platform, and the sessions."""
    return _study(request, _study_for(request.user, study_id))


def _study(request: PageRequest, study: Study, status: int = 200, **more: Any) -> HttpResponse:
    sessions = with_units(CrowdSession.objects.filter(study=study))
    page = page_of(
        sessions.select_related("participant__worker"),
        request,
        parameter="sessions",
        size=SESSIONS,
    )
    setup = services.setup_of(study)
    campaign, is_writing = study.campaign, study.skill == Qualification.Skill.WRITE
    is_exercise_paid = campaign.reward_exercise and has_exercise(campaign, study.skill)
    context = {
        "study": study,
        "n_taken": places_taken(study),
        "is_reachable": settings.PUBLIC_URL.startswith("https://") or settings.CROWD_SANDBOX_URL,
        "origin": settings.PUBLIC_URL,
        "campaign": campaign,
        "pay": study.units * (campaign.reward_twin if is_writing else campaign.reward_vote),
        "exercise_pay": campaign.reward_exercise if is_exercise_paid else 0,
        "setup": setup,
        "setup_part": f"frontend/recruitment/setup_{study.provider}.html",
        "question": external_question(setup.link) if study.provider == "mturk" else "",
        "signs_links": services.provider_of(study).signs_arrivals,
        "form": LinksForm(),
        "page": page,
    }
    return render(request, "frontend/recruitment/study.html", context | more, status=status)


@never_cache
@curators_only("POST", needs=MANAGE)
def links(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    """Sign a link for each participant; only this response shows the links."""
    study = _study_for(request.user, study_id)
    form = LinksForm(request.POST)
    if not form.is_valid():
        return _study(request, study, status=400, form=form)
    made = services.make_links(
        study=study, participants=form.cleaned_data["participants"], **form.history()
    )
    return _study(request, study, form=LinksForm(), links=made)


@never_cache
@curators_only("GET", "HEAD", "POST", needs=MANAGE)
def change(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    """Change a study's name, places, codes, addresses and secrets; secrets are never shown."""
    study = _study_for(request.user, study_id)
    names = [name for name in StudyChangesForm.base_fields if name not in StudyChangesForm.SECRETS]
    form = StudyChangesForm(
        request.POST if request.method == "POST" else None,
        initial={name: getattr(study, name) for name in names},
    )
    if request.method == "POST" and _store(form, services.update_study, study=study) is not None:
        messages.success(request, _("The study was saved."))
        return redirect("study", study_id)
    context = {"study": study, "campaign": study.campaign, "form": form}
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/recruitment/study_change.html", context, status=status)


@curators_only("POST", needs=MANAGE)
def reopen(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    services.update_study(study=_study_for(request.user, study_id), is_open=True)
    messages.success(request, _("The study is open again."))
    return redirect("study", study_id)


@curators_only("POST", needs=MANAGE)
def close(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    """Close the study to new participants."""
    services.close_study(study=_study_for(request.user, study_id))
    messages.success(request, _("The study is closed. Participants who have started can finish."))
    return redirect("study", study_id)


@audits(AuditEvent.Kind.PEOPLE_FILE)
@curators_only(needs=MANAGE)
def sessions_file(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    return sessions_csv(_study_for(request.user, study_id))  # type: ignore[return-value]  # streamed
