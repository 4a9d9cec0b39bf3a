"""What surrounds pages: navigation, help, a crowd session's bar, the starter's load, what waits.

Also what the installation has or wants of its readers: an institution's sign-in, a second factor.
"""

import uuid
from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.models import Campaign, CrowdSession
from collection.selectors.crowd import completed_by, session_of, units_done
from evaluation.models import StarterLoad
from frontend.help.documents import title_of
from frontend.help.places import place_of
from frontend.http import PageRequest, lead_to
from frontend.lookups import rights_here
from frontend.runs.reads import RunRow, run_row
from frontend.shell.places import CAMPAIGN, CURATION, WORK, Tabs, tabs_of
from frontend.templatetags.pages import number
from validation.selectors.review_queue import COUNTED, Waiting
from validation.selectors.review_queue import waiting as counted
from winoplatform import clock, second_factor
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus

register = template.Library()


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


@register.simple_tag(takes_context=True)
def top_tabs(context: template.Context) -> Tabs:
    """Return the top of the pages of this request's user."""
    request = context["request"]
    here = request.resolver_match.url_name if request.resolver_match else None
    return tabs_of(CURATION if request.user.is_curator else WORK, here)


@register.simple_tag(takes_context=True)
def campaign_tabs(context: template.Context, campaign: Campaign) -> Tabs:
    """Return the tabs of a campaign for the page of this request."""
    request = context["request"]
    rights = rights_here(request, campaign)
    return tabs_of(CAMPAIGN, request.resolver_match.url_name, campaign=campaign, rights=rights)


@register.inclusion_tag("frontend/shell/session_bar.html", takes_context=True)
def crowd_session(context: template.Context, *, beside: bool = False) -> dict[str, Any]:
    """Show the progress of the worker's crowd session, and how to end it; empty for other users.

    A fragment that changes the progress includes the bar, *beside* its own target.
    """
    request = context.get("request")
    return {"bar": bar(request) if request is not None else None, "beside": beside}


@register.inclusion_tag("frontend/shell/starter.html", takes_context=True)
def starter_load(context: template.Context) -> dict[str, Any]:
    """Show the progress of the starter campaign until it is loaded."""
    shared = {name: context.get(name) for name in ("user", "request", "csrf_token")}
    return {**shared, "row": unloaded_row()}


@dataclass(frozen=True, slots=True)
class HelpLink:
    """Where the help about a page is, and its title."""

    address: str
    title: str


@register.simple_tag(takes_context=True)
def help_here(context: template.Context) -> HelpLink:
    """Return the help about the page of this request; the list of all help if it has none."""
    request: Any = context["request"]
    here = request.resolver_match and request.resolver_match.url_name
    place = place_of(here or "", is_curator=request.user.is_curator)
    if place is None:
        return HelpLink(reverse("help"), _("All documents"))
    address = reverse("help-document", args=[place.document])
    anchor = f"#{place.anchor}" if place.anchor else ""
    return HelpLink(address + anchor, title_of(place.document))


@register.simple_tag
def institution_name() -> str:
    """Return its name; empty if the installation has none."""
    return str(settings.OIDC_NAME) if settings.OIDC_SERVER_URL else ""


@register.simple_tag(takes_context=True)
def second_factor_is_needed(context: dict[str, Any]) -> bool:
    return second_factor.is_needed(context["request"].user)


@register.simple_tag(takes_context=True)
def waiting(context: template.Context) -> Waiting:
    """Count what waits for curators, once per page; on a campaign's pages also its review queue."""
    request = context["request"]
    if not hasattr(request, "waits"):
        request.waits = counted(request.user, context.get("campaign"))
    waits: Waiting = request.waits
    return waits


@register.filter
def up_to_many(n: int) -> str:
    """Format a count of what waits; above the counting limit, with a sign for more."""
    return f"{number(COUNTED)}+" if n > COUNTED else number(n)
