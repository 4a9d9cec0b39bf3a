"""The audit log: written with the act, and never changed."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from tests.factories import UserFactory
from winoplatform.errors import DomainError, NotFound
from workers import services
from workers.models import AuditEvent, User
from workers.services import audit


def kinds() -> list[str]:
    return [*AuditEvent.objects.order_by("pk").values_list("kind", flat=True)]


@pytest.mark.parametrize(
    "change",
    [
        lambda: AuditEvent.objects.update(address="192.0.2.1"),
        lambda: AuditEvent.objects.all().delete(),
        lambda: AuditEvent.objects.get().save(),
    ],
)
def test_an_event_is_never_changed(change: Callable[[], Any]) -> None:
    audit.record("sign_in")
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        change()
    assert AuditEvent.objects.get().address == ""


def test_an_act_that_fails_leaves_no_event() -> None:
    dana = UserFactory(curator=True)
    with transaction.atomic():
        services.invite(role="worker", by=dana)
        transaction.set_rollback(True)
    with pytest.raises(DomainError):
        services.make_password_link(user=dana, by=dana)
    assert kinds() == ["account"]


def test_a_change_of_rights_is_an_event_however_it_is_saved() -> None:
    bob = UserFactory()
    bob.role = User.Role.CURATOR
    bob.save()
    bob.is_active = False
    bob.save(update_fields=["is_active"])
    bob.first_name = "Bob"
    bob.save()
    facts = AuditEvent.objects.order_by("pk").values_list("account", "facts")
    assert [*facts] == [(bob.pk, {"role": "worker → curator"}), (bob.pk, {"active": "no"})]


def test_an_account_that_is_made_with_rights_is_an_event_and_a_workers_is_not() -> None:
    UserFactory()
    assert kinds() == []
    UserFactory(admin=True)
    assert AuditEvent.objects.get().facts == {"role": "worker → admin"}


def test_a_new_password_is_an_event() -> None:
    erin = UserFactory(password="the old one")
    erin.set_password("the new one")
    erin.save(update_fields=["password"])
    assert kinds() == ["password"]


def test_ending_tokens_twice_is_one_event_each() -> None:
    bob = UserFactory()
    first, _ = services.create_token(user=bob, name="a")
    services.create_token(user=bob, name="b")
    services.revoke_token(user=bob, token_key=first.token_key)
    with pytest.raises(NotFound):
        services.revoke_token(user=bob, token_key=first.token_key)
    assert services.revoke_all_tokens(user=bob) == 1
    assert services.revoke_all_tokens(user=bob) == 0
    assert kinds() == ["token_made", "token_made", "token_ended", "token_ended"]


def test_making_a_link_and_ending_an_invitation_twice_is_one_event_each() -> None:
    dana = UserFactory(curator=True)
    invitation, _ = services.invite(role="worker", by=dana)
    services.make_password_link(user=UserFactory(password="x"), by=dana)
    for _repeat in range(2):
        services.revoke_invitation(public_id=invitation.public_id, by=dana)
    assert kinds()[1:] == ["invited", "link_made", "invitation_revoked"]


@pytest.mark.parametrize(
    "asked", [{"scopes": []}, {"scopes": ["curate"]}, {"days": 0}, {"days": 366}]
)
def test_a_token_has_the_scopes_of_its_owner_and_an_end(asked: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        services.create_token(user=UserFactory(), name="x", **asked)
