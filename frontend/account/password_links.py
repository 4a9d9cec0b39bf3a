"""Links to set a new password, for curators: make one, see each one's state, revoke it."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from frontend.account.forms import PasswordLinkForm
from frontend.http import PageRequest, curators_only
from frontend.paging import page_of
from frontend.step_up import password_asked
from winoplatform import clock
from winoplatform.errors import DomainError
from workers import services
from workers.models import PasswordLink

SHOWN = 30


@never_cache
@curators_only("GET", "POST")
@password_asked
def password_links(request: PageRequest) -> HttpResponse:
    """List the links, newest first, and make one; only this response has its address."""
    if request.method != "POST":
        return _listed(request, PasswordLinkForm())
    form = PasswordLinkForm(request.POST)
    if not form.is_valid():
        return _listed(request, form, status=400)
    try:
        link, code = services.make_password_link(user=form.cleaned_data["user"], by=request.user)
    except DomainError as refusal:
        return _listed(request, form, refusal=refusal, status=refusal.status)
    # What follows # is sent to no server, so the code is in no log.
    address = request.build_absolute_uri(reverse("new-password"))
    return _listed(request, PasswordLinkForm(), made=link, address=f"{address}#{code}")


def _listed(
    request: PageRequest, form: PasswordLinkForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    rows = PasswordLink.objects.select_related("created_by", "user")
    page = page_of(rows, request, parameter="links", size=SHOWN)
    now = clock.now()
    links = [(row, row.state_at(now)) for row in page.rows]
    context = {"form": form, "page": page, "links": links, **more}
    return render(request, "frontend/account/password_links.html", context, status=status)


@curators_only("POST")
def revoke_password_link(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Revoke a link that was not used."""
    try:
        services.revoke_password_link(public_id=public_id, by=request.user)
    except DomainError as refusal:
        if refusal.status == 404:
            raise
        messages.warning(request, refusal.message)
    else:
        messages.success(request, _("The link was revoked. It no longer works."))
    return redirect("password-links")
