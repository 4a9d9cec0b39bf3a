"""Where allauth leaves a decision to the platform: limits, mails, and names of passkeys.

Source: allauth's documentation, *Adapter* of each of its apps.
"""

import time
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.core import context, ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from winoplatform.errors import DomainError
from winoplatform.http import step_up, throttle
from winoplatform.http.throttle import network_of
from workers.models import AuditEvent
from workers.services import audit

ADDRESS_SECONDS = 300


class AccountAdapter(DefaultAccountAdapter):
    """Accounts by invitation, and limits that keep nobody out for long."""

    _address = ""  # under which this attempt is counted

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": _(
            "There were too many attempts to sign in. Wait five minutes, then try again."
        ),
        "username_password_mismatch": _(
            "Please enter a correct username and password. Note that both fields may be "
            "case-sensitive."
        ),
        "incorrect_password": _("The password is wrong."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt of the address, of the account from this network, and of the account."""
        self._address = f"sign-ins from {network_of(self.get_client_ip(request))}"
        # Not allauth's counter: it refuses who waits a second for its lock, so a class that signs
        # in at once would be kept out for five minutes.
        if throttle.count(
            self._address,
            limit=settings.SIGN_IN_ATTEMPTS_OF_ADDRESS,
            window_seconds=ADDRESS_SECONDS,
        ):
            raise self.validation_error("too_many_login_attempts")
        super().pre_authenticate(request, **credentials)
        name = str(credentials.get("username", "")).casefold()
        if not ratelimit.consume(request, action="sign_in_account", key=name):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        try:
            return super().authenticate(request, **credentials)
        except DomainError:  # too many at once: the password was not checked
            self._rollback_login_failed_rl_usage()
            raise

    def _rollback_login_failed_rl_usage(self) -> None:
        super()._rollback_login_failed_rl_usage()
        if self._address:
            throttle.take_back(self._address, window_seconds=ADDRESS_SECONDS)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # Guesses from elsewhere do not keep the owner out.
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{network_of(self.get_client_ip(request))}"

    def is_reauthentication_required(self, *, app: str, **_options: Any) -> bool:
        """A sign-in some minutes ago is a proof as well."""
        records = get_authentication_records(self.request, self.request.user)
        latest = max((record["at"] for record in records), default=0.0)
        return time.time() - latest >= settings.ACCOUNT_REAUTHENTICATION_TIMEOUT

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if not methods:
            message = now("Sign out, sign in again, and do it within ten minutes.")
            raise PermissionDenied(message)
        return methods

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        if not settings.SENDS_MAIL:
            return
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError) as error:
            message = now("The mail could not be sent. Please try again in some minutes.")
            raise DomainError("mail_unavailable", message, status=503) from error

    def send_password_reset_mail(self, user: Any, email: str, context: dict[str, Any]) -> None:
        audit.record(AuditEvent.Kind.LINK_MADE, account=user, sent="by mail")
        super().send_password_reset_mail(user, email, context)


class InstitutionAdapter(DefaultSocialAccountAdapter):
    """Connect an identity only with a proof that was given before.

    Allauth would keep it in the session, and connect it with the next proof, whatever that is for:
    so a thief of the session would wait for its owner.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        is_connecting = sociallogin.state.get("process") == AuthProcess.CONNECT
        if is_connecting and not step_up.is_recent(request):
            back = urlencode({"next": reverse("socialaccount_connections")})
            raise ImmediateHttpResponse(redirect(f"{reverse('account_reauthenticate')}?{back}"))


class SessionsAdapter(DefaultUserSessionsAdapter):
    """Sessions that are ended from the list are in the audit log."""

    def end_sessions(self, sessions: Any) -> None:
        super().end_sessions(sessions)
        account = context.request.user
        audit.record(AuditEvent.Kind.SESSIONS_ENDED, account=account, count=len(sessions))


class SecondFactorAdapter(DefaultMFAAdapter):
    """Names of passkeys."""

    def generate_authenticator_name(self, user: Any, type: str) -> str:
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return str(now("Passkey %d") % (count + 1))
