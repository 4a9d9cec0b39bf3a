"""Invitations, for curators: make a link, see each one's state, revoke it."""

import base64
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from collection.models import Campaign, Membership
from collection.services import invite_member
from frontend.http import PageRequest, curators_only
from frontend.invitations.forms import InviteForm, ListForm
from frontend.paging import page_of
from tabular.writing import csv_lines
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from workers import services
from workers.models import Invitation, User

TEMPLATE = "frontend/invitations/invitations.html"
SHOWN = 30


@dataclass(frozen=True, slots=True)
class Link:
    """An invitation with its link, which only one response contains."""

    invitation: Invitation
    address: str

    @property
    def title(self) -> str:
        """Say whom it is for, as far as known, and as what."""
        row = self.invitation
        role = Membership.Role(row.member_role).label if row.member_role else row.get_role_display()
        whom = row.username or row.own_label
        return f"{whom} · {role}" if whom else str(role)


@never_cache
@curators_only("GET", "POST")
def invitations(request: PageRequest) -> HttpResponse:
    """List the invitations, newest first, and make one; only this response has its link."""
    sent = request.POST if request.method == "POST" else None
    form = InviteForm(sent, curator=request.user)
    if sent is None or not form.is_valid():
        return invitation_list(request, form=form, status=400 if form.errors else 200)
    if form.cleaned_data["role"] != Membership.Role.WORKER:
        step_up.ask(request)
    try:
        return with_links(request, [_invite(request.user, **form.cleaned_data)])
    except DomainError as refusal:
        return invitation_list(request, refusal=refusal, status=refusal.status)


def _invite(
    curator: User, *, campaign: Campaign | None, role: str, days: int, **more: Any
) -> tuple[Invitation, str]:
    """Invite to a campaign, or without one a curator who makes campaigns."""
    if campaign is None:
        return services.invite(role=role, by=curator, lasts=timedelta(days=days), **more)
    return invite_member(campaign=campaign, role=role, days=days, by=curator, **more)


def invitation_list(request: PageRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    """Show the list with its two forms."""
    rows = Invitation.objects.visible_to(request.user).select_related("created_by", "user")
    page = page_of(rows, request, parameter="invitations", size=SHOWN)
    now = clock.now()
    of_rows = Campaign.objects.filter(public_id__in=[row.campaign for row in page.rows])
    campaigns = {campaign.public_id: campaign for campaign in of_rows}
    roles = dict(Membership.Role.choices)
    context = {
        "form": InviteForm(curator=request.user),
        "list_form": ListForm(curator=request.user),
        "page": page,
        "invitations": [
            (row, row.state_at(now), campaigns.get(row.campaign), roles.get(row.member_role))
            for row in (row.for_reader(request.user) for row in page.rows)
        ],
        **more,
    }
    return render(request, TEMPLATE, context, status=status)


def with_links(request: PageRequest, made: Sequence[tuple[Invitation, str]]) -> HttpResponse:
    """Show new links once, also as a CSV file that is part of the page."""
    # What follows # is sent to no server, so the code is in no log.
    base = request.build_absolute_uri(reverse("invitation"))
    links = [Link(invitation, f"{base}#{code}") for invitation, code in made]
    lines = csv_lines(
        ("username", "email", "role", "label", "link"),
        (
            (row.username, row.email, row.member_role or row.role, row.own_label, address)
            for row, address in ((link.invitation, link.address) for link in links)
        ),
    )
    file = base64.b64encode("".join(lines).encode()).decode()
    return invitation_list(request, links=links, links_file=f"data:text/csv;base64,{file}")


@curators_only("POST")
def revoke_invitation(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Revoke an invitation that was not accepted."""
    try:
        services.revoke_invitation(public_id=public_id, by=request.user)
    except DomainError as refusal:
        if refusal.status == 404:
            raise
        messages.warning(request, refusal.message)
    else:
        messages.success(request, _("The invitation was revoked. Its link no longer works."))
    return redirect("invitations")
