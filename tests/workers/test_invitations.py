"""Invitations: one person, one account, one time."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from tests.factories import UserFactory
from winoplatform.errors import DomainError
from workers.models import Invitation, User
from workers.services import (
    accept_invitation,
    invite,
    invite_all,
    open_invitation,
    read_invited,
    revoke_invitation,
)

ROLES = ("worker", "curator", "viewer")
GOOD = {"username": "erin", "password": "quiet-otter-7"}


def refused(call: Callable[..., object], *args: object, **options: object) -> DomainError:
    """Return the refusal of a call."""
    with pytest.raises(DomainError) as caught:
        call(*args, **options)
    return caught.value


def problems(*rows: str) -> list[str]:
    text = "\n".join(["username,email,role", *rows])
    return [row.problem for row in read_invited(text, ROLES)]


def test_an_invited_person_makes_an_account_with_the_invited_role(dana: User) -> None:
    made, code = invite(role="curator", by=dana, email="erin@example.org")
    user = accept_invitation(code=code, **GOOD)
    made.refresh_from_db()
    assert (user.role, user.email, user.is_staff) == ("curator", "erin@example.org", False)
    assert (made.username, made.email) == ("", ""), "the account alone names the person"
    assert user.origin == "invited"
    assert user.check_password(GOOD["password"])
    assert (made.user, made.state_at(timezone.now())) == (user, "accepted")


def test_the_code_is_not_stored(dana: User) -> None:
    _, code = invite(role="worker", by=dana)
    stored = [str(value) for value in Invitation.objects.values_list().get()]
    assert not any(code in value for value in stored)


@pytest.mark.parametrize("ending", ["used", "revoked", "expired", "unknown", "demoted", "inactive"])
def test_an_ended_invitation_is_refused_in_the_same_words(ending: str, dana: User) -> None:
    made, code = invite(role="worker", by=dana)
    if ending == "used":
        accept_invitation(code=code, username="first", password="quiet-otter-7")
    elif ending == "revoked":
        revoke_invitation(public_id=made.public_id, by=made.created_by)
    elif ending == "expired":
        past = timezone.now() - timedelta(seconds=1)
        Invitation.objects.update(expires_at=past)
    elif ending == "unknown":
        code = code[::-1]
    else:
        changes = {"role": "worker"} if ending == "demoted" else {"is_active": False}
        User.objects.filter(pk=dana.pk).update(**changes)
    error = refused(accept_invitation, code=code, **GOOD)
    assert (error.code, error.status) == ("invitation_invalid", 410)
    assert refused(open_invitation, code=code).message == error.message
    assert not User.objects.filter(username="erin").exists()


# Full-width letters are stored as the usual ones, so the name would look like the curator's.
@pytest.mark.parametrize("name", ["dana", "DANA", "ｄａｎａ", "ＤＡＮＡ", "finn", "ＦＩＮＮ"])
def test_a_taken_or_reserved_name_leaves_the_invitation_open(name: str, dana: User) -> None:
    invite(role="curator", by=dana, username="finn")
    _, code = invite(role="worker", by=dana)
    with pytest.raises(ValidationError, match="taken"):
        accept_invitation(code=code, username=name, password="quiet-otter-7")
    assert accept_invitation(code=code, **GOOD).username == "erin"


def test_a_list_sees_that_names_differ_in_width_only(dana: User) -> None:
    rows = read_invited(
        "username,email,role\nＤＡＮＡ,,worker\nerin,,worker\nＥＲＩＮ,,worker\n", ROLES
    )
    assert [bool(row.problem) for row in rows] == [True, False, True]


def test_an_invitation_ends_with_its_makers_role(dana: User) -> None:
    made, _ = invite(role="worker", by=dana)
    User.objects.filter(pk=dana.pk).update(role="worker")
    assert Invitation.objects.get(pk=made.pk).state_at(timezone.now()) == "revoked"


def test_a_name_on_the_invitation_cannot_be_changed(dana: User) -> None:
    _, code = invite(role="worker", by=dana, username="erin")
    accepted = accept_invitation(code=code, username="dana2", password="quiet-otter-7")
    assert accepted.username == "erin"


def test_an_accepted_invitation_cannot_be_revoked(dana: User) -> None:
    made, code = invite(role="worker", by=dana)
    accept_invitation(code=code, **GOOD)
    assert (
        refused(revoke_invitation, public_id=made.public_id, by=made.created_by).code
        == "invitation_accepted"
    )


def test_only_curators_invite_and_never_an_admin(dana: User) -> None:
    with pytest.raises(PermissionDenied):
        invite(role="worker", by=UserFactory())
    with pytest.raises(ValidationError):
        invite(role="admin", by=dana)


def test_a_list_invites_all_or_nobody(dana: User) -> None:
    head = "role,username,email\n"
    good = "worker,erin,erin@example.org\nviewer,Finn,\n"
    bad = head + good + "admin,gina,\n"
    to: Any = {"campaign": uuid4(), "roles": ROLES, "by": dana}
    assert refused(invite_all, text=bad, **to).code == "invitations_invalid"
    assert not Invitation.objects.exists()
    made = invite_all(text="\ufeff" + head + good, **to)
    assert [(one.username, one.role, one.member_role) for one, _ in made] == [
        ("erin", "worker", "worker"),
        ("Finn", "curator", "viewer"),
    ]
    assert len({code for _, code in made}) == 2
    assert refused(invite_all, text=head + good, **to).code == "invitations_invalid"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("=1+1,,worker", "letters, digits"),
        ('"=HYPERLINK(""http://x"")",,worker', "letters, digits"),
        ("a\x00b,,worker", "NUL"),
        (",a@example.org,worker", "missing"),
        ("dana,,worker", "taken"),
        ("Dana,,worker", "taken"),
        ("gina,,admin", "worker, curator, viewer"),
        ("gina,,", "worker, curator, viewer"),
        ("gina,nowhere,worker", "not valid"),
        ("gina,a@example.org", "has 2 cells"),
        ("gina,a@example.org,worker,extra", "has 4 cells"),
        ("g" * 151 + ",,worker", "too long"),
    ],
)
def test_a_hostile_row_has_its_problem_told(row: str, problem: str, dana: User) -> None:
    assert problem in problems(row)[0]


def test_a_name_twice_on_a_list_is_a_problem_of_the_second(dana: User) -> None:
    first, second = problems("gina,,worker", "GINA,,curator")
    assert (first, "twice" in second) == ("", True)


@pytest.mark.parametrize(
    "text",
    ["", "username,email,role\n", "name,mail\nx,y\n", '"', "x" * 300_000,
     "username,email,role\n" + "a,,worker\n" * 501],
    ids=["empty", "no people", "columns", "quote", "long", "rows"],
)  # fmt: skip
def test_what_is_no_list_is_refused(text: str) -> None:
    assert refused(read_invited, text, ROLES).code == "list_unreadable"
