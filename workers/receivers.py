"""Receivers that add events of accounts to the audit log."""

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from winoplatform import step_up
from workers.models import AuditEvent, User
from workers.services import audit
from workers.signals import account_changed, password_renewed

Kind = AuditEvent.Kind


@receiver(user_logged_in, dispatch_uid="workers.signed_in")
def signed_in(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    by_password = getattr(request, "password_was_right_for", None) == user
    if by_password:
        step_up.confirm(request)
    audit.record(Kind.SIGN_IN, by=user, account=user, proof="password" if by_password else "link")


@receiver(user_login_failed, dispatch_uid="workers.sign_in_failed")
def sign_in_failed(sender: Any, credentials: dict[str, Any], **_: Any) -> None:
    # People type passwords into the field of the name, so a name without an account is left out.
    name = credentials.get("username") or ""
    account = User.objects.filter(username=name).first() if "\x00" not in name else None
    audit.record(Kind.SIGN_IN_FAILED, account=account)


@receiver(user_logged_out, dispatch_uid="workers.signed_out")
def signed_out(sender: Any, user: User | None, **_: Any) -> None:
    if user is not None:
        audit.record(Kind.SIGN_OUT, by=user, account=user)


@receiver(password_renewed, dispatch_uid="workers.password_renewed")
def renewed(sender: Any, instance: User, **_: Any) -> None:
    audit.record(Kind.PASSWORD, account=instance)


@receiver(account_changed, dispatch_uid="workers.account_changed")
def changed(sender: Any, instance: User, before: tuple[str, bool], **_: Any) -> None:
    (old, was_active), (new, is_active) = before, instance.rights
    facts: dict[str, Any] = {} if old == new else {"role": f"{old} → {new}"}
    if was_active != is_active:
        facts["active"] = "yes" if is_active else "no"
    audit.record(Kind.ACCOUNT, account=instance, **facts)
