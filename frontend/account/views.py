"""The user's account, with its tokens for programs."""

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from collection.selectors.crowd import is_participant
from frontend.account.forms import TokenForm
from frontend.http import PageRequest, signed_in
from winoplatform import clock
from winoplatform.http import step_up
from workers import services
from workers.models import ApiToken, AuditEvent

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
