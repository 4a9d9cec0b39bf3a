"""What surrounds pages: a campaign's tabs, a crowd session's bar, the starter's load."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from frontend.shell.session_bar import bar
from frontend.shell.starter import unloaded_row

register = template.Library()


@dataclass(frozen=True, slots=True)
class Tab:
    """A page, by the name of its address, and the pages below it."""

    name: str
    title: Any
    below: tuple[str, ...] = ()
    is_global: bool = False


GROUPS: tuple[tuple[Any, tuple[Tab, ...]], ...] = (
    (_("Overview"), (Tab("campaign", _("Overview")), Tab("progress", _("Progress")))),
    (_("Data"), (Tab("data", _("Questions"), ("data-question", "data-action")),)),
    (
        _("Review"),
        (
            Tab("review-queue", _("Review queue"), ("review-question",)),
            Tab("golds", _("Control questions")),
            Tab("appeals", _("Appeals"), is_global=True),
        ),
    ),
    (
        _("People and pay"),
        (
            Tab("quality", _("Quality")),
            Tab("campaign-pay", _("Pay"), ("worker-pay", "pay-check")),
            Tab("studies", _("Recruitment")),
            Tab("people", _("People"), is_global=True),
        ),
    ),
    (
        _("Pipeline"),
        (
            Tab("pipeline", _("Runs and releases")),
            Tab("evaluations", _("Evaluations"), is_global=True),
            Tab("human-evaluations", _("Human evaluations"), is_global=True),
        ),
    ),
    (
        _("Setup"),
        (
            Tab("campaign-setup", _("Checklist")),
            Tab("campaign-settings", _("Settings")),
            Tab("campaign-articles", _("Articles"), ("import-articles",)),
            Tab("campaign-guidelines", _("Guidelines")),
            Tab("campaign-exercise", _("Training and test")),
            Tab("campaign-attributes", _("Attributes")),
            Tab("campaign-preview", _("Preview")),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Link:
    """A tab as it is drawn; ``code`` is the name of its address."""

    title: Any
    address: str
    code: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class Tabs:
    """The six groups, and the pages of the current group if it has several."""

    groups: list[Link]
    pages: list[Link]


@register.simple_tag(takes_context=True)
def campaign_tabs(context: template.Context, campaign: Campaign) -> Tabs:
    """Return the tabs of a campaign for the page of this request."""
    here = context["request"].resolver_match.url_name
    groups, pages = [], []
    for title, tabs in GROUPS:
        links = [_link(tab, campaign, here) for tab in tabs]
        is_current = any(link.is_here for link in links)
        groups.append(Link(title, links[0].address, links[0].code, is_current))
        if is_current and len(links) > 1:
            pages = links
    return Tabs(groups, pages)


def _link(tab: Tab, campaign: Campaign, here: str) -> Link:
    address = reverse(tab.name, args=[] if tab.is_global else [campaign.slug])
    return Link(tab.title, address, tab.name, here in (tab.name, *tab.below))


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
