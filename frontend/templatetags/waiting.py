"""Counts of what waits for curators: ``{% load waiting %}{% waiting as waits %}``."""

from django import template

from frontend.templatetags.pages import number
from validation.selectors.review_queue import COUNTED, Waiting
from validation.selectors.review_queue import waiting as counted

register = template.Library()


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
