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
from winoplatform.http.rights import reader
from workers import services
from workers.api.callers import caller
from workers.models import Invitation
from workers.models.person_labels import LONGEST_LABEL

LABEL_HELP = "Your own label for the person; no other curator sees it."
STATES = ("open", "accepted", "revoked", "expired")


class InvitationSerializer(RowSerializer):
    state = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields: tuple[str, ...] = (
            "id", "role", "campaign", "member_role", "username", "email", "state", "created_by",
            "created_at", "expires_at",
        )  # fmt: skip

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Say whom it is for to who made it, and to admins."""
        body: dict[str, Any] = super().to_representation(instance.for_reader(reader()))
        return body

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
    role = serializers.ChoiceField(
        choices=[Invitation.Role.CURATOR],
        help_text="A curator who makes campaigns; everybody else is invited to a campaign.",
    )
    own_label = serializers.CharField(max_length=LONGEST_LABEL, default="", help_text=LABEL_HELP)


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
        """Invite one curator, who chooses a user name; the answer has the link, once."""
        data = self.body()
        step_up.refuse_stale(request)
        key: uuid.UUID | None = data.pop("id", None)
        return with_link(request, *services.invite(by=caller(request), public_id=key, **data))


class RevokeInvitation(CuratorView):
    gives = InvitationSerializer
    refuses = Refusal("invitation_accepted")

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Revoke an invitation that was not accepted; repeating it has no effect."""
        return services.revoke_invitation(public_id=id, by=caller(request))
