from typing import Any

from rest_framework import serializers

from collection.services.writing.drafts import COUNT_MAX, FIELD_CHARACTERS_MAX
from winoplatform.api.fields import VerbatimField


def _text(help_text: str = "") -> VerbatimField:
    return VerbatimField(
        required=False, allow_blank=True, max_length=FIELD_CHARACTERS_MAX, help_text=help_text
    )


class DraftFieldsSerializer(serializers.Serializer[Any]):
    """The form's fields as typed; missing ones are empty."""

    client_key = _text(
        "The key with which the twin will be submitted, so that it is submitted once."
    )
    anchor = _text()
    domain = _text()
    option1 = _text()
    option2 = _text()
    sentence1 = _text()
    sentence2 = _text()
    answer1 = _text("The option that fills the first sentence's blank: “1” or “2”.")


def _count(help_text: str = "") -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, min_value=0, max_value=COUNT_MAX, help_text=help_text
    )


class EvidenceSerializer(serializers.Serializer[Any]):
    """Counts since the last save; programs send none."""

    typed_characters = _count()
    pasted_characters = _count()
    largest_insert = _count("The longest run of characters inserted at once.")
    edits = _count()
    active_seconds = _count("Without pauses of more than 30 seconds.")


class SaveDraftSerializer(serializers.Serializer[Any]):
    # The metaclass takes declared fields out of the class: the property of this name stays.
    fields = DraftFieldsSerializer()  # type: ignore[assignment]
    version = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        help_text="The version on which these fields are based; 0 if there was none.",
    )
    evidence = EvidenceSerializer(required=False)
    revises = serializers.UUIDField(
        required=False, help_text="Id of the submitted twin that this text shall replace."
    )


class DraftSerializer(serializers.Serializer[Any]):
    # The metaclass takes declared fields out of the class: the property of this name stays.
    fields = DraftFieldsSerializer()  # type: ignore[assignment]
    version = serializers.IntegerField(help_text="0 if nothing was saved yet.")
    saved_at = serializers.DateTimeField(allow_null=True)
