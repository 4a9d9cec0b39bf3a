"""How often somebody may try."""

from hashlib import sha256
from typing import Any

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle


class PasswordThrottle(SimpleRateThrottle):
    """Limits guesses at one account's password, from wherever they come.

    The account is counted and not the address: addresses are cheap, and behind a proxy all people
    share one.
    """

    scope = "password"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        name = request.data.get("username") if isinstance(request.data, dict) else None
        if not isinstance(name, str):
            return None
        ident = sha256(name.casefold().encode("utf-8", "replace")).hexdigest()
        return str(self.cache_format % {"scope": self.scope, "ident": ident})
