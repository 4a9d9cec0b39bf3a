"""Toys, as they are asked for and shown."""

from typing import Any

from rest_framework import serializers

from tests.toyruns.models import Square, Toy
from tests.toyruns.services import start_toy
from winoplatform.api.filters import RunFilter
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, register


class ToySerializer(RunSerializer):
    class Meta:
        model = Toy
        fields: tuple[str, ...] = (*RUN_FIELDS, "size", "sum")


class SquareSerializer(serializers.ModelSerializer[Square]):
    class Meta:
        model = Square
        fields = ("number", "value")


class ToyDetailSerializer(ToySerializer):
    steps = SquareSerializer(many=True)

    class Meta(ToySerializer.Meta):
        fields = (*ToySerializer.Meta.fields, "steps")


class NewToySerializer(serializers.Serializer[Any]):
    size = serializers.IntegerField(min_value=1)


class ToyFilter(RunFilter):
    class Meta:
        model = Toy
        fields = ()


register(
    name="toys",
    rows=Toy.objects.select_related("created_by"),
    serializer=ToySerializer,
    detail=ToyDetailSerializer,
    form=NewToySerializer,
    start=start_toy,
    filters=ToyFilter,
    creates="Square numbers.",
)
