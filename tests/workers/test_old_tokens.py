"""Tokens made before tokens had scopes and an end (``workers/0008``)."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from knox.crypto import create_token_string, hash_token
from knox.settings import CONSTANTS, knox_settings
from rest_framework.test import APIClient

from tests.old_databases import OldDatabase, latest, migrate
from workers.models import ApiToken
from workers.services import create_token

BEFORE = ("workers", "0007_money")


@pytest.fixture
def old(old_database: OldDatabase) -> Iterator[Any]:
    with old_database([BEFORE]) as apps:
        yield apps


def old_token(old: Any, role: str, expiry: Any = None) -> str:
    """Make a token as the earlier version did; return its text."""
    users = old.get_model("workers", "User").objects
    user = users.create(
        username=f"{role}-{users.count()}", public_id=f"w-{users.count()}", role=role
    )
    text = knox_settings.TOKEN_PREFIX + create_token_string()
    old.get_model("workers", "ApiToken").objects.create(
        user=user, digest=hash_token(text), expiry=expiry,
        token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH],
    )  # fmt: skip
    return text


def status(text: str, path: str = "/api/v1/me/", method: str = "get", **body: Any) -> int:
    client = APIClient(raise_request_exception=False)
    client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    return int(getattr(client, method)(path, body, format="json").status_code)


def stored(text: str) -> ApiToken:
    return ApiToken.objects.get(digest=hash_token(text))


@pytest.mark.long
def test_old_tokens_go_on_with_their_owners_scopes_and_an_end(old: Any) -> None:
    now, in_a_week = timezone.now(), timezone.now() + timedelta(days=7)
    bob, dana = old_token(old, "worker"), old_token(old, "curator")
    brief, over = old_token(old, "curator", in_a_week), old_token(old, "worker", now)
    migrate(latest())
    assert stored(bob).scopes == ["read", "work"]
    assert stored(dana).scopes == stored(brief).scopes == ["read", "work", "curate", "pay"]
    for text in (bob, dana):
        assert abs(stored(text).expiry - now - timedelta(days=90)) < timedelta(hours=1)
    assert stored(brief).expiry == in_a_week
    assert [status(text) for text in (bob, dana, brief, over)] == [200, 200, 200, 401]
    assert status(dana, "/api/v1/campaigns/", "post", slug="new", name="New") == 201
    assert status(bob, "/api/v1/campaigns/", "post", slug="other", name="Other") == 403
    # A token made after the upgrade says what it may do.
    assert create_token(user=stored(dana).user, name="new")[0].scopes == ["read", "work"]
