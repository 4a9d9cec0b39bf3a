"""Links that work once, opened twice at the same moment."""

from collections.abc import Callable
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from tests.factories import UserFactory
from tests.races.threads import at_once
from workers.models import Invitation, User
from workers.models.invitations import InvitationQuerySet
from workers.services import accept_invitation, invitations, invite

NAMES = ("erin", "finn")
PASSWORD = "quiet-otter-7"


def accepted_twice() -> list[Any]:
    """Let two people accept one invitation, each with a name of their own."""
    _, code = invite(role="worker", by=UserFactory(curator=True))
    accept = partial(accept_invitation, code=code, password=PASSWORD)
    return at_once(*[partial(accept, username=name) for name in NAMES])


def unlocked(rows: Any, **_: Any) -> Any:
    return rows.all()


def after_both(call: Callable[..., Any]) -> Callable[..., Any]:
    """Make *call* wait until the other thread is about to make it too."""
    both = Barrier(2, timeout=30)

    def waiting(*args: Any, **options: Any) -> Any:
        both.wait()
        return call(*args, **options)

    return waiting


def test_of_two_who_accept_an_invitation_at_once_one_gets_an_account() -> None:
    results = accepted_twice()
    (made,) = [result for result in results if isinstance(result, User)]
    (refused,) = [result for result in results if isinstance(result, Exception)]
    assert refused.code == "invitation_invalid"  # type: ignore[attr-defined]
    assert list(User.objects.filter(username__in=NAMES)) == [made]
    assert Invitation.objects.get().user == made


def test_control_without_the_invitations_lock_both_get_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(InvitationQuerySet, "select_for_update", unlocked)
    monkeypatch.setattr(invitations.locks, "take_turns", after_both(invitations.locks.take_turns))
    assert all(isinstance(result, User) for result in accepted_twice())
    assert User.objects.filter(username__in=NAMES).count() == 2
