"""Accounts, and one-time codes for links."""

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from winoplatform.errors import NotFound
from winoplatform.http.scopes import READ, WORK, Scope
from workers.models import ApiToken, AuditEvent, User
from workers.services import audit


def new_code() -> str:
    return secrets.token_urlsafe(32)


def digest_of(code: str) -> str:
    return sha256(code.encode("utf-8", "replace")).hexdigest()


USUAL_SCOPES = (READ, WORK)
Kind = AuditEvent.Kind


@transaction.atomic
def create_user(
    *,
    username: str,
    password: str | None,
    role: str = User.Role.WORKER,
    origin: str = "",
    platform: str = "",
) -> User:
    """Create an account; *password* None means that it cannot sign in with a password.

    *origin* says who is behind it, if the caller knows (``User.Origin``); it never changes.
    """
    user = User(username=username, role=role, origin=origin, platform=platform)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user


def scopes_of(user: User) -> tuple[str, ...]:
    """Return the scopes that a token of *user* can have."""
    return tuple(Scope.values) if user.is_curator else USUAL_SCOPES


@transaction.atomic
def create_token(
    *,
    user: User,
    name: str,
    scopes: Collection[str] = USUAL_SCOPES,
    days: int | None = None,
) -> tuple[ApiToken, str]:
    """Create an API token; return it with its text, which is never stored.

    Parameters
    ----------
    days
        When it expires; None for ``TOKEN_DAYS``, at most ``TOKEN_DAYS_MAX``.

    Raises
    ------
    ValidationError
        For ``scopes`` or ``days``.
    """
    days = settings.TOKEN_DAYS if days is None else days
    if not scopes or not set(scopes) <= set(scopes_of(user)):
        message = _("Choose at least one of: %s.") % ", ".join(scopes_of(user))
        raise ValidationError({"scopes": message})
    if not 1 <= days <= settings.TOKEN_DAYS_MAX:
        raise ValidationError({"days": _("From 1 to %d days.") % settings.TOKEN_DAYS_MAX})
    chosen = [scope for scope in scopes_of(user) if scope in scopes]
    token, text = ApiToken.objects.create(
        user=user, name=name[:80] or "api", scopes=chosen, expiry=timedelta(days=days)
    )
    facts = {"scopes": " ".join(chosen), "days": days}
    audit.record(Kind.TOKEN_MADE, by=user, account=user, what=token.token_key, **facts)
    return token, text


@transaction.atomic
def revoke_token(*, user: User, token_key: str) -> None:
    """Delete one of the user's own tokens."""
    if not _end_tokens(user, token_key=token_key):
        raise NotFound("token")


@transaction.atomic
def revoke_all_tokens(*, user: User) -> int:
    """Delete all tokens of the user; return their number."""
    return _end_tokens(user)


def _end_tokens(user: User, **which: str) -> int:
    # Locked: of two requests that end a token one does, and one event is written.
    tokens = list(ApiToken.objects.select_for_update().filter(user=user, **which))
    for token in tokens:
        token.delete()
        audit.record(Kind.TOKEN_ENDED, by=user, account=user, what=token.token_key)
    return len(tokens)
