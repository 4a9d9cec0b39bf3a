"""The bar of a crowd session: ``{% load crowd %}{% crowd_session %}``."""

from typing import Any

from django import template

from frontend.recruitment.session_bar import bar

register = template.Library()


@register.inclusion_tag("frontend/recruitment/session_bar.html", takes_context=True)
def crowd_session(context: template.Context, *, beside: bool = False) -> dict[str, Any]:
    """Show how far one's crowd session is, and the way to its end; nothing for everybody else.

    A part of a page that changes what is done brings the bar along, *beside* its own place.
    """
    request = context.get("request")
    return {"bar": bar(request) if request is not None else None, "beside": beside}
