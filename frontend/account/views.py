"""Signing in and out, and the user's account with its tokens for programs."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth import views as auth
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from collection.selectors.crowd import is_participant
from frontend.account.forms import TokenForm
from frontend.forms import with_plain_help
from frontend.http import CAME_BY_LINK, PageRequest, signed_in
from frontend.step_up import asks
from winoplatform import clock
from workers import services, sign_in_throttle
from workers.forms import SignInForm
from workers.models import ApiToken, PasswordLink

LINKS = 10


class SignIn(auth.LoginView):
    """Sign in by password; the browser is then no longer that of a crowd participant."""

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        response.delete_cookie(CAME_BY_LINK)
        return response


sign_in = SignIn.as_view(
    template_name="frontend/account/sign_in.html",
    authentication_form=SignInForm,
    redirect_authenticated_user=True,
)
sign_out = auth.LogoutView.as_view()


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
        if page := asks(request):
            return page
        token, text = services.create_token(user=request.user, **form.cleaned_data)
        context |= {"form": TokenForm(user=request.user), "new": token, "text": text}
    links = PasswordLink.objects.filter(user=request.user).select_related("created_by")
    now = clock.now()
    context["links"] = [(link, link.state_at(now)) for link in links[:LINKS]]
    tokens = ApiToken.objects.filter(user=request.user).order_by("-created")
    context["tokens"] = [(token, token.expiry <= now) for token in tokens]
    return render(
        request, "frontend/account/account.html", context, status=400 if form.errors else 200
    )


@sensitive_post_parameters()
@never_cache
@signed_in("GET", "POST")
def password(request: PageRequest) -> HttpResponse:
    """Change the password; all other sessions end, and tokens made with the old one are deleted."""
    if is_participant(request.user):
        raise PermissionDenied(_("Workers from a crowd platform have no password."))
    form = PasswordChangeForm(request.user, request.POST if request.method == "POST" else None)
    with_plain_help(form, "new_password1")
    if request.method == "POST":
        sign_in_throttle.count_own(request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, request.user)
        request.password_was_right_for = request.user  # type: ignore[attr-defined]
        messages.success(
            request,
            _("Your password was changed. You are signed out everywhere else."),
        )
        return redirect("account")
    status = 400 if form.errors else 200
    return render(request, "frontend/account/password.html", {"form": form}, status=status)


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
