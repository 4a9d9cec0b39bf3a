"""Arrival of participants from a crowd platform, and their return to it.

A platform's link opens a page that names the participant; its button, a POST with a CSRF token,
signs in. Therefore no other site can sign a visitor in, and a signed-in user is warned before
being signed out.
"""

import uuid
from typing import Any

from django.contrib import messages
from django.contrib.auth import login, logout
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from collection.crowd import Arrival
from collection.models import Campaign, CrowdSession, Participant, Study, Twin
from collection.selectors.crowd import has_failed, units_done
from collection.selectors.exercise import has_exercise, least_paid_in
from collection.selectors.terms import terms_of
from collection.services import crowd
from collection.services.crowd.studies import facts, provider_of
from frontend.http import CAME_BY_LINK, PageRequest, existing, signed_in
from frontend.templatetags.shell import SESSION_KEY
from panels.adapters import with_adapters
from panels.models import Panel
from panels.selectors import offered_to
from validation.selectors.rates import recent_report
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.http.responses import allow_frames
from workers.addresses import address_of
from workers.models import Qualification, User

BACKEND = "workers.backends.PreparedBackend"
SIGNED_IN_SECONDS = 12 * 3600
LINK_DAYS = 60
WINDOW = "window"
NO_LINK = later("This link does not work")
REFUSAL_TITLES = {
    "study_full": later("This study is full"),
    "took_part": later("You have already taken part"),
    "too_many_from_address": later("Please wait"),
}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def arrive(request: PageRequest, study_id: uuid.UUID) -> HttpResponse:
    """Show the page for a platform's link; POST starts or continues the session."""
    study = existing(
        Study.objects.select_related("campaign"), _("There is no such study."), public_id=study_id
    )
    is_framed = _is_framed(request, study)
    try:
        response = _arrive(request, study, is_framed)
    except DomainError as error:
        context = {
            "refusal": error,
            "refusal_title": REFUSAL_TITLES.get(error.code, NO_LINK),
            "is_framed": is_framed,
        }
        response = render(
            request, "frontend/recruitment/refused.html", context, status=error.status
        )
    return _let_frame(response, study) if is_framed else response


def _is_framed(request: PageRequest, study: Study) -> bool:
    """Return whether the page is for a frame on the platform, where our cookies are not sent."""
    return bool(provider_of(study).frame_ancestors) and WINDOW not in request.GET


def _let_frame(response: HttpResponse, study: Study) -> HttpResponse:
    """Allow only the platform to frame this response; nothing on it changes data here."""
    sandbox = facts(study).sandbox
    allowed = [*provider_of(study).frame_ancestors, *([sandbox] if sandbox else [])]
    allow_frames(response, allowed)
    return response


def _arrive(request: PageRequest, study: Study, is_framed: bool) -> HttpResponse:
    query = dict(request.GET.lists())
    query.pop(WINDOW, None)
    arrival = crowd.read_arrival(study=study, query=query)
    if arrival.is_preview:
        return _about(request, study, "frontend/recruitment/preview.html", is_framed=is_framed)
    try:
        return _come(request, study, arrival, is_framed)
    except DomainError as refusal:
        if refusal.code != "study_closed":
            raise
        return _closed(request, study, arrival, refusal)


def _closed(
    request: PageRequest, study: Study, arrival: Arrival, refusal: DomainError
) -> HttpResponse:
    """Explain that there is no work now, with the return code of platforms that use one."""
    ending = crowd.ending_unbegun(study, arrival)
    # Mechanical Turk's form would submit a task without work: the participant returns it there.
    context = {"refusal": refusal, "study": study, "ending": None if ending.form_action else ending}
    return render(request, "frontend/recruitment/closed.html", context, status=refusal.status)


def _come(request: PageRequest, study: Study, arrival: Arrival, is_framed: bool) -> HttpResponse:
    if is_framed:
        return _frame(request, study, arrival)
    if request.method == "POST":
        return _begin(request, study, arrival)
    known = crowd.session_for(study=study, arrival=arrival)
    is_here = known is not None and known.external_id == arrival.session
    if known is not None and is_here and known.participant.worker == request.user:
        request.session[SESSION_KEY] = str(known.public_id)
        return _on(known)
    more = {"arrival": arrival, "known": known, "is_other": _is_other(request, study, arrival)}
    return _about(request, study, "frontend/recruitment/start.html", **more)


def _is_other(request: PageRequest, study: Study, arrival: Arrival) -> bool:
    """Return whether another user than the participant is signed in."""
    if not request.user.is_authenticated:
        return False
    theirs = {"provider": study.provider, "external_id": arrival.participant}
    return not Participant.objects.filter(worker=request.user, **theirs).exists()


