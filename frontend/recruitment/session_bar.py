"""The crowd session bar of work pages."""

from dataclasses import dataclass

from django.http import HttpRequest

from collection.models import CrowdSession
from collection.selectors.crowd import session_of, units_done

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
