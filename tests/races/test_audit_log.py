"""One act is one event, also if it is asked for several times at once."""

import time
from functools import partial
from typing import Any

import pytest

from tests.factories import ApiTokenFactory, UserFactory
from tests.races.threads import at_once
from workers import services
from workers.models import ApiToken, AuditEvent, User
from workers.services import accounts, audit

ROUNDS = 5


def events_of(kind: str, *calls: Any) -> int:
    before = AuditEvent.objects.filter(kind=kind).count()
    at_once(*calls)
    return AuditEvent.objects.filter(kind=kind).count() - before


def test_tokens_that_are_ended_at_once_are_one_event_each() -> None:
    for _ in range(ROUNDS):
        user = UserFactory()
        token = ApiTokenFactory(user=user)
        ApiTokenFactory(user=user)
        one = partial(services.revoke_token, user=user, token_key=token.token_key)
        every = partial(services.revoke_all_tokens, user=user)
        assert events_of("token_ended", one, every, one, every) == 2


def unlocked(user: User, **which: str) -> int:
    tokens = list(ApiToken.objects.filter(user=user, **which))
    for token in tokens:
        time.sleep(0.05)
        token.delete()
        audit.record("token_ended", by=user)
    return len(tokens)


def test_without_the_lock_they_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "_end_tokens", unlocked)
    user = UserFactory()
    ApiTokenFactory(user=user)
    every = partial(services.revoke_all_tokens, user=user)
    assert events_of("token_ended", every, every) == 2


def test_links_that_are_revoked_at_once_are_one_event() -> None:
    dana = UserFactory(curator=True)
    for _ in range(ROUNDS):
        made, _code = services.invite(role="worker", by=dana)
        end = partial(services.revoke_invitation, public_id=made.public_id, by=dana)
        assert events_of("invitation_revoked", end, end, end) == 1
