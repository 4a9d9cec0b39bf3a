"""Pages of a person's own account."""

from typing import Any, cast

from allauth.account import forms as allauth_forms
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from collection.selectors.crowd import is_participant
from collection.selectors.known_people import known_to_none_but, may_renew_password, names_for
from frontend.forms import exact_text, with_plain_help
from frontend.http import PageRequest, signed_in
from winoplatform import clock
from winoplatform.http import step_up
from winoplatform.http.rights import reader
from winoplatform.http.scopes import Scope
from workers import services
from workers.forms import bounded
from workers.models import ApiToken, AuditEvent, User
from workers.services import scopes_of

OFFERED_DAYS = (1, 7, 30, 90, 365)


LABELS = {
    "oldpassword": later("Current password"),
    "password1": later("New password"),
    "password2": later("New password (again)"),
}


class BoundedPasswords:
    """Passwords of limited length, and sentences that say what a good one is."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in {"password", "oldpassword", "password1", "password2"} & self.fields.keys():
            bounded(self.fields[name]).widget.attrs.pop("placeholder", None)
            self.fields[name].label = LABELS.get(name, self.fields[name].label)
            if name != "password1":
                self.fields[name].help_text = ""
        if "password1" in self.fields:
            with_plain_help(cast(forms.BaseForm, self), "password1")


class SignInForm(BoundedPasswords, allauth_forms.LoginForm):
    """Allauth's, for a name and a password."""


class ReauthenticateForm(BoundedPasswords, allauth_forms.ReauthenticateForm):
    """Allauth's; the password is asked again."""


class ChangePasswordForm(BoundedPasswords, allauth_forms.ChangePasswordForm):
    """Allauth's, for a person with a password."""


class SetPasswordForm(BoundedPasswords, allauth_forms.SetPasswordForm):
    """Allauth's, for a person without one."""


class NewPasswordForm(BoundedPasswords, allauth_forms.ResetPasswordKeyForm):
    """Allauth's, for a person with a link."""


class AddPasskeyForm(AddWebAuthnForm):
    """Allauth's; a passkey replaces the password unless that is unticked."""

    name = forms.CharField(label=later("Name"), required=False, max_length=80)
    passwordless = forms.BooleanField(
        label=later("Sign in with this passkey alone, without the password"),
        required=False,
        initial=True,
    )


class TokenForm(forms.Form):
    name = forms.CharField(
        label=later("Name"),
        max_length=80,
        help_text=later("A name for the token, such as “notebook”."),
    )
    scopes = forms.MultipleChoiceField(
        label=later("It may"),
        widget=forms.CheckboxSelectMultiple,
        help_text=later(
            "Choose no more than the program needs: anyone who has the token can do it."
        ),
    )
    days = forms.TypedChoiceField(label=later("Expires after"), coerce=int)

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        scopes: Any = self.fields["scopes"]
        scopes.choices = [(scope, Scope(scope).label) for scope in scopes_of(user)]
        scopes.initial = [Scope.READ.value]
        days: Any = self.fields["days"]
        offered = sorted({*OFFERED_DAYS, settings.TOKEN_DAYS, settings.TOKEN_DAYS_MAX})
        offered = [n for n in offered if n <= settings.TOKEN_DAYS_MAX]
        days.choices = [(n, ngettext("%d day", "%d days", n) % n) for n in offered]
        days.initial = settings.TOKEN_DAYS


class PasswordLinkForm(forms.Form):
    """Whom a password link is for: by user name, or by pseudonym from a person's page."""

    username = forms.CharField(
        label=later("User name"),
        max_length=150,
        required=False,
        widget=exact_text(autocomplete="off"),
    )
    person = forms.CharField(max_length=32, required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Find the account."""
        name, person = (self.cleaned_data.get(key) for key in ("username", "person"))
        users = User.objects.filter(known_to_none_but(reader()))
        chosen = {"public_id": person} if person else {"username": name}
        user = users.filter(**chosen).first() if any(chosen.values()) else None
        curator = reader()
        if user and person and not may_renew_password(curator, user, names_for(curator)):
            user = None
        if user is None and not self.errors:
            self.add_error(
                "username",
                now(
                    "None of the people who work in your campaigns alone has this name. "
                    "For others, ask an admin."
                ),
            )
        self.cleaned_data["user"] = user
        return self.cleaned_data


LINKS = 10


@never_cache
@signed_in("GET", "POST")
def account(request: PageRequest) -> HttpResponse:
    """Show the account with its tokens, and create a token; only this response has its text."""
    if is_participant(request.user):
        # A study link signs a participant in for one session; a token would outlive it.
        raise PermissionDenied(_("Workers from a crowd platform cannot use the API."))
    form = TokenForm(request.POST if request.method == "POST" else None, user=request.user)
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        step_up.ask(request)
        token, text = services.create_token(user=request.user, **form.cleaned_data)
        context |= {"form": TokenForm(user=request.user), "new": token, "text": text}
    links = AuditEvent.objects.filter(account=request.user, kind=AuditEvent.Kind.LINK_MADE)
    context["links"] = links.select_related("by")[:LINKS]
    context["institution"] = settings.OIDC_NAME if settings.OIDC_SERVER_URL else ""
    now = clock.now()
    tokens = ApiToken.objects.filter(user=request.user).order_by("-created")
    context["tokens"] = [(token, token.expiry <= now) for token in tokens]
    return render(
        request, "frontend/account/account.html", context, status=400 if form.errors else 200
    )


@signed_in("POST")
def revoke_all_tokens(request: PageRequest) -> HttpResponse:
    services.revoke_all_tokens(user=request.user)
    messages.success(request, _("All tokens were ended. Programs can no longer use them."))
    return redirect("account")


@signed_in("POST")
def revoke_token(request: PageRequest, token_key: str) -> HttpResponse:
    services.revoke_token(user=request.user, token_key=token_key)
    messages.success(request, _("The token was ended. Programs can no longer use it."))
    return redirect("account")
