from typing import Any

from rest_framework import serializers

from collection.core.background import STANDARD
from collection.models import BackgroundQuestion
from winoplatform.api.rows import RowSerializer

OPTION = "From 1."


class BackgroundQuestionSerializer(RowSerializer):
    options = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = BackgroundQuestion
        fields = ("id", "code", "text", "options", "many")
        help = {"many": "Whether several options may be chosen."}


class OwnQuestionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=200)
    options = serializers.ListField(child=serializers.CharField(max_length=100), max_length=60)
    many = serializers.BooleanField(  # type: ignore[assignment]  # a field, which DRF takes out
        default=False, help_text="Several options may be chosen."
    )


class ChosenQuestionsSerializer(serializers.Serializer[Any]):
    codes = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(STANDARD)),
        max_length=20,
        default=list,
        help_text="Standard questions.",
    )
    own = serializers.ListField(child=OwnQuestionSerializer(), max_length=20, default=list)


class OwnAnswerSerializer(serializers.Serializer[Any]):
    question = serializers.UUIDField(source="question.public_id")
    text = serializers.CharField(source="question.text")
    options = serializers.ListField(child=serializers.CharField(), source="question.options")
    chosen = serializers.ListField(child=serializers.IntegerField(), help_text=OPTION)


class GivenAnswerSerializer(serializers.Serializer[Any]):
    question = serializers.UUIDField()
    chosen = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=100), max_length=60, help_text=OPTION
    )


class GivenAnswersSerializer(serializers.Serializer[Any]):
    answers = serializers.ListField(
        child=GivenAnswerSerializer(),
        max_length=20,
        help_text="In place of all earlier ones; a question that is left out is not answered.",
    )


class LineSerializer(serializers.Serializer[Any]):
    option = serializers.CharField(source="0")
    count = serializers.IntegerField(source="1", help_text="At least so many people.")


class BackgroundCountsSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    many = serializers.BooleanField()  # type: ignore[assignment]
    people = serializers.IntegerField(help_text="All who were asked.")
    least = serializers.IntegerField(help_text="Counts are multiples of it.")
    lines = serializers.ListField(child=LineSerializer())
    rest = serializers.IntegerField(allow_null=True, help_text="Other, or not told.")