def _about(request: PageRequest, study: Study, template: str, **more: Any) -> HttpResponse:
    campaign = study.campaign
    least_paid, n_items = least_paid_in(campaign, study.skill) or (0, 0)
    is_open = study.is_open and campaign.status == Campaign.Status.OPEN
    context = {
        "study": study,
        "campaign": campaign,
        "is_open": is_open,
        "terms": terms_of(campaign),
        "skill": study.skill,
        "is_writing": study.skill == Qualification.Skill.WRITE,
        "of_validators": study.skill != Qualification.Skill.WRITE,
        "measured": recent_report(campaign, writing=study.skill == Qualification.Skill.WRITE),
        "has_exercise": bool(n_items) or has_exercise(campaign, study.skill),
        "least_paid": least_paid,
        "n_items": n_items,
        "layout": "frontend/bare.html" if more.get("is_framed") else "frontend/base.html",
    }
    return render(request, template, context | more)


def _frame(request: PageRequest, study: Study, arrival: Arrival) -> HttpResponse:
    """Render the platform's frame: a link to the work, and a form that ends a complete session."""
    session = crowd.session_for(study=study, arrival=arrival)
    own_window = request.GET.copy()
    own_window[WINDOW] = "1"
    context = {
        "session": session,
        "done": units_done(session) if session else 0,
        "ending": crowd.ending_of(session) if session else None,
        "own_window": f"{request.path}?{own_window.urlencode()}",
    }
    return _about(request, study, "frontend/recruitment/frame.html", **context)


def _begin(request: PageRequest, study: Study, arrival: Arrival) -> HttpResponse:
    session = crowd.arrive(study=study, arrival=arrival, address=address_of(request))
    _sign_in(request, session.participant.worker)
    request.session[SESSION_KEY] = str(session.public_id)
    response = _on(session)
    # Tells that this browser's visitor has a link instead of a password; it names nobody.
    response.set_cookie(
        CAME_BY_LINK, "1", max_age=LINK_DAYS * 86400, httponly=True, samesite="Lax",
        secure=request.is_secure(),
    )  # fmt: skip
    return response


def _sign_in(request: PageRequest, worker: User) -> None:
    before = request.user if request.user.is_authenticated else None
    if before is not None and before != worker:
        logout(request)
        messages.warning(
            request,
            _("%(name)s was signed out. You are now working as a participant.")
            % {"name": before.username},
        )
    login(request, worker, backend=BACKEND)
    # A short session is enough: the link signs the participant in again at any time.
    request.session.set_expiry(SIGNED_IN_SECONDS)


def _on(session: CrowdSession) -> HttpResponse:
    """Redirect to the work, or to the result of an ended session."""
    if session.status != CrowdSession.Status.ACTIVE:
        return redirect("crowd-session", session.public_id)
    is_writing = session.study.skill == Qualification.Skill.WRITE
    return redirect("author" if is_writing else "validate", session.study.campaign.slug)


@never_cache
@signed_in()
def session(request: PageRequest, session_id: uuid.UUID) -> HttpResponse:
    """Show the progress of the worker's crowd session, or the code that ends it."""
    return _session(request, crowd.own_session(request.user, session_id))


def _session(
    request: PageRequest, session: CrowdSession, refusal: DomainError | None = None
) -> HttpResponse:
    done = units_done(session)
    is_writing = session.study.skill == Qualification.Skill.WRITE
    is_failed = has_failed(worker=request.user, session=session)
    context = {
        "session": session,
        "study": session.study,
        "campaign": session.study.campaign,
        "is_writing": is_writing,
        "done": done,
        "has_failed": is_failed,
        "may_finish": done >= session.study.units or is_failed,
        "ending": crowd.ending_of(session),
        "refusal": refusal,
        "work": "author" if is_writing else "validate",
        "written": Twin.objects.filter(public_id__in=session.credits.values("unit")).first()
        if is_writing and session.ended_at
        else None,
        "panels": [] if is_writing else _panels(request.user, session),
    }
    status = refusal.status if refusal else 200
    return render(request, "frontend/recruitment/session.html", context, status=status)


def _panels(worker: User, session: CrowdSession) -> list[Any]:
    """Return the queues of the session's campaign, whose questions count for it."""
    panels = offered_to(worker, now=clock.now())
    return with_adapters(panels.filter(campaign=session.study.campaign, mode=Panel.Mode.QUEUE))


@signed_in("POST")
def finish_session(request: PageRequest, session_id: uuid.UUID) -> HttpResponse:
    """End the session if it is complete; otherwise show what is missing."""
    try:
        crowd.finish_session(worker=request.user, session_id=session_id)
    except DomainError as refusal:
        if refusal.status == 404:
            raise
        return _session(request, crowd.own_session(request.user, session_id), refusal)
    return redirect("crowd-session", session_id)


@signed_in("POST")
def stop_session(request: PageRequest, session_id: uuid.UUID) -> HttpResponse:
    """End the session before it is complete."""
    crowd.stop_session(worker=request.user, session_id=session_id)
    return redirect("crowd-session", session_id)
