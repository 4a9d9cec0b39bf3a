"""What surrounds pages: navigation, help, a crowd session's bar, the starter's load, what waits.

Also what the installation has or wants of its readers: an institution's sign-in, a second factor.
"""

from dataclasses import dataclass
from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from collection.models import Campaign
from frontend.help.documents import title_of
from frontend.help.places import place_of
from frontend.shell.places import CAMPAIGN, CURATION, WORK, Tabs, tabs_of
from frontend.shell.session_bar import bar, unloaded_row
from frontend.templatetags.pages import number
from validation.selectors.review_queue import COUNTED, Waiting
from validation.selectors.review_queue import waiting as counted
from winoplatform import second_factor

register = template.Library()


@register.simple_tag(takes_context=True)
def top_tabs(context: template.Context) -> Tabs:
    """Return the top of the pages of this request's user."""
    request = context["request"]
    here = request.resolver_match.url_name if request.resolver_match else None
    return tabs_of(CURATION if request.user.is_curator else WORK, here)


@register.simple_tag(takes_context=True)
def campaign_tabs(context: template.Context, campaign: Campaign) -> Tabs:
    """Return the tabs of a campaign for the page of this request."""
    return tabs_of(CAMPAIGN, context["request"].resolver_match.url_name, campaign=campaign)


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
        request.waits = counted(context.get("campaign"))
    waits: Waiting = request.waits
    return waits


@register.filter
def up_to_many(n: int) -> str:
    """Format a count of what waits; above the counting limit, with a sign for more."""
    return f"{number(COUNTED)}+" if n > COUNTED else number(n)
