"""Who calls: tokens and sessions, and the scopes that a token has."""

from datetime import timedelta
from functools import cache
from hmac import compare_digest
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from knox.models import get_token_model
from knox.settings import CONSTANTS
from rest_framework.authentication import SessionAuthentication as DjangoSessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request

from winoplatform import second_factor
from winoplatform.api.permissions import IsCurator
from winoplatform.db.prepared import rows
from winoplatform.http import step_up
from winoplatform.http.scopes import CURATE, READ, WORK, refuse_without


def scope_of(view: Any, method: str, *, of_curator: bool = True) -> str | None:
    """Return the scope that a token needs; None for operations that need no token."""
    scope = getattr(view, "scope", None)
    if isinstance(scope, dict):
        scope = scope.get(method)
    if scope is not None:
        return str(scope) or None
    permissions = view.get_permissions()
    if any(isinstance(each, AllowAny) for each in permissions):
        return None
    if method in SAFE_METHODS:
        return CURATE if of_curator and getattr(view, "audits", None) else READ
    return CURATE if any(isinstance(each, IsCurator) for each in permissions) else WORK


EXACT_TO = timedelta(hours=1)
"""How exactly it is stored when a token was used last: most requests write nothing."""


class SessionAuthentication(DjangoSessionAuthentication):
    """A page's session; a view with ``asks_password`` needs a recent step-up for its changes."""

    def authenticate(self, request: Request) -> Any:
        user = super().authenticate(request)
        view = request.parser_context["view"]
        if user is not None and request.method in getattr(view, "asks_password", ()):
            step_up.refuse_stale(request._request)
        if user is not None and second_factor.is_missing(request._request, user[0]):
            raise second_factor.refused()
        return user


class TokenAuthentication(KnoxAuthentication):
    """``Authorization: Token wino_…``; programs that send it need no CSRF token.

    Malformed headers are refused instead of failing on them.
    """

    def authenticate(self, request: Request) -> Any:
        authenticated = super().authenticate(request)
        if authenticated is not None:
            user, token = authenticated
            _refuse_beyond(token, request, user)
            if second_factor.is_needed(user) and not second_factor.has_one(user):
                raise second_factor.refused()
            _note_use(token)
        return authenticated

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


def _refuse_beyond(token: Any, request: Request, user: Any) -> None:
    view = request.parser_context["view"]
    refuse_without(token, scope_of(view, request.method or "", of_curator=user.is_curator))


def _note_use(token: Any) -> None:
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - EXACT_TO:
        get_token_model().objects.filter(pk=token.pk).update(last_used_at=now)


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


class PageSession(SessionScheme):
    target_class = "winoplatform.api.authentication.SessionAuthentication"
    priority = 1


class TokenScheme(KnoxTokenScheme):
    target_class = "winoplatform.api.authentication.TokenAuthentication"
    name = "token"
