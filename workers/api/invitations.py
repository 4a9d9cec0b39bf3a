"""Invitations over HTTP: made, listed and revoked by curators."""

import uuid
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from winoplatform import clock
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, ListView
from winoplatform.http import step_up
from workers import services
from workers.api.callers import caller
from workers.models import Invitation
from workers.services.invitations import MOST_CHARACTERS

STATES = ("open", "accepted", "revoked", "expired")


class InvitationSerializer(RowSerializer):
    state = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = (
            "id", "role", "campaign", "member_role", "username", "email", "state", "created_by",
            "created_at", "expires_at",
        )  # fmt: skip

    @extend_schema_field(serializers.ChoiceField(choices=STATES))
    def get_state(self, invitation: Invitation) -> str:
        return invitation.state_at(clock.now())


class MadeInvitationSerializer(InvitationSerializer):
    link = serializers.CharField(help_text="For the invited person. It is shown only once.")

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "link")


class NewInvitationSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(
        required=False, help_text="Made by you, so that a repeated request makes no second one."
    )
    role = serializers.ChoiceField(choices=Invitation.Role.choices)


class InvitedListSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(
        max_length=MOST_CHARACTERS,
        trim_whitespace=False,
        help_text="CSV with the columns username, email and role.",
    )


def with_link(request: Request, invitation: Any, code: str) -> Invitation:
    # What follows # is sent to no server, so the code is in no log.
    invitation.link = f"{request.build_absolute_uri(reverse('invitation'))}#{code}"
    return invitation


class Invitations(CuratorRows, ListView):
    """List the invitations, newest first."""

    queryset = Invitation.objects.select_related("created_by")
    serializer_class = InvitationSerializer
    takes = NewInvitationSerializer
    gives = {"GET": [InvitationSerializer], "POST": MadeInvitationSerializer}
    refuses = Refusal("invitation_made")

    def post(self, request: Request) -> Any:
        """Invite one person, who chooses a user name; the answer has the link, once."""
        data = self.body()
        if data["role"] == Invitation.Role.CURATOR:
            step_up.refuse_stale(request)
        made = services.invite(by=caller(request), role=data["role"], public_id=data.get("id"))
        return with_link(request, *made)


class InviteList(CuratorView):
    takes = InvitedListSerializer
    gives = [MadeInvitationSerializer]
    success = 201
    refuses = Refusal("invitations_invalid")

    def post(self, request: Request) -> Any:
        """Invite all people on a CSV list, or none if a row has a problem."""
        text = self.body()["text"]
        if services.invites_curators(text):
            step_up.refuse_stale(request)
        made = services.invite_all(text=text, by=caller(request))
        return [with_link(request, *pair) for pair in made]


class RevokeInvitation(CuratorView):
    gives = InvitationSerializer
    refuses = Refusal("invitation_accepted")

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Revoke an invitation that was not accepted; repeating it has no effect."""
        return services.revoke_invitation(public_id=id, by=caller(request))
