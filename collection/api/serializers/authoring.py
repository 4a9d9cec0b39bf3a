from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from collection.api.serializers.campaigns import FindingSerializer, PairField
from collection.models import Article, Assignment, Question, Twin
from winoplatform.api.fields import VerbatimField


class AnchorSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    sentence = serializers.CharField(help_text="The article's sentence that it stands in.")
    start = serializers.IntegerField(help_text="Its first character in the article's text.")
    end = serializers.IntegerField()
    score = serializers.FloatField(help_text="Its rank; the best comes first.")


class ArticleSerializer(serializers.ModelSerializer[Article]):
    id = serializers.UUIDField(source="public_id")
    anchors = AnchorSerializer(many=True)

    class Meta:
        model = Article
        fields = ("id", "source_id", "title", "category", "text", "anchors")


class ArticleLineSerializer(serializers.ModelSerializer[Article]):
    id = serializers.UUIDField(source="public_id")

    class Meta:
        model = Article
        fields = ("id", "source_id", "title", "category")


class ArticlesSerializer(serializers.Serializer[Any]):
    articles = serializers.ListField(
        child=serializers.DictField(),
        max_length=1000,
        help_text="Each with title and text, and perhaps source_id and category.",
    )


class RejectSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField(help_text="Place in the list, from 1.")
    code = serializers.CharField()
    message = serializers.CharField()
    source_id = serializers.CharField()


class ImportReportSerializer(serializers.Serializer[Any]):
    lines = serializers.IntegerField(help_text="Articles read.")
    imported = serializers.IntegerField()
    already_there = serializers.IntegerField()
    rejected = serializers.DictField(child=serializers.IntegerField(), help_text="By code.")
    first_rejects = RejectSerializer(many=True)


class AssignmentLineSerializer(serializers.ModelSerializer[Assignment]):
    id = serializers.UUIDField(source="public_id")
    campaign = serializers.SlugField(source="campaign.slug")
    worker = serializers.CharField(source="worker.public_id")
    title = serializers.CharField(source="article.title", help_text="The article's title.")
    twin = serializers.UUIDField(
        allow_null=True, default=None, help_text="What was submitted and not withdrawn."
    )

    class Meta:
        model = Assignment
        fields: tuple[str, ...] = (
            "id", "campaign", "worker", "title", "status", "leased_until", "twin", "created_at"
        )  # fmt: skip


class AssignmentSerializer(AssignmentLineSerializer):
    """An assignment with its article and the anchors to write around."""

    article = ArticleSerializer()

    class Meta(AssignmentLineSerializer.Meta):
        fields = (*AssignmentLineSerializer.Meta.fields, "article")


class ReturnSerializer(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(
        choices=Assignment.ReturnReason.choices, default="", allow_blank=True
    )
    comment = serializers.CharField(max_length=300, default="", allow_blank=True)


class AnotherSerializer(ReturnSerializer):
    reason = serializers.ChoiceField(choices=Assignment.ReturnReason.choices)


class SubmissionSerializer(serializers.Serializer[Any]):
    client_key = serializers.UUIDField(
        help_text="Made by the client, new for each twin. Sending it again is safe."
    )
    sentences = PairField(child=VerbatimField(max_length=5000))
    options = PairField(child=VerbatimField(max_length=120))
    answers = PairField(
        child=serializers.IntegerField(min_value=1, max_value=2),
        help_text="The right option of each sentence: 1 or 2.",
    )
    anchor = VerbatimField(max_length=120)
    domain = serializers.ChoiceField(choices=Twin.Domain.choices)


class QuestionSerializer(serializers.ModelSerializer[Question]):
    id = serializers.CharField(source="public_id")

    class Meta:
        model = Question
        fields: tuple[str, ...] = ("id", "number", "sentence", "answer")


class TwinSerializer(serializers.ModelSerializer[Twin]):
    id = serializers.UUIDField(source="public_id")
    campaign = serializers.SlugField(source="campaign.slug")
    author = serializers.CharField(source="author.public_id", allow_null=True, default=None)
    options = PairField(child=serializers.CharField())
    trigger = serializers.DictField(
        child=serializers.CharField(), help_text="The words that differ: first, second."
    )
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="Codes of the rules and advice that warned."
    )
    advice = serializers.SerializerMethodField(help_text="What its writer was advised.")
    revises = serializers.UUIDField(
        source="revises.public_id",
        allow_null=True,
        default=None,
        help_text="The twin whose place it took.",
    )
    questions = QuestionSerializer(many=True)

    class Meta:
        model = Twin
        fields: tuple[str, ...] = (
            "id", "campaign", "author", "origin", "domain", "anchor", "options", "trigger",
            "warnings", "advice", "revises", "withdrawn_at", "questions", "created_at",
        )  # fmt: skip

    @extend_schema_field(FindingSerializer(many=True))
    def get_advice(self, twin: Twin) -> Any:
        return FindingSerializer(twin.advice, many=True).data


class HourlyRateSerializer(serializers.Serializer[Any]):
    amount = serializers.DecimalField(
        max_digits=12, decimal_places=2, help_text="What an hour of writing has paid."
    )
    currency = serializers.CharField()
    twins = serializers.IntegerField(help_text="Twins whose writing time was counted.")
    seconds = serializers.IntegerField(help_text="Time spent on them at the desk.")
