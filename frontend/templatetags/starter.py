"""The load of the starter campaign: ``{% load starter %}{% starter_load %}``."""

from typing import Any

from django import template

from frontend.home.starter import unloaded_row

register = template.Library()


@register.inclusion_tag("frontend/home/starter.html", takes_context=True)
def starter_load(context: template.Context) -> dict[str, Any]:
    """Show its progress until it is loaded."""
    shared = {name: context.get(name) for name in ("user", "request", "csrf_token")}
    return {**shared, "row": unloaded_row()}
