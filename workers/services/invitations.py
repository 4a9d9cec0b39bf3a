"""Invitations: make, list from a CSV file, revoke and accept them."""

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext as _

from tabular import Record, as_stream, read_records
from winoplatform.db import locks
from winoplatform.errors import Conflict, DomainError, existing
from workers.models import AuditEvent, Invitation, User
from workers.models.person_labels import LONGEST_LABEL
from workers.services import audit
from workers.services.accounts import digest_of, new_code
from workers.services.person_labels import label_person

LASTS = timedelta(days=7)
MOST_ROWS = 500
MOST_CHARACTERS = 256 * 1024
FIELDS = ("username", "email", "role")
LABEL = "label"
OF_ROW = frozenset({"wrong_columns", "column_unnamed", "has_nul", "not_an_object"})
"""Problems of `tabular` that are told beside their row; others make the list unreadable."""


@dataclass(frozen=True, slots=True)
class Invited:
    """One row of a list of people; ``problem`` says why it cannot be used."""

    line: int
    username: str
    email: str
    role: str
    own_label: str = ""
    problem: str = ""


@transaction.atomic
def invite(
    *,
    role: str,
    by: User,
    username: str = "",
    email: str = "",
    own_label: str = "",
    campaign: uuid.UUID | None = None,
    member_role: str = "",
    public_id: uuid.UUID | None = None,
    now: datetime | None = None,
    lasts: timedelta = LASTS,
) -> tuple[Invitation, str]:
    """Make an invitation for one person; return it with its code, which is never stored.

    Raises
    ------
    DomainError
        ``invitation_made`` if there is one with this ``public_id``: the request is a repeated one,
        and the code was shown to the first.
    """
    if not by.is_curator:
        raise PermissionDenied
    if public_id is not None:
        _refuse_repeated(public_id)
    now = now or timezone.now()
    code = new_code()
    invitation = Invitation(
        public_id=public_id or uuid.uuid4(),
        digest=digest_of(code),
        role=role,
        username=username,
        email=email,
        own_label=own_label.strip(),
        campaign=campaign,
        member_role=member_role,
        created_by=by,
        created_at=now,
        expires_at=now + lasts,
    )
    invitation.full_clean()
    invitation.save()
    audit.record(AuditEvent.Kind.INVITED, by=by, what=invitation, role=role)
    return invitation, code


def _refuse_repeated(public_id: uuid.UUID) -> None:
    locks.take_turns("invitations")
    if Invitation.objects.filter(public_id=public_id).exists():
        raise Conflict(
            "invitation_made",
            _(
                "This invitation was made already, and its link was shown once. If you do not have "
                "the link, revoke the invitation and make another one."
            ),
        )


@transaction.atomic
def invite_all(
    *, text: str, by: User, campaign: uuid.UUID, roles: Collection[str]
) -> list[tuple[Invitation, str]]:
    """Invite everybody on a CSV list to a campaign, or nobody if one row has a problem.

    *roles* are those of the campaign that the list may have.

    Raises
    ------
    DomainError
        ``invitations_invalid``, or what ``read_invited`` raises.
    """
    # Serialized: two curators with the same list must not reserve a name twice.
    locks.take_turns("invitations")
    rows = read_invited(text, roles)
    if any(row.problem for row in rows):
        raise Conflict(
            "invitations_invalid",
            _("The list has rows with problems, so no invitation was made."),
            details={
                "rows": [{"line": row.line, "problem": row.problem} for row in rows if row.problem]
            },
        )
    return [
        invite(
            role=account_role(row.role),
            by=by,
            username=row.username,
            email=row.email,
            own_label=row.own_label,
            campaign=campaign,
            member_role=row.role,
        )
        for row in rows
    ]


def account_role(member_role: str) -> str:
    """Return the kind of account that a role in a campaign needs."""
    role = Invitation.Role
    return role.WORKER if member_role == role.WORKER else role.CURATOR


def read_invited(text: str, roles: Collection[str]) -> list[Invited]:
    """Read a table with the columns username, email and role, and check each row.

    A column label is read too, further ones are not.

    Raises
    ------
    DomainError
        ``list_unreadable`` if it is no such table, or longer than the limits.
    """
    if len(text) > MOST_CHARACTERS:
        raise _unreadable(_("The list is too long: at most %d people.") % MOST_ROWS)
    rows = list(_rows(text))
    if len(rows) > MOST_ROWS:
        raise _unreadable(_("The list is too long: at most %d people.") % MOST_ROWS)
    if not rows:
        raise _unreadable(_("The list has no people."))
    return list(_checked(rows, roles))


def invites_curators(text: str) -> bool:
    """Return whether a list has anybody but workers on it, as its text says."""
    return any(row.role not in ("", Invitation.Role.WORKER) for row in _rows(text))


def _unreadable(message: str) -> DomainError:
    return DomainError("list_unreadable", message)


def _rows(text: str) -> Iterator[Invited]:
    source = as_stream(text)
    known = (*FIELDS, LABEL)
    for record in read_records(source, known=known, required=FIELDS, longest=MOST_CHARACTERS):
        fault = record.problem
        if fault is not None and fault.code not in OF_ROW:
            raise _unreadable(
                _("Line %(line)d: %(problem)s") % {"line": record.line, "problem": fault.sentence}
            )
        yield _row(record)


def _row(record: Record) -> Invited:
    if record.problem is not None:
        return Invited(record.line, "", "", "", problem=record.problem.sentence)
    username, email, role, label = (_cell(record.fields, name) for name in (*FIELDS, LABEL))
    return Invited(record.line, username, email, role.casefold(), label)


