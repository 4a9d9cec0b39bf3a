import uuid
from collections.abc import Iterable
from io import StringIO
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from rest_framework import serializers

from collection.api.serializers.authoring import PeopleSerializer
from collection.models import Campaign
from corpora.core.bundle.facts import STATEMENTS
from corpora.core.readers import BY_NAME, FIELDS
from corpora.models import (
    DrawTable,
    Erratum,
    PublishedRun,
    ReferenceSet,
    ReferenceSplit,
    Release,
    ReleaseFile,
    ReleasePreview,
    ReleaseReport,
    Selection,
    Snapshot,
)
from corpora.selectors import open_proposals
from winoplatform.api.fields import (
    LONGEST_KEY,
    LONGEST_TEXT,
    ByPublicId,
    BySlug,
    VerbatimField,
)
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, setting
from winoplatform.runs.models import RunStatus
from workers.models import User


class SnapshotSerializer(RunSerializer):
    sha256 = serializers.CharField(
        source="questions_id", allow_null=True, help_text="Content hash of the questions."
    )
    without_writers = serializers.SerializerMethodField(
        help_text="Ids of the writers whose twins are left out."
    )

    class Meta:
        model = Snapshot
        fields = (
            *RUN_FIELDS, "campaign", "without_repeats", "without_writers", "n_questions", "n_pairs",
            "repeats", "sha256",
        )  # fmt: skip

    def get_without_writers(self, snapshot: Snapshot) -> list[str]:
        if not snapshot.without_writers:
            return []
        writers = User.objects.filter(pk__in=snapshot.without_writers).order_by("pk")
        return [writer.public_id for writer in writers]


class NewSnapshotSerializer(serializers.ModelSerializer[Snapshot]):
    campaign = BySlug(Campaign.objects.all(), help_text="Slug of the campaign.")
    without_writers = serializers.ListField(
        child=serializers.CharField(max_length=32),
        required=False,
        max_length=1000,
        help_text="Ids of writers: leave out all their twins, to see what these do to the set.",
    )

    class Meta:
        model = Snapshot
        fields = ("campaign", "without_repeats", "without_writers")

    def validate(self, attrs: Any) -> Any:
        """Find the writers among those of the campaign."""
        names = set(attrs.get("without_writers", ()))
        writers = User.objects.filter(pk__in=attrs["campaign"].twins.values("author"))
        users = list(writers.filter(public_id__in=names))
        if missing := sorted(names - {user.public_id for user in users}):
            sentence = f"No twin in this campaign is by {', '.join(missing)}."
            raise serializers.ValidationError({"without_writers": sentence}, code="does_not_exist")
        return {**attrs, "without_writers": users} if names else attrs


class ReferenceSplitSerializer(serializers.ModelSerializer[ReferenceSplit]):
    sha256 = serializers.CharField(source="items_id", help_text="Content hash of the items.")

    class Meta:
        model = ReferenceSplit
        fields = ("name", "n_items", "n_groups", "n_labelled", "repeats", "sha256")


class ReferenceSetSerializer(RowSerializer):
    splits = ReferenceSplitSerializer(many=True)

    class Meta:
        model = ReferenceSet
        fields = (
            "name", "title", "licence", "source", "people_origin", "is_public", "is_shared",
            "created_by",
            "created_at", "erratum", "splits",
        )  # fmt: skip


class NewReferenceSetSerializer(serializers.ModelSerializer[ReferenceSet]):
    title = serializers.CharField(max_length=200, required=False)
    format = serializers.ChoiceField(tuple(BY_NAME), help_text="File format of the splits.")
    splits = serializers.DictField(
        child=VerbatimField(max_length=settings.DATA_UPLOAD_MAX_MEMORY_SIZE),
        help_text="The text of the published file, by split name; that of a format's further "
        "files by the split's name, a slash and the file's part, such as test/associative.",
    )
    columns = serializers.DictField(
        child=serializers.CharField(max_length=LONGEST_KEY),
        required=False,
        help_text=f"For the format table: the column of each field ({', '.join(FIELDS)}).",
    )

    class Meta:
        model = ReferenceSet
        fields = (
            "name", "title", "licence", "source", "is_public", "format", "splits", "columns",
        )  # fmt: skip
        extra_kwargs = {"source": {"max_length": LONGEST_TEXT}}

    def validate_splits(self, splits: dict[str, str]) -> dict[str, Iterable[str]]:
        return {name: StringIO(text) for name, text in splits.items()}


class ChangedReferenceSetSerializer(serializers.ModelSerializer[ReferenceSet]):
    class Meta:
        model = ReferenceSet
        fields = ("is_public", "is_shared")
        extra_kwargs = {"is_public": {"required": True}}


class ReleaseFileSerializer(serializers.ModelSerializer[Any]):
    size = serializers.IntegerField(source="artifact.size", help_text="Bytes.")
    sha256 = serializers.CharField(source="artifact_id")

    class Meta:
        model = ReleaseFile
        fields = ("name", "rows", "size", "sha256", "restricted")


