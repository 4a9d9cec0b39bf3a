"""Receivers that add events of accounts to the audit log."""

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.signals import (
    authentication_step_completed,
    email_confirmed,
    email_removed,
    password_reset,
)
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authentication_failed, authenticator_added
from allauth.socialaccount.signals import social_account_added, social_account_removed
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from winoplatform.second_factor import FACTORS
from workers.models import AuditEvent, User
from workers.services import audit
from workers.signals import account_saved

Kind = AuditEvent.Kind


@receiver(user_logged_in, dispatch_uid="workers.signed_in")
def signed_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    records = get_authentication_records(request, user)
    proofs = dict.fromkeys(record.get("type", record["method"]) for record in records)
    audit.record(Kind.SIGN_IN, by=user, account=user, proof=" and ".join(proofs) or "link")


@receiver(user_login_failed, dispatch_uid="workers.sign_in_failed")
def sign_in_failed(sender: Any, credentials: dict[str, Any], **_: Any) -> None:
    # People type passwords into the field of the name, so a name without an account is left out.
    name = credentials.get("username") or ""
    account = User.objects.filter(username=name).first() if "\x00" not in name else None
    kind = Kind.CONFIRM_FAILED if audit.reader() is not None else Kind.SIGN_IN_FAILED
    audit.record(kind, account=account)


@receiver(authentication_failed, dispatch_uid="workers.second_factor_failed")
def second_factor_failed(
    sender: Any, user: User, authenticator: Authenticator, reauthentication: bool, **_: Any
) -> None:
    kind = Kind.CONFIRM_FAILED if reauthentication else Kind.SIGN_IN_FAILED
    audit.record(kind, account=user, proof=authenticator.type)


@receiver(authentication_step_completed, dispatch_uid="workers.confirmed")
def confirmed(sender: Any, user: User, method: str, **facts: Any) -> None:
    if facts.get("reauthenticated"):
        audit.record(Kind.CONFIRMED, account=user, proof=facts.get("type", method))


@receiver(user_logged_out, dispatch_uid="workers.signed_out")
def signed_out(sender: Any, user: User | None, **_: Any) -> None:
    if user is not None:
        audit.record(Kind.SIGN_OUT, by=user, account=user)


@receiver(account_saved, dispatch_uid="workers.account_saved")
def saved(
    sender: Any, instance: User, is_password_new: bool, before: tuple[str, bool] | None, **_: Any
) -> None:
    if is_password_new:
        audit.record(Kind.PASSWORD, account=instance)
    if before not in (None, instance.rights):
        audit.record(Kind.ACCOUNT, account=instance, **_changes(before, instance.rights))


@receiver(password_reset, dispatch_uid="workers.password_reset")
def reset(sender: Any, user: User, **_: Any) -> None:
    audit.record(Kind.LINK_USED, account=user)


def _changes(before: tuple[str, bool], after: tuple[str, bool]) -> dict[str, Any]:
    (old, was_active), (new, is_active) = before, after
    facts = {} if old == new else {"role": f"{old} → {new}"}
    if was_active != is_active:
        facts["active"] = "yes" if is_active else "no"
    return facts


@receiver(authenticator_added, dispatch_uid="workers.factor_shown")
def factor_shown(
    sender: Any, request: HttpRequest, user: User, authenticator: Authenticator, **_: Any
) -> None:
    """A session that sets a second factor up has shown it."""
    if authenticator.type in FACTORS:
        facts = {"id": authenticator.pk, "type": authenticator.type}
        record_authentication(request, user, "mfa", **facts)


@receiver(post_save, sender=Authenticator, dispatch_uid="workers.factor_added")
def factor_added(sender: Any, instance: Authenticator, created: bool, **_: Any) -> None:
    if created:
        audit.record(Kind.FACTOR_ADDED, account=instance.user, factor=instance.type)


@receiver(post_delete, sender=Authenticator, dispatch_uid="workers.factor_removed")
def factor_removed(sender: Any, instance: Authenticator, **_: Any) -> None:
    audit.record(Kind.FACTOR_REMOVED, account=instance.user, factor=instance.type)


@receiver(email_confirmed, dispatch_uid="workers.address_confirmed")
def address_confirmed(sender: Any, email_address: Any, **_: Any) -> None:
    audit.record(Kind.ADDRESS, account=email_address.user, state="confirmed")


@receiver(email_removed, dispatch_uid="workers.address_removed")
def address_removed(sender: Any, user: User, **_: Any) -> None:
    audit.record(Kind.ADDRESS, account=user, state="removed")


@receiver(social_account_added, dispatch_uid="workers.institution_connected")
def institution_connected(sender: Any, sociallogin: Any, **_: Any) -> None:
    audit.record(Kind.INSTITUTION, account=sociallogin.user, state="connected")


@receiver(social_account_removed, dispatch_uid="workers.institution_removed")
def institution_removed(sender: Any, socialaccount: Any, **_: Any) -> None:
    audit.record(Kind.INSTITUTION, account=socialaccount.user, state="removed")
