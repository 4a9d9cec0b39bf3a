"""Password links: who may make them for whom, and what ends them."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from tests.factories import UserFactory
from winoplatform.errors import DomainError
from workers.models import AuditEvent, PasswordLink, User
from workers.services import (
    create_token,
    make_password_link,
    revoke_password_link,
    use_password_link,
)

pytestmark = pytest.mark.django_db
NEW = "loud-heron-8"


@pytest.fixture
def erin() -> User:
    return UserFactory(username="erin", password="quiet-otter-7")


@pytest.fixture
def dana() -> User:
    return UserFactory(username="dana", curator=True, password="quiet-otter-7")


def refused(call: Callable[..., object], **options: object) -> str:
    """Return the code of a call's refusal."""
    with pytest.raises(DomainError) as caught:
        call(**options)
    return caught.value.code


def test_a_link_sets_a_new_password_once_and_ends_tokens(erin: User, dana: User) -> None:
    create_token(user=erin, name="notebook")
    link, code = make_password_link(user=erin, by=dana)
    assert use_password_link(code=code, password=NEW).check_password(NEW)
    link.refresh_from_db()
    assert link.state_at(timezone.now()) == "used"
    assert not erin.auth_token_set.exists()
    assert refused(use_password_link, code=code, password="x") == "password_link_invalid"
    ended = refused(revoke_password_link, public_id=link.public_id, by=link.created_by)
    assert ended == "password_link_used"


@pytest.mark.parametrize("role", ["curator", "admin"])
def test_a_curator_cannot_take_over_a_curator_or_an_admin(role: str, dana: User) -> None:
    other = UserFactory(**{role: True}, password="quiet-otter-7")
    assert refused(make_password_link, user=other, by=dana) == "link_not_allowed"
    admin = UserFactory(admin=True)
    assert make_password_link(user=other, by=admin)[0].user == other


def test_a_worker_makes_no_link_and_an_admin_none_for_the_own_account(erin: User) -> None:
    with pytest.raises(PermissionDenied):
        make_password_link(user=erin, by=UserFactory())
    admin = UserFactory(admin=True, password="quiet-otter-7")
    assert refused(make_password_link, user=admin, by=admin) == "link_not_allowed"


def test_an_account_without_a_password_gets_no_link(dana: User) -> None:
    assert refused(make_password_link, user=UserFactory(), by=dana) == "no_password"


def revoke(link: PasswordLink) -> None:
    revoke_password_link(public_id=link.public_id, by=link.created_by)


def expire(link: PasswordLink) -> None:
    PasswordLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def replace(link: PasswordLink) -> None:
    make_password_link(user=link.user, by=link.created_by)


def change_password(link: PasswordLink) -> None:
    link.user.set_password("third-newt-9")
    link.user.save()


def promote(link: PasswordLink) -> None:
    User.objects.filter(pk=link.user_id).update(role="curator")


def demote_maker(link: PasswordLink) -> None:
    User.objects.filter(pk=link.created_by_id).update(role="worker")


def deactivate(link: PasswordLink) -> None:
    User.objects.filter(pk=link.user_id).update(is_active=False)


@pytest.mark.parametrize(
    "end", [revoke, expire, replace, change_password, promote, demote_maker, deactivate]
)
def test_an_ended_link_sets_no_password(
    end: Callable[[PasswordLink], None], erin: User, dana: User
) -> None:
    link, code = make_password_link(user=erin, by=dana)
    end(link)
    assert refused(use_password_link, code=code, password=NEW) == "password_link_invalid"
    erin.refresh_from_db()
    assert not erin.check_password(NEW)


def test_making_a_link_is_in_the_audit_log_without_its_code(erin: User, dana: User) -> None:
    _, code = make_password_link(user=erin, by=dana)
    event = AuditEvent.objects.get(kind="link_made")
    assert (event.by, event.account) == (dana, erin)
    assert code not in str(AuditEvent.objects.values_list().get(pk=event.pk))
    assert code not in str(PasswordLink.objects.values_list().get())
