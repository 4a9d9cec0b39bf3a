"""Whether the reader needs a second factor: ``{% second_factor_is_needed as is_needed %}``."""

from typing import Any

from django import template

from winoplatform import second_factor

register = template.Library()


@register.simple_tag(takes_context=True)
def second_factor_is_needed(context: dict[str, Any]) -> bool:
    return second_factor.is_needed(context["request"].user)
