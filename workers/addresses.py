"""The address from which a request comes."""

from allauth.core.internal.httpkit import get_client_ip
from django.http import HttpRequest


def address_of(request: HttpRequest | None) -> str | None:
    """Return the client's address, or None if it is unknown.

    With HTTPS there is a proxy in front, and only the last entry, which it adds, is trusted.
    """
    return get_client_ip(request) if request is not None else None
