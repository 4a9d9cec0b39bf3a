"""What surrounds pages: navigation, a crowd session's bar, the starter's load."""

from typing import Any

from django import template

from collection.models import Campaign
from frontend.shell.places import CAMPAIGN, CURATION, WORK, Tabs, tabs_of
from frontend.shell.session_bar import bar, unloaded_row

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
