"""How requests name the questions that they are about."""

from typing import Any, ClassVar

from rest_framework import serializers

from corpora.models import ReferenceSet, Release, Snapshot
from winoplatform.api.fields import ByPublicId, ByText


class OfOneSet(serializers.Serializer[Any]):
    """A release, a reference set or a snapshot, and a split of it."""

    SETS: ClassVar = {
        "release": "release", "reference_set": "reference set", "snapshot": "snapshot",
    }  # fmt: skip

    release = ByPublicId(Release.objects.all(), required=False)
    reference_set = ByText(
        ReferenceSet.objects.all(), key="name", required=False, help_text="Instead of a release."
    )
    snapshot = ByPublicId(Snapshot.objects.all(), required=False, help_text="Instead of a release.")
    split = serializers.SlugField(
        max_length=50,
        allow_blank=True,
        default="",
        help_text="For a release: dev (the default) or test. Empty for a snapshot, and for a "
        "reference set with one split.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if sum(bool(attrs.get(name)) for name in self.SETS) != 1:
            *others, last = self.SETS.values()
            message = f"Name one {', '.join(others)} or {last}."
            raise serializers.ValidationError({"release": message}, code="required")
        return attrs
