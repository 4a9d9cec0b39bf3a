"""The pages of allauth, with the access and the refusals of all pages.

Visitors sign in on some, and participants of a crowd platform, who have no account of their own,
see none of the others.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as webauthn
from allauth.socialaccount import views as institution
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from allauth.usersessions import views as usersessions
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from collection.selectors.crowd import is_participant
from frontend.http import CAME_BY_LINK, PageRequest, refused, signed_in
from winoplatform.errors import DomainError

View = Callable[..., HttpResponse]


def for_visitors(view: View, *methods: str) -> View:
    """Show a view's refusals as pages; who signs in is no longer a crowd participant."""

    @never_cache
    @require_http_methods([*(methods or ("GET", "HEAD", "POST"))])
    @wraps(view)
    def opened(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        was_out = not request.user.is_authenticated
        try:
            response = view(request, *args, **kwargs)
        except DomainError as error:
            return refused(cast(PageRequest, request), error)
        if was_out and request.user.is_authenticated:
            response.delete_cookie(CAME_BY_LINK)
        return response

    return opened


def for_owners(view: View) -> View:
    """Open a view to people with an account of their own."""

    @wraps(view)
    def opened(request: PageRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if is_participant(request.user):
            raise PermissionDenied(_("Workers from a crowd platform have no account to change."))
        return view(request, *args, **kwargs)

    return never_cache(signed_in("GET", "HEAD", "POST")(opened))


def _by_page(view: View) -> View:
    """Lead to another site by a page: browsers let no form's answer redirect to one."""

    @wraps(view)
    def led(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response = view(request, **kwargs)
        if response.status_code != 302:
            return response
        return render(request, "socialaccount/leading.html", {"address": response["Location"]})

    return led


def _by_mail(request: HttpRequest) -> HttpResponse:
    """Send a link to set a new password, where the installation sends mails."""
    if settings.SENDS_MAIL:
        return account.password_reset(request)
    return render(request, "account/no_mail.html")


sign_in = for_visitors(account.login)
sign_out = for_visitors(account.logout, "POST")
sign_up = for_visitors(account.signup, "GET", "HEAD")
inactive = for_visitors(account.account_inactive)
second_factor = for_visitors(mfa.authenticate)
passkey_sign_in = for_visitors(webauthn.login_webauthn)
reset = for_visitors(_by_mail)
reset_done = for_visitors(account.password_reset_done)
reset_from_key = for_visitors(account.password_reset_from_key)
reset_from_key_done = for_visitors(account.password_reset_from_key_done)
confirm_email = for_visitors(account.confirm_email)
email_sent = for_visitors(account.email_verification_sent)
institution_sign_in = for_visitors(_by_page(openid_connect.login))
institution_callback = for_visitors(openid_connect.callback)
institution_cancelled = for_visitors(institution.login_cancelled)
institution_error = for_visitors(institution.login_error)

email = for_owners(account.email)
change_password = for_owners(account.password_change)
set_password = for_owners(account.password_set)
reauthenticate = for_owners(account.reauthenticate)
reauthenticate_by_code = for_owners(mfa.reauthenticate)
reauthenticate_by_passkey = for_owners(webauthn.reauthenticate_webauthn)
factors = for_owners(mfa.index)
activate_totp = for_owners(totp.activate_totp)
deactivate_totp = for_owners(totp.deactivate_totp)
view_codes = for_owners(recovery_codes.view_recovery_codes)
generate_codes = for_owners(recovery_codes.generate_recovery_codes)
passkeys = for_owners(webauthn.list_webauthn)
add_passkey = for_owners(webauthn.add_webauthn)
edit_passkey = for_owners(webauthn.edit_webauthn)
remove_passkey = for_owners(webauthn.remove_webauthn)
sessions = for_owners(usersessions.list_usersessions)
institutions = for_owners(institution.connections)
