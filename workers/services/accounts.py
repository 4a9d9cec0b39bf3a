"""Accounts and their tokens."""

from django.db import transaction

from winoplatform.errors import NotFound
from workers.models import ApiToken, User


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


@transaction.atomic
def create_token(*, user: User, name: str) -> tuple[ApiToken, str]:
    """Create an API token; return it with its text, which is never stored."""
    token, text = ApiToken.objects.create(user=user, name=name[:80] or "api")
    return token, text


@transaction.atomic
def revoke_token(*, user: User, token_key: str) -> None:
    """Delete one of the user's own tokens."""
    if not ApiToken.objects.filter(user=user, token_key=token_key).delete()[0]:
        raise NotFound("token")


def worker_named(public_id: str) -> User:
    """Return the worker with that pseudonym; curators and admins are not workers."""
    worker = User.objects.filter(role=User.Role.WORKER, public_id=public_id).first()
    if worker is None:
        raise NotFound("worker")
    return worker
