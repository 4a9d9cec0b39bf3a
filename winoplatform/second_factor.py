"""Second factors: which sessions have shown one, and who needs one.

With ``CURATORS_NEED_SECOND_FACTOR`` curators and admins see no page, and use no token, without one.
"""

from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError

FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""Recovery codes only stand in for one of these."""


def has_one(user: Any) -> bool:
    return bool(is_mfa_enabled(user, FACTORS))


def is_needed(user: Any) -> bool:
    """Return whether the installation wants a second factor of *user*."""
    return bool(settings.CURATORS_NEED_SECOND_FACTOR and getattr(user, "is_curator", False))


def is_missing(request: HttpRequest, user: Any) -> bool:
    """Return whether *user* needs a second factor that this session has not shown.

    One that was shown and removed since is missing as well.
    """
    if not is_needed(user):
        return False
    if not has_one(user):
        return True
    records = get_authentication_records(request, user)
    return not any(record["method"] == "mfa" for record in records)


def refused() -> DomainError:
    message = _(
        "Curators need a second factor on this installation. Sign in on the pages and set one up "
        "under Your account."
    )
    return DomainError("second_factor_required", message, status=403)
