"""Signing in and out, and the user's account with its tokens for programs."""

from django.contrib import messages
from django.contrib.auth import views as auth
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from collection.selectors.crowd import is_participant
from frontend.account.forms import TokenForm
from frontend.http import PageRequest, signed_in
from workers import services
from workers.forms import SignInForm
from workers.models import ApiToken

sign_in = auth.LoginView.as_view(
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
    form = TokenForm(request.POST if request.method == "POST" else None)
    context: dict[str, object] = {"form": form}
    if request.method == "POST" and form.is_valid():
        token, text = services.create_token(user=request.user, name=form.cleaned_data["name"])
        context |= {"form": TokenForm(), "new": token, "text": text}
    context["tokens"] = ApiToken.objects.filter(user=request.user).order_by("-created")
    return render(
        request, "frontend/account/account.html", context, status=400 if form.errors else 200
    )


@signed_in("POST")
def revoke_token(request: PageRequest, token_key: str) -> HttpResponse:
    services.revoke_token(user=request.user, token_key=token_key)
    messages.success(request, _("The token was revoked. Programs can no longer use it."))
    return redirect("account")
