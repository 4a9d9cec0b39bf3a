"""An invitation, for the person who got it: a user name, a password, and the account exists."""

from typing import Any, cast

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login, setup_user_email
from allauth.core import ratelimit
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from collection.models import Campaign, Membership
from collection.services import accept_invitation, join_campaign
from frontend.forms import CodeForm
from frontend.http import PageRequest, refused
from frontend.invitations.forms import AccountForm
from winoplatform.errors import DomainError
from workers import services
from workers.models import User

TEMPLATE = "frontend/invitations/invitation.html"


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest) -> HttpResponse:
    """Ask for the code, which is in the link after ``#``; then for the account."""
    context: dict[str, Any] = {"is_signed_in": request.user.is_authenticated}
    if request.method != "POST":
        return render(request, TEMPLATE, {**context, "code_form": CodeForm()})
    if not ratelimit.consume(request, action="invitation_code"):
        return refused(cast(PageRequest, request), _too_many())
    form = CodeForm(request.POST)
    if not form.is_valid():
        return render(request, TEMPLATE, {**context, "code_form": form}, status=400)
    code = form.cleaned_data["code"]
    try:
        return _join(request, code) if request.user.is_authenticated else _account(request, code)
    except DomainError as refusal:
        context |= {"code_form": CodeForm(), "refusal": refusal}
        return render(request, TEMPLATE, context, status=refusal.status)


def _join(request: HttpRequest, code: str) -> HttpResponse:
    """Ask whether the account that is signed in joins the campaign of the invitation; do it."""
    invite = services.open_invitation(code)
    if "join" not in request.POST:
        named = {"public_id": invite.campaign} if invite.campaign else {"pk": None}
        campaign = Campaign.objects.filter(**named).first()
        role = Membership.Role(invite.member_role).label if invite.member_role else ""
        context = {"code": code, "invited": invite, "campaign": campaign, "role": role}
        return render(request, TEMPLATE, {**context, "is_signed_in": True})
    joined = join_campaign(code=code, user=cast(PageRequest, request).user)
    messages.success(request, _("You have joined the campaign “%s”.") % joined)
    return redirect("home")


def _account(request: HttpRequest, code: str) -> HttpResponse:
    invite = services.open_invitation(code)
    is_sent = "password1" in request.POST
    form = AccountForm(request.POST if is_sent else None, username=invite.username)
    if is_sent and form.is_valid():
        try:
            user = accept_invitation(
                code=code,
                username=form.cleaned_data["username"],
                password=form.cleaned_data["password1"],
            )
        except ValidationError as error:
            for field, sentences in error.message_dict.items():
                form.add_error(field if field in form.fields else None, sentences)
        else:
            return _sign_in(request, user)
    context = {"form": form, "code": code, "invited": invite}
    return render(request, TEMPLATE, context, status=400 if form.errors else 200)


def _sign_in(request: HttpRequest, user: User) -> HttpResponse:
    """Sign in to the new account, and send a mail that confirms its address."""
    setup_user_email(request, user, [])
    record_authentication(request, user, "password")
    return perform_login(request, user, signup=True)


def _too_many() -> DomainError:
    message = _("There were too many attempts to use a link. Wait five minutes, then try again.")
    return DomainError("throttled", message, status=429)
