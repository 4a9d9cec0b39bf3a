"""A campaign's studies on crowd platforms: make them, set them up, follow their sessions."""

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from collection.crowd.mturk import external_question
from collection.exports.sessions import sessions_csv
from collection.models import Campaign, CrowdSession, Study
from collection.selectors.crowd import with_units
from collection.services import studies as services
from frontend.forms.studies import LinksForm, StudyForm
from frontend.http import PageRequest, curators_only
from frontend.paging import page_of
from frontend.selectors.campaigns import campaign_for
from winoplatform.errors import DomainError

SESSIONS = 25
COUNTED = {
    "n_active": CrowdSession.Status.ACTIVE,
    "n_completed": CrowdSession.Status.COMPLETED,
}


@curators_only
@require_http_methods(["GET", "HEAD", "POST"])
def studies(request: PageRequest, slug: str) -> HttpResponse:
    """List a campaign's studies; POST makes one."""
    campaign = campaign_for(request.user, slug)
    if request.method != "POST":
        form = StudyForm(initial={"skill": "write", "units": 2})
        return _list(request, campaign, form)
    form = StudyForm(request.POST)
    if not form.is_valid():
        return _list(request, campaign, form, status=400)
    try:
        study = services.create_study(campaign=campaign, **form.cleaned_data)
    except ValidationError as error:
        form.add_error(None, error.messages[0])
    except DomainError as error:
        form.add_error("return_url", error.message)
    else:
        return redirect("study", study.public_id)
    return _list(request, campaign, form, status=400)


def _list(
    request: PageRequest, campaign: Campaign, form: StudyForm, status: int = 200
) -> HttpResponse:
    counts = {
        name: Count("sessions", filter=Q(sessions__status=value)) for name, value in COUNTED.items()
    }
    context = {
        "campaign": campaign,
        "studies": campaign.studies.annotate(n_sessions=Count("sessions"), **counts),
        "form": form,
    }
    return render(request, "frontend/studies.html", context, status=status)


def _study_for(study_id: uuid.UUID) -> Study:
    study = Study.objects.select_related("campaign").filter(public_id=study_id).first()
    if study is None:
        raise Http404(_("There is no such study."))
    return study


@never_cache
@curators_only
@require_safe
def study(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    """Show what to paste into the platform, and the sessions."""
    return _study(request, _study_for(study_id))


def _study(request: PageRequest, study: Study, status: int = 200, **more: Any) -> HttpResponse:
    sessions = with_units(CrowdSession.objects.filter(study=study))
    page = page_of(
        sessions.select_related("participant__worker"),
        request,
        parameter="sessions",
        size=SESSIONS,
    )
    setup = services.setup_of(study)
    context = {
        "study": study,
        "campaign": study.campaign,
        "setup": setup,
        "setup_part": f"frontend/parts/setup_{study.provider}.html",
        "question": external_question(setup.link) if study.provider == "mturk" else "",
        "signs_links": services.provider_of(study).signs_arrivals,
        "form": LinksForm(),
        "page": page,
    }
    return render(request, "frontend/study.html", context | more, status=status)


@never_cache
@curators_only
@require_POST
def links(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    """Sign a link for each participant; this answer alone shows them."""
    study = _study_for(study_id)
    form = LinksForm(request.POST)
    if not form.is_valid():
        return _study(request, study, status=400, form=form)
    made = services.make_links(
        study=study, participants=form.cleaned_data["participants"], **form.history()
    )
    return _study(request, study, form=LinksForm(), links=made)


@curators_only
@require_POST
def close(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    services.close_study(study=_study_for(study_id))
    messages.success(
        request, _("The study is closed: nobody new arrives; who has begun can go on to the end.")
    )
    return redirect("study", study_id)


@curators_only
@require_safe
def sessions_file(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    return sessions_csv(_study_for(study_id))  # type: ignore[return-value]  # streamed
