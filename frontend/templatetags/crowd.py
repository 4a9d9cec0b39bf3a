"""The bar of a crowd session: ``{% load crowd %}{% crowd_session %}``."""

from typing import Any

from django import template

from frontend.recruitment.session_bar import bar

register = template.Library()


@register.inclusion_tag("frontend/recruitment/session_bar.html", takes_context=True)
def crowd_session(context: template.Context, *, beside: bool = False) -> dict[str, Any]:
    """Show the progress of the worker's crowd session, and how to end it; empty for other users.

    A fragment that changes the progress includes the bar, *beside* its own target.
    """
    request = context.get("request")
    return {"bar": bar(request) if request is not None else None, "beside": beside}
