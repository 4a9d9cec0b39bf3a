"""Links with which people set a new password, made by curators for whom no mail reaches."""

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError
from workers.models import AuditEvent, User
from workers.services import audit


@transaction.atomic
def make_password_link(*, user: User, by: User) -> str:
    """Return the path of a link for *user*, as allauth sends it by mail.

    Admins make links for everybody else, curators for workers only: a link is enough to take over
    an account without a second factor.

    Raises
    ------
    DomainError
        ``link_not_allowed`` (403), or ``no_password`` for an account that cannot have one.
    """
    if not by.is_curator:
        raise PermissionDenied
    _check_allowed(user, by)
    audit.record(AuditEvent.Kind.LINK_MADE, by=by, account=user)
    key = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
    return reverse("account_reset_password_from_key", kwargs=key)


def _check_allowed(user: User, by: User) -> None:
    if user.pk == by.pk:
        raise _not_allowed(_("Change your own password on your account page."))
    if user.role != User.Role.WORKER and by.role != User.Role.ADMIN:
        raise _not_allowed(_("Only an admin can make a link for a curator or an admin."))
    if not user.is_active or not user.has_usable_password():
        raise DomainError("no_password", _("This account is inactive or has no password."))


def _not_allowed(message: str) -> DomainError:
    return DomainError("link_not_allowed", message, status=403)
