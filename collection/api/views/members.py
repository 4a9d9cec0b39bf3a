"""Members of a campaign, and invitations to it."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from collection import services
from collection.api.views.campaigns import visible_campaign
from collection.models import Membership
from collection.models.members import OF_CURATORS
from winoplatform.api.permissions import IsCurator
from winoplatform.api.rows import RowSerializer
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView
from winoplatform.errors import existing
from winoplatform.http import step_up
from winoplatform.http.rights import Right
from workers.api.callers import caller
from workers.api.invitations import LABEL_HELP, MadeInvitationSerializer, with_link
from workers.models import User
from workers.models.person_labels import LONGEST_LABEL
from workers.services.invitations import MOST_CHARACTERS, invites_curators

TAG = "campaigns"


class MemberSerializer(RowSerializer):
    class Meta:
        model = Membership
        fields = ("user", "username", "role", "created_by", "created_at")
        paths = {"user": "user.public_id", "username": "user.username"}
        help = {"user": "Public id of the account.", "created_by": "Null of who created it."}


class NewMemberSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150, help_text="Of a curator's account.")
    role = serializers.ChoiceField(choices=[(role.value, role.label) for role in OF_CURATORS])


class InvitedMemberSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(
        required=False, help_text="Made by you, so that a repeated request makes no second one."
    )
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    days = serializers.IntegerField(min_value=1, max_value=30, default=7)
    own_label = serializers.CharField(max_length=LONGEST_LABEL, default="", help_text=LABEL_HELP)


class InvitedListSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(
        max_length=MOST_CHARACTERS,
        trim_whitespace=False,
        help_text="CSV with the columns username, email and role, and label if you like.",
    )


class Members(ListView):
    """List the curators of a campaign with their roles; people who only work are not named."""

    reads, changes = Right.SEE, Right.OWN
    queryset = Membership.objects.select_related("user", "created_by")
    serializer_class = MemberSerializer
    permission_classes = [IsCurator]
    asks_password = ("POST",)
    takes = NewMemberSerializer
    success = {"POST": 200}
    refuses = [404, Refusal("last_owner")]

    def visible(self, rows: Any) -> Any:
        campaign = visible_campaign(self.request, self.kwargs["slug"])
        return rows.filter(campaign=campaign).exclude(role=Membership.Role.WORKER)

    def post(self, request: Request, slug: str) -> Any:
        """Add a curator to a campaign, or give a member another role."""
        campaign, data = visible_campaign(request, slug), self.body()
        curators = User.objects.filter(role__in=[User.Role.CURATOR, User.Role.ADMIN])
        user = curators.filter(username=data["username"], is_active=True).first()
        return services.set_member(
            campaign=campaign,
            user=existing(user, "curator"),
            role=data["role"],
            by=caller(request),
        )


class OneMember(CuratorView):
    changes = Right.OWN
    asks_password = ("DELETE",)
    gives = {"DELETE": None}
    refuses = [404, Refusal("last_owner")]

    def delete(self, request: Request, slug: str, id: str) -> None:
        """End a membership; what the person did stays on record."""
        campaign = visible_campaign(request, slug)
        member = existing(campaign.memberships.filter(user__public_id=id).first(), "member")
        services.remove_member(campaign=campaign, user=member.user, by=caller(request))


class InviteMember(CuratorView):
    takes = InvitedMemberSerializer
    gives = MadeInvitationSerializer
    success = 201
    refuses = Refusal("invitation_made")

    def post(self, request: Request, slug: str) -> Any:
        """Invite one person to a campaign; the answer has the link, once."""
        campaign, data = visible_campaign(request, slug), self.body()
        if data["role"] != Membership.Role.WORKER:
            step_up.refuse_stale(request)
        key: uuid.UUID | None = data.pop("id", None)
        made = services.invite_member(campaign=campaign, by=caller(request), public_id=key, **data)
        return with_link(request, *made)


class InviteList(CuratorView):
    takes = InvitedListSerializer
    gives = [MadeInvitationSerializer]
    success = 201
    refuses = Refusal("invitations_invalid")

    def post(self, request: Request, slug: str) -> Any:
        """Invite all people on a CSV list to a campaign, or none if a row has a problem."""
        campaign, text = visible_campaign(request, slug), self.body()["text"]
        if invites_curators(text):
            step_up.refuse_stale(request)
        made = services.invite_list(campaign=campaign, text=text, by=caller(request))
        return [with_link(request, *pair) for pair in made]