def _cell(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return "" if value is None else str(value).strip()


def _checked(rows: Sequence[Invited], roles: Collection[str]) -> Iterator[Invited]:
    # PostgreSQL's text has no NUL characters.
    taken = _taken([_compared(row.username) for row in rows if "\x00" not in row.username])
    for row in rows:
        yield replace(row, problem=row.problem or _problem(row, taken, roles))
        taken.add(_compared(row.username))


def _compared(name: str) -> str:
    """Return a name as names are compared: normalised as Django stores it, and in lower case."""
    return User.normalize_username(name).lower()


def _taken(names: Sequence[str], *, besides: Invitation | None = None) -> set[str]:
    """Return which of the compared *names* an account or an open invitation has."""
    taken_names: set[str] = set()
    reserved = Invitation.objects.open(timezone.now())
    if besides is not None:
        reserved = reserved.exclude(pk=besides.pk)
    for rows in (User.objects.all(), reserved):
        lowered = rows.annotate(lowered=Lower("username")).filter(lowered__in=names)
        taken_names.update(lowered.values_list("lowered", flat=True))
    return taken_names


def _problem(row: Invited, taken: set[str], roles: Collection[str]) -> str:
    if not row.username:
        return _("The user name is missing.")
    try:
        UnicodeUsernameValidator()(row.username)
    except ValidationError:
        return _("A user name has letters, digits and @ . + - _ only.")
    if len(row.username) > 150 or len(row.email) > 254 or len(row.own_label) > LONGEST_LABEL:
        return _("The user name, the e-mail address or the label is too long.")
    if _compared(row.username) in taken:
        return _("This user name is taken, or is on the list twice.")
    if row.role not in roles:
        return _("The role must be one of: %s.") % ", ".join(roles)
    return _mail_problem(row.email)


def _mail_problem(email: str) -> str:
    try:
        if email:
            validate_email(email)
    except ValidationError:
        return _("The e-mail address is not valid.")
    return ""


def open_invitation(code: str) -> Invitation:
    """Return the invitation of a code.

    Raises
    ------
    DomainError
        ``invitation_invalid``, the same for a code that is unknown, expired, used or revoked.
    """
    invitation = Invitation.objects.open(timezone.now()).filter(digest=digest_of(code)).first()
    if invitation is None:
        raise invalid_invitation()
    return invitation


def invalid_invitation() -> DomainError:
    """Return the refusal of a code that is unknown, expired, used or revoked."""
    return DomainError(
        "invitation_invalid",
        _(
            "This invitation cannot be used: it was used already, has expired, or was revoked. "
            "Ask the person who sent it for another one."
        ),
        status=410,
    )


@transaction.atomic
def accept_invitation(*, code: str, username: str, password: str) -> User:
    """Make the account of an invited person; of two attempts at the same time one succeeds.

    Raises
    ------
    DomainError
        ``invitation_invalid``.
    ValidationError
        If the user name is taken or not valid; the invitation stays open.
    """
    now = timezone.now()
    invitation = _locked(code, now)
    name = User.normalize_username(invitation.username or username)
    user = User(
        username=name,
        email=invitation.email,
        role=invitation.role,
        origin=User.Origin.INVITED,
    )
    user.set_password(password)  # slow, so before the lock
    locks.take_turns("invitations")
    # Names that differ in case or width only look like the same person.
    if "\x00" not in name and _taken([_compared(name)], besides=invitation):
        raise ValidationError({"username": _("This user name is taken.")})
    user.full_clean()
    user.save()
    _accept(invitation, user, now)
    return user


@transaction.atomic
def join_by_invitation(*, code: str, user: User) -> Invitation:
    """Use an invitation to a campaign for an account that exists.

    Raises
    ------
    DomainError
        ``invitation_invalid``, or ``invitation_for_others`` if it is for another kind of account or
        for no campaign.
    """
    now = timezone.now()
    invitation = _locked(code, now)
    is_of_curators = invitation.role == Invitation.Role.CURATOR
    if invitation.campaign is None or is_of_curators != user.is_curator:
        raise Conflict(
            "invitation_for_others",
            _("This invitation makes a new account: sign out first, then open the link again."),
        )
    _accept(invitation, user, now)
    return invitation


def _locked(code: str, now: datetime) -> Invitation:
    rows = Invitation.objects.open(now).select_for_update(of=("self",))
    invitation = rows.filter(digest=digest_of(code)).first()
    if invitation is None:
        raise invalid_invitation()
    return invitation


def _accept(invitation: Invitation, user: User, now: datetime) -> None:
    label_person(worker=user, text=invitation.own_label, by=invitation.created_by)
    invitation.user, invitation.accepted_at = user, now
    invitation.username = invitation.email = invitation.own_label = ""
    invitation.save(update_fields=["user", "accepted_at", "username", "email", "own_label"])
    accepted = AuditEvent.Kind.INVITATION_ACCEPTED
    audit.record(accepted, by=user, account=user, what=invitation, role=invitation.role)


@transaction.atomic
def revoke_invitation(*, public_id: uuid.UUID, by: User) -> Invitation:
    """Revoke an invitation that was not accepted; repeating it has no effect.

    Raises
    ------
    DomainError
        ``not_found``, or ``invitation_accepted``.
    """
    rows = Invitation.objects.visible_to(by).filter(public_id=public_id)
    revoked = rows.filter(accepted_at=None, revoked_at=None).update(
        revoked_at=timezone.now(), username="", email="", own_label=""
    )
    found = existing(rows.first(), "invitation")
    if found.accepted_at:
        raise Conflict(
            "invitation_accepted",
            _("This invitation was accepted. Pause the worker to stop new work."),
        )
    if revoked:
        audit.record(AuditEvent.Kind.INVITATION_REVOKED, by=by, what=found)
    return found
