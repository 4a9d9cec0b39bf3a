"""Password links: make, revoke and use links with which people set a new password."""

import uuid
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError, NotFound
from workers.models import AuditEvent, PasswordLink, User
from workers.services import audit
from workers.services.codes import digest_of, new_code

LASTS = timedelta(days=3)


@transaction.atomic
def make_password_link(*, user: User, by: User) -> tuple[PasswordLink, str]:
    """Make a link for *user* and revoke the earlier ones; return it with its code.

    Admins make links for everybody else, curators for workers only: a link is enough to take over
    an account.

    Raises
    ------
    DomainError
        ``link_not_allowed`` (403), or ``no_password`` for an account that cannot have one.
    """
    if not by.is_curator:
        raise PermissionDenied
    # The account is locked before its links, as when a link is used.
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    _check_allowed(user, by)
    now = timezone.now()
    user.password_links.all().revoke(now)
    code = new_code()
    link = PasswordLink(
        digest=digest_of(code), user=user, created_by=by, created_at=now, expires_at=now + LASTS
    )
    link.full_clean()
    link.save()
    audit.record(AuditEvent.Kind.LINK_MADE, by=by, account=user, what=link)
    return link, code


def _check_allowed(user: User, by: User) -> None:
    if user.pk == by.pk:
        raise _not_allowed(_("Change your own password on your account page."))
    if user.role != User.Role.WORKER and by.role != User.Role.ADMIN:
        raise _not_allowed(_("Only an admin can make a link for a curator or an admin."))
    if not user.is_active or not user.has_usable_password():
        raise DomainError("no_password", _("This account is inactive or has no password."))


def _not_allowed(message: str) -> DomainError:
    return DomainError("link_not_allowed", message, status=403)


def open_password_link(code: str) -> PasswordLink:
    """Return the link of a code.

    Raises
    ------
    DomainError
        ``password_link_invalid``, the same for a code that is unknown, expired, used or revoked.
    """
    rows = PasswordLink.objects.open(timezone.now()).select_related("user")
    found = rows.filter(digest=digest_of(code)).first()
    if found is None:
        raise DomainError(
            "password_link_invalid",
            _(
                "This link cannot be used: it was used already, has expired, or was revoked. "
                "Ask the person who sent it for another one."
            ),
            status=410,
        )
    return found


@transaction.atomic
def use_password_link(*, code: str, password: str) -> User:
    """Set a new password; sessions and tokens end. Of two attempts at the same time one succeeds.

    Raises
    ------
    DomainError
        ``password_link_invalid``.
    """
    found = open_password_link(code)
    # A new password revokes the account's links, so the account is always locked first.
    user = User.objects.select_for_update(no_key=True).get(pk=found.user_id)
    link = open_password_link(code)
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    user.set_password(password)
    user.save(update_fields=["password"])
    audit.record(AuditEvent.Kind.LINK_USED, account=user, what=link)
    return user


@transaction.atomic
def revoke_password_link(*, public_id: uuid.UUID, by: User) -> None:
    """Revoke a link that was not used; repeating it has no effect.

    Raises
    ------
    DomainError
        ``not_found``, or ``password_link_used``.
    """
    rows = PasswordLink.objects.filter(public_id=public_id)
    revoked = rows.revoke(timezone.now())
    found = rows.select_related("user").first()
    if found is None:
        raise NotFound("password link")
    if found.used_at:
        raise DomainError("password_link_used", _("This link was used already."), status=409)
    if revoked:
        audit.record(AuditEvent.Kind.LINK_REVOKED, by=by, account=found.user, what=found)
