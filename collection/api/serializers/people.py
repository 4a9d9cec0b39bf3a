"""Who worked on something."""

from typing import Any

from rest_framework import serializers

from collection.core.people import PeopleOrigin

ORIGINS = [(one.value, one.value) for one in PeopleOrigin]


def _origins(about: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.ChoiceField(ORIGINS), help_text=about)


class PeopleSerializer(serializers.Serializer[Any]):
    """Who worked on something: where they come from, as far as it is known or stated."""

    origins = _origins("Of all people together; empty if nobody has worked.")
    platforms = serializers.ListField(
        child=serializers.CharField(), help_text="The crowd platforms that are known."
    )
    writers = _origins("As `origins`, of writers; empty where it is not told apart.")
    # A field of the answer, which serializers have as an attribute of another type.
    validators = _origins(  # type: ignore[assignment]
        "As `origins`, of validators; empty where it is not told apart."
    )
