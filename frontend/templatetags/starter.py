"""The starter campaign while it is being loaded: ``{% load starter %}{% starter_load %}``."""

from typing import Any

from django import template

from frontend.selectors.starter import starter_row
from winoplatform.runs.models import RunStatus

register = template.Library()


@register.inclusion_tag("frontend/parts/starter.html", takes_context=True)
def starter_load(context: template.Context) -> dict[str, Any]:
    """Show how far it is, until it is there."""
    row = starter_row()
    is_there = row is None or row.run.status == RunStatus.DONE
    shared = {name: context.get(name) for name in ("user", "request", "csrf_token")}
    return {**shared, "row": None if is_there else row}