class PlanSerializer(RunSerializer):
    """What a release and its preview are made from."""

    selection = serializers.UUIDField(
        source="selection.public_id",
        allow_null=True,
        default=None,
        read_only=True,
        help_text="The run whose selection is published; null if the whole snapshot is published.",
    )
    near_duplicate = serializers.FloatField(
        help_text="Similarity to a blind question from which a question is left out."
    )
    # A column with a default would be optional in the description.
    status = serializers.ChoiceField(choices=RunStatus.choices)


PLAN_FIELDS = (*RUN_FIELDS, "snapshot", "selection", "near_duplicate", "min_pairs")


class ProposedSerializer(RunSerializer):
    # A release with what waits for a second person.

    proposals = serializers.SerializerMethodField(
        help_text="Ids of what waits for a second person, such as making it public; for members."
    )

    def get_proposals(self, release: PublishedRun) -> list[uuid.UUID]:
        context: Any = self.context
        if "proposals" not in context:  # one query for a whole list
            is_listed = isinstance(self.parent, serializers.ListSerializer)
            rows: Any = self.parent.instance if is_listed else [release]
            user = context["request"].user if "request" in context else AnonymousUser()
            context["proposals"] = list(open_proposals(user, *rows))
        return [row.public_id for row in context["proposals"] if row.release == release.public_id]


class ReleaseSerializer(ProposedSerializer, PlanSerializer):
    previous = serializers.SerializerMethodField(
        help_text="Name of the campaign's release before this one; null for the first one, and for "
        "a public one where that one is for members alone."
    )
    authors = serializers.ListField(child=serializers.CharField())
    people = PeopleSerializer(
        allow_null=True, help_text="Who worked on its questions; null before it is known."
    )
    is_retracted = serializers.SerializerMethodField()

    class Meta:
        model = Release
        fields = (
            *PLAN_FIELDS, "name", "version", "previous", "title", "authors", "licence",
            "is_public", "is_retracted", "retracted_at", "retraction_reason", "content_hash",
            "people", "proposals", *STATEMENTS,
        )  # fmt: skip

    def get_previous(self, release: Release) -> str | None:
        before = release.previous
        is_told = before is not None and (before.is_public or not release.is_public)
        return before.name if before is not None and is_told else None

    def get_is_retracted(self, release: Release) -> bool:
        return release.retracted_at is not None


class ReleasePreviewSerializer(PlanSerializer):
    class Meta:
        model = ReleasePreview
        fields = (*PLAN_FIELDS, "facts")


class NewReleasePreviewSerializer(serializers.Serializer[Any]):
    snapshot = ByPublicId(
        Snapshot.objects.select_related("campaign"),
        required=False,
        help_text="May be omitted if a selection is given, which has a snapshot.",
    )
    selection = ByPublicId(
        Selection.objects.select_related("snapshot__campaign"),
        required=False,
        help_text="The id of a filter run, to publish what it keeps.",
    )
    min_pairs = setting(Release, "min_pairs")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "selection" in attrs:
            attrs.setdefault("snapshot", attrs["selection"].snapshot)
        if "snapshot" not in attrs:
            raise serializers.ValidationError(
                {"snapshot": "Name a snapshot, or a selection of one."}, code="required"
            )
        return attrs


class NewReleaseSerializer(NewReleasePreviewSerializer):
    name = setting(Release, "name")
    version = serializers.RegexField(
        r"^\d{1,9}\.\d{1,9}\.\d{1,9}$",
        required=False,
        help_text="Three numbers, such as 1.2.0; without it, the lowest that the changes allow.",
    )
    title = setting(Release, "title", allow_blank=False)
    authors = serializers.ListField(
        child=serializers.CharField(max_length=200), max_length=200, required=False
    )
    licence = setting(Release, "licence")
    is_public = setting(Release, "is_public")

    def get_fields(self) -> dict[str, Any]:
        # For the data card; without one of them, what the campaign states.
        options: dict[str, Any] = {"default": serializers.empty, "required": False}
        stated = {name: setting(Release, name, **options) for name in STATEMENTS}
        return {**super().get_fields(), **stated}


class RetractionSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(
        max_length=1000, help_text="Why; it stays visible beside the release."
    )


class ReleaseReportSerializer(ReleaseFileSerializer):
    class Meta:
        model = ReleaseReport
        fields = ("name", "size", "sha256", "created_at")


class NewErratumSerializer(serializers.Serializer[Any]):
    client_key = serializers.UUIDField(help_text="Generated by the client; makes a retry safe.")
    text = serializers.CharField(max_length=1000, help_text="What is wrong, and what is right.")


class ErratumSerializer(RowSerializer):
    class Meta:
        model = Erratum
        fields = ("id", "text", "created_at")


class DrawTableSerializer(RowSerializer):
    class Meta:
        model = DrawTable
        fields = ("id", "sha256", "n_twins", "created_at")
