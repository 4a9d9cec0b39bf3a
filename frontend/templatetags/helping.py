"""Lead from a page to the part of the help that explains it."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _

from frontend.help.documents import title_of
from frontend.help.places import place_of

register = template.Library()


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
