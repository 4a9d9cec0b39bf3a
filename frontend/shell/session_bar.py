"""The session bar of work pages, and the progress of the starter campaign."""

import uuid
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from collection.models import CrowdSession
from collection.selectors.crowd import completed_by, session_of, units_done
from evaluation.models import StarterLoad
from frontend.http import PageRequest, lead_to
from frontend.runs.reads import RunRow, run_row
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus


def starter_row() -> RunRow | None:
    """Return the load of the starter campaign, or None if it was never started."""
    load = StarterLoad.objects.first()
    return run_row(load, clock.now()) if load is not None else None


def unloaded_row() -> RunRow | None:
    """Return the same as ``starter_row``, but None once it is loaded, as it usually is."""
    load = StarterLoad.objects.first()
    if load is None or load.status == RunStatus.DONE:
        return None
    return run_row(load, clock.now())


SESSION_KEY = "crowd_session"
OWN_PAGE = "crowd-session"


@dataclass(frozen=True, slots=True)
class Bar:
    session: CrowdSession
    done: int

    @property
    def is_active(self) -> bool:
        return self.session.status == CrowdSession.Status.ACTIVE

    @property
    def is_complete(self) -> bool:
        return self.session.status == CrowdSession.Status.COMPLETED


def bar(request: HttpRequest) -> Bar | None:
    """Return the bar of a crowd participant; for other users it costs no query."""
    # An error page may be rendered before the request has a session.
    session_id = getattr(request, "session", {}).get(SESSION_KEY)
    match = request.resolver_match
    if session_id is None or not request.user.is_authenticated:
        return None
    if match is not None and match.url_name == OWN_PAGE:
        return None
    session = session_of(request.user, session_id)
    return Bar(session, units_done(session)) if session else None


def code_page(request: PageRequest, unit: uuid.UUID) -> HttpResponse | None:
    """Lead to the code of the session that this twin or vote has completed, if it has."""
    session = completed_by(unit) if SESSION_KEY in request.session else None
    if session is None:
        return None
    return lead_to(request, reverse(OWN_PAGE, args=[session.public_id]))


def over_page(request: PageRequest, refusal: DomainError) -> HttpResponse | None:
    """Lead to the visitor's session if new work was refused because it is over."""
    if refusal.code != "session_over" or SESSION_KEY not in request.session:
        return None
    return lead_to(request, reverse(OWN_PAGE, args=[request.session[SESSION_KEY]]))
