"""The members of a campaign: who they are, their roles, and invitations to it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from collection import services
from collection.models import Campaign, Membership
from collection.models.members import OF_CURATORS
from frontend.http import REFUSALS, Needs, PageRequest, curators_only, existing, refusal_of
from frontend.invitations.forms import InviteForm
from frontend.lookups import campaign_for, rights_here
from frontend.paging import page_of
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.http import step_up
from winoplatform.http.rights import Right
from workers.models import Invitation, User

MEMBERS = Needs(Right.SEE, Right.OWN)
INVITING = Needs(Right.SEE, Right.MANAGE)
SHOWN = 50
ROLES = [(role.value, role.label) for role in OF_CURATORS]
ROLE_TEXTS = {
    Membership.Role.OWNER: _("all that curators may, and choose the members"),
    Membership.Role.CURATOR: _("change settings, start runs, publish, review, and pay"),
    Membership.Role.REVIEWER: _("read the data and decide in review; sees no pay"),
    Membership.Role.PAYER: _("approve pay and pay out; sees no questions and no labels"),
    Membership.Role.VIEWER: _("read the data; changes nothing and sees no pay"),
    Membership.Role.WORKER: _("write and validate, where the campaign is for invited people"),
}


class MemberForm(forms.Form):
    """A curator who has an account, and a role."""

    username = forms.CharField(label=_("User name"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=ROLES, initial=Membership.Role.VIEWER)

    def clean_username(self) -> User:
        name = self.cleaned_data["username"].strip()
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None or not user.is_curator:
            raise forms.ValidationError(
                gettext("No curator has this user name. Invite the person with a link instead.")
            )
        return user


@never_cache
@curators_only(needs=Needs(Right.SEE, Right.SEE))
def members(request: PageRequest, slug: str) -> HttpResponse:
    """List the members with their roles."""
    return _page(request, campaign_for(request.user, slug))


@curators_only("POST", needs=MEMBERS)
@step_up.with_step_up
def add_member(request: PageRequest, slug: str) -> HttpResponse:
    """Add a curator, or give a member another role."""
    campaign = campaign_for(request.user, slug)
    form = MemberForm(request.POST)
    if form.is_valid():
        user, role = form.cleaned_data["username"], form.cleaned_data["role"]
        try:
            services.set_member(campaign=campaign, user=user, role=role, by=request.user)
        except REFUSALS as error:
            form.add_error(None, refusal_of(error).message)
        else:
            messages.success(request, gettext("The members were changed."))
            return redirect("campaign-members", slug)
    return _page(request, campaign, member_form=form, status=400)


@curators_only("POST", needs=MEMBERS)
@step_up.with_step_up
def remove_member(request: PageRequest, slug: str, public_id: str) -> HttpResponse:
    """End a membership."""
    campaign = campaign_for(request.user, slug)
    rows = campaign.memberships.select_related("user").exclude(role=Membership.Role.WORKER)
    member = existing(rows, gettext("There is no such member."), user__public_id=public_id)
    try:
        services.remove_member(campaign=campaign, user=member.user, by=request.user)
    except REFUSALS as error:
        messages.warning(request, refusal_of(error).message)
    else:
        messages.success(request, gettext("The person is no longer a member."))
    if member.user == request.user and request.user.role != User.Role.ADMIN:
        return redirect("home")
    return redirect("campaign-members", slug)


@never_cache
@curators_only("POST", needs=INVITING)
@step_up.with_step_up
def invite_member(request: PageRequest, slug: str) -> HttpResponse:
    """Make a link for one person; only this response has it."""
    campaign = campaign_for(request.user, slug)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, invite_form=form, status=400)
    try:
        made, code = services.invite_member(campaign=campaign, by=request.user, **form.cleaned_data)
    except DomainError as refusal:
        form.add_error(None, refusal.message)
        return _page(request, campaign, invite_form=form, status=refusal.status)
    # What follows # is sent to no server, so the code is in no log.
    address = f"{request.build_absolute_uri(reverse('invitation'))}#{code}"
    return _page(request, campaign, made=made, address=address)


def _page(
    request: PageRequest, campaign: Campaign, *, status: int = 200, **more: Any
) -> HttpResponse:
    members = campaign.memberships.select_related("user", "created_by")
    rows = members.exclude(role=Membership.Role.WORKER)
    time = clock.now()
    invitations = Invitation.objects.open(time).filter(campaign=campaign.public_id)
    rights = rights_here(request, campaign)
    context: dict[str, Any] = {
        "campaign": campaign,
        "page": page_of(rows, request, parameter="members", size=SHOWN),
        "invitations": [
            (row.for_reader(request.user), Membership.Role(row.member_role).label)
            for row in invitations.select_related("created_by")[:SHOWN]
        ],
        "n_workers": members.filter(role=Membership.Role.WORKER).count(),
        "may": [(Membership.Role(role).label, text) for role, text in ROLE_TEXTS.items()],
        "roles": ROLES,
        "is_owner": Right.OWN in rights,
        "may_invite": Right.MANAGE in rights,
        "member_form": MemberForm(),
        "invite_form": InviteForm(),
    }
    return render(request, "frontend/invitations/members.html", context | more, status=status)
