"""Publications as they are asked for and shown."""

from typing import Any

from rest_framework import serializers

from corpora.models import Release
from publishing.models import Publication
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer
from winoplatform.http.rights import reader

PLACE = "hub:organisation/name, or zenodo."
LONGEST_PLACE = 200


class OwnRelease(ByPublicId):
    """A release of a campaign that the user may manage; public ones of others are not meant."""

    def get_rows(self) -> Any:
        return self.rows.filter(Release.of_member(reader()))


class SentFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    size = serializers.IntegerField(help_text="Bytes.")
    sha256 = serializers.CharField()


class PlannedFileSerializer(SentFileSerializer):
    is_new = serializers.BooleanField(help_text="Whether it would be sent.")


class PublicationSerializer(RunSerializer):
    release = serializers.CharField(source="release.public_id", help_text="Its id.")
    to = serializers.CharField(source="place", help_text=PLACE)
    sent = SentFileSerializer(many=True, allow_null=True, help_text="The files of the copy.")

    class Meta:
        model = Publication
        fields: tuple[str, ...] = (
            *RUN_FIELDS, "release", "to", "endpoint", "address", "revision", "doi", "visibility",
            "sent",
        )  # fmt: skip


class NewPublicationSerializer(serializers.Serializer[Any]):
    release = OwnRelease(
        Release.objects.all(), help_text="Id of a public release of your campaign."
    )
    to = serializers.CharField(max_length=LONGEST_PLACE, help_text=PLACE)


class PlaceQuerySerializer(serializers.Serializer[Any]):
    to = serializers.CharField(max_length=LONGEST_PLACE, help_text=PLACE)


class PlanSerializer(serializers.Serializer[Any]):
    to = serializers.CharField(help_text=PLACE)
    address = serializers.CharField(help_text="Of the target.")
    visibility = serializers.CharField()
    nothing_to_send = serializers.BooleanField(
        help_text="Whether the copy stands there as it would be sent."
    )
    size = serializers.IntegerField(help_text="Bytes that would be sent.")
    files = PlannedFileSerializer(many=True)  # type: ignore[assignment]  # not an upload
