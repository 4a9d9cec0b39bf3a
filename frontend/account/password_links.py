"""Links to set a new password, made by curators for people whom no mail reaches."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from frontend.account.views import PasswordLinkForm
from frontend.http import PageRequest, curators_only
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from workers import services

TEMPLATE = "frontend/account/password_links.html"


@never_cache
@curators_only("GET", "POST")
@step_up.with_step_up
def password_links(request: PageRequest) -> HttpResponse:
    """Make a link; only this response has its address."""
    form = PasswordLinkForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, form, status=400 if form.is_bound else 200)
    user = form.cleaned_data["user"]
    try:
        path = services.make_password_link(user=user, by=request.user)
    except DomainError as refusal:
        return _page(request, form, refusal=refusal, status=refusal.status)
    address = request.build_absolute_uri(path)
    return _page(request, PasswordLinkForm(), made_for=user, address=address)


def _page(
    request: PageRequest, form: PasswordLinkForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    days = settings.PASSWORD_RESET_TIMEOUT // 86400
    return render(request, TEMPLATE, {"form": form, "days": days, **more}, status=status)
