"""What the tables of accounts and pay hold about people."""

from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from winoplatform.models import Artifact
from winoplatform.personal import (
    ACCOUNT,
    ALL,
    CAMPAIGN,
    LEDGER,
    Identity,
    Period,
    hold,
    no_person,
)
from winoplatform.personal.erasing import since
from winoplatform.personal.mentions import long_enough
from workers.models import (
    ApiToken,
    Attempt,
    AuditEvent,
    Invitation,
    LedgerEntry,
    Pause,
    Payout,
    PayoutLine,
    PersonLabel,
    Proposal,
    Qualification,
    SecondApproval,
    Settlement,
    User,
)
from workers.selectors import SILENT
from workers.sessions import delete_sessions

KEYS = _("keys and codes, which name nobody")
ADDRESSES = Period("KEEP_ADDRESSES_DAYS", _("after the event"), since("created_at"))
SESSIONS = Period("KEEP_SESSIONS_DAYS", _("after the sign-in"), since("created_at"))
TOKENS = Period("KEEP_SESSIONS_DAYS", _("after they expire"), since("expiry"))
INVITATIONS = Period("KEEP_INVITATIONS_DAYS", _("after they expire"), since("expires_at"))


def _named_in_log(person: Identity) -> Q:
    """Return the entries of ``/admin/`` about the account or with a name of its person."""
    account = ContentType.objects.get_for_model(User)
    rows = Q(content_type=account, object_id=str(person.pk))
    for name in long_enough(person.names):
        rows |= Q(object_repr__icontains=name) | Q(change_message__icontains=name)
    return rows


def _invited(person: Identity) -> Q:
    """Return invitations that were sent to the person and not accepted."""
    return Q(user=None) & (Q(email__in=person.names) | Q(username__in=person.names))


def _shown_kind(kind: Any) -> Any:
    return SILENT.get(kind, kind)


