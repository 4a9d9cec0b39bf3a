"""Token authentication that refuses any broken header instead of failing on it."""

from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxAuthentication):
    """``Authorization: Token wino_…``; programs that send it need no CSRF token."""

    def authenticate_credentials(self, token: bytes) -> Any:
        if not (token.isascii() and token.decode("ascii").isprintable()):
            raise AuthenticationFailed("Invalid token.")
        return super().authenticate_credentials(token)


class TokenScheme(KnoxTokenScheme):
    target_class = "winoplatform.api.authentication.TokenAuthentication"
    name = "token"
