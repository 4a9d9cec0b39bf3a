"""Token authentication that rejects malformed headers instead of failing on them."""

from functools import cache
from hmac import compare_digest
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from knox.models import get_token_model
from knox.settings import CONSTANTS
from rest_framework.exceptions import AuthenticationFailed

from winoplatform.prepared import rows


class TokenAuthentication(KnoxAuthentication):
    """``Authorization: Token wino_…``; programs that send it need no CSRF token."""

    def authenticate_credentials(self, token: bytes) -> Any:
        if not (token.isascii() and token.decode("ascii").isprintable()):
            raise AuthenticationFailed("Invalid token.")
        return self._holder(token.decode())

    def _holder(self, text: str) -> tuple[Any, Any]:
        """Find the token and its user with one prepared query: most requests need it."""
        digest = hash_token(text)
        token_model, user_model = get_token_model(), get_user_model()
        names = [field.attname for field in token_model._meta.concrete_fields]
        for row in rows(_statement(), {"key": text[: CONSTANTS.TOKEN_KEY_LENGTH]}):
            token = token_model.from_db(connection.alias, names, row[: len(names)])
            if not compare_digest(digest, token.digest):
                continue
            if token.expiry is not None and token.expiry < timezone.now():
                token.delete()
                continue
            user = [field.attname for field in user_model._meta.concrete_fields]
            token.user = user_model.from_db(connection.alias, user, row[len(names) :])
            return self.validate_user(token)
        raise AuthenticationFailed("Invalid token.")


@cache
def _statement() -> str:
    tables = {"token": get_token_model()._meta, '"user"': get_user_model()._meta}
    columns = ", ".join(
        f'{alias}."{field.column}"'
        for alias, meta in tables.items()
        for field in meta.concrete_fields
    )
    joined = " JOIN ".join(f"{meta.db_table} {alias}" for alias, meta in tables.items())
    return f'SELECT {columns} FROM {joined} ON "user".id = token.user_id WHERE token_key = %(key)s'


class TokenScheme(KnoxTokenScheme):
    target_class = "winoplatform.api.authentication.TokenAuthentication"
    name = "token"
