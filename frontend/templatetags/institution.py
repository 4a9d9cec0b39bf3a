"""The institution with which people can sign in: ``{% institution_name as name %}``."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def institution_name() -> str:
    """Return its name; empty if the installation has none."""
    return str(settings.OIDC_NAME) if settings.OIDC_SERVER_URL else ""