hold(
    EmailConfirmation,
    _("codes that confirm an address"),
    _("to confirm it"),
    ACCOUNT,
    about={"email_address__user": ("created", "sent")},
    is_deleted=True,
)
hold(
    EmailAddress,
    _("e-mail addresses"),
    _("links for new passwords, and news of the account"),
    ACCOUNT,
    about={"user": ALL},
    is_deleted=True,
    naming=("email",),
)
hold(
    Authenticator,
    _("second factors"),
    _("to sign in"),
    ACCOUNT,
    about={"user": ("type", "created_at", "last_used_at")},
    is_deleted=True,
)
hold(
    SocialToken,
    _("tokens of an institution"),
    _("to sign in"),
    ACCOUNT,
    about={"account__user": ("expires_at",)},
    is_deleted=True,
)
hold(
    SocialAccount,
    _("the identity at an institution"),
    _("to sign in there"),
    ACCOUNT,
    about={"user": ALL},
    is_deleted=True,
    naming=("uid",),
)
hold(
    UserSession,
    _("sign-ins with address and browser"),
    _("the list of sessions on the account page"),
    SESSIONS,
    about={"user": ("created_at", "ip", "user_agent")},
    is_deleted=True,
)
hold(
    Session,
    _("sessions, with what waits in them for a proof"),
    _("to stay signed in"),
    _("until they expire"),
    eraser=delete_sessions,
    is_deleted=True,
)
hold(
    ApiToken,
    _("tokens for programs, as digests"),
    _("to use the API"),
    TOKENS,
    about={"user": ALL},
    hidden=("digest",),
    is_deleted=True,
)
hold(
    LogEntry,
    _("what admins changed under /admin/"),
    _("to see who did it"),
    ACCOUNT,
    did=("user",),
    further=_named_in_log,
    blank=("object_repr", "change_message"),
    stays={KEYS: ("object_id",)},
)
hold(
    Invitation,
    _("invitations with a name and an address"),
    _("to invite people, and to see who was"),
    INVITATIONS,
    about={"user": ALL},
    did=("created_by",),
    further=_invited,
    hidden=("digest",),
    blank=("username", "email", "own_label"),
    stays={KEYS: ("digest",), _("a role"): ("member_role",)},
    naming=("email", "username"),
)
hold(
    Attempt,
    _("answers to an exercise"),
    _("to decide who may work"),
    CAMPAIGN,
    about={"qualification__worker": ALL},
    stays={_("the choices of an exercise"): ("answers",)},
)
hold(
    Qualification,
    _("passed and failed exercises"),
    _("to decide who may work"),
    CAMPAIGN,
    about={"worker": ALL},
)
hold(
    Pause,
    _("pauses with their reasons"),
    _("the quality of the data"),
    CAMPAIGN,
    about={"worker": ALL},
    wrote={"by": ("reason", "created_at")},
    word=("reason",),
)
hold(
    PersonLabel,
    _("curators’ own labels for people"),
    _("to recognize people beside their pseudonyms"),
    ACCOUNT,
    about={"worker": ("text", "created_at"), "by": ("text", "created_at")},
    is_deleted=True,
)
hold(
    Settlement,
    _("the state of pay"),
    _("to pay once"),
    LEDGER,
    about={"entry__worker": ("entry__unit", "state", "changed_at")},
    did=("by",),
)
hold(SecondApproval, _("second approvals of pay"), _("to pay safely"), LEDGER, did=("by",))
hold(
    Proposal,
    _("acts that one person asked for and another one decided, with a reason"),
    _("so that no one person publishes, retracts or erases alone"),
    CAMPAIGN,
    about={"account": ("kind", "reason", "outcome", "created_at", "decided_at")},
    wrote={"by": ("kind", "reason", "outcome", "created_at", "decided_at")},
    did=("decided_by",),
    blank=("reason",),
)
hold(
    PayoutLine,
    _("what was paid at once"),
    _("to pay"),
    LEDGER,
    about={"worker": ALL},
)
hold(
    Payout,
    _("payouts, without people"),
    _("to pay"),
    LEDGER,
    did=("created_by", "ended_by"),
    stays={KEYS: ("currency",)},
)
hold(
    LedgerEntry,
    _("pay for each unit of work, with a curator’s note"),
    _("to pay, and to account for it"),
    LEDGER,
    about={"worker": ALL},
    wrote={"by": ("amount", "currency", "note", "created_at")},
    shown_as={"kind": _shown_kind},
    blank=("note",),
    stays={KEYS: ("unit", "currency")},
    function="workers_ledgerentry_forget",
)
hold(
    AuditEvent,
    _("acts by which data, money or access leave, with the address they came from"),
    _("to find out what a thief or a dishonest curator did"),
    ADDRESSES,
    about={"account": ("kind", "created_at")},
    wrote={"by": ("kind", "what", "facts", "address", "created_at")},
    blank=("address",),
    stays={
        _("addresses of pages, counts and keys; no text of people"): (
            "what", "facts", "via", "request_id",
        ),
    },
    function="workers_auditevent_forget",
)  # fmt: skip
hold(
    User,
    _("accounts: names, address, password, pseudonym, role and times"),
    _("to sign in, and to know who did what"),
    ACCOUNT,
    about={"pk": ALL},
    hidden=("password",),
    blank=("email", "first_name", "last_name"),
    renewed=("username", "password", "public_id"),
    stays={_("for counts of people in releases"): ("platform",)},
    naming=("username", "email", "last_name"),
)
no_person(_("roles of Django, not used"), Group, Permission, ContentType)
no_person(_("roles of Django, not used"), Group.permissions.through)
hold(
    User.groups.through,
    _("groups of an account, not used"),
    _("Django has the table"),
    ACCOUNT,
    about={"user": ALL},
    is_deleted=True,
)
hold(
    User.user_permissions.through,
    _("permissions of an account, not used"),
    _("Django has the table"),
    ACCOUNT,
    about={"user": ALL},
    is_deleted=True,
)
no_person(_("connections with institutions"), SocialApp)
no_person(_("names of files; their content is that of the tables that refer to them"), Artifact)
