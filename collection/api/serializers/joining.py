from typing import Any

from rest_framework import serializers

from collection.api.serializers.campaigns import LONG, TermsSerializer
from collection.models import Attribute, ExerciseItem, Guideline
from collection.models.guidelines import IN_VERSION
from winoplatform.api.fields import VerbatimField
from workers.models import Qualification


class GuidelineSerializer(serializers.ModelSerializer[Guideline]):
    class Meta:
        model = Guideline
        fields = ("version", "text", "aids_policy", *IN_VERSION, "created_at")


class NewGuidelineSerializer(TermsSerializer):
    text = VerbatimField(max_length=LONG, help_text="Markdown, shown to writers and validators.")
    aids_policy = VerbatimField(
        max_length=LONG,
        allow_blank=True,
        default="",
        help_text="Markdown: which writing aids are allowed.",
    )


class SkillSerializer(serializers.Serializer[Any]):
    skill = serializers.ChoiceField(
        choices=Qualification.WITH_ITEMS,
        default=Qualification.Skill.WRITE.value,
        help_text="The kind of work.",
    )


class VersionSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="The version that was read."
    )


class AcceptanceSerializer(VersionSerializer):
    """The version that was read, and the kind of work that its parts were shown for."""

    skill = serializers.ChoiceField(
        choices=Qualification.Skill.choices,
        default=Qualification.Skill.WRITE.value,
        help_text="The kind of work.",
    )


class ConsentSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="public_id")
    version = serializers.IntegerField(source="guideline.version")
    campaign = serializers.SlugField(source="guideline.campaign.slug")
    skill = serializers.CharField(help_text="The kind of work.")
    accepted_at = serializers.DateTimeField(source="created_at")
    withdrawn_at = serializers.DateTimeField(allow_null=True, help_text="null while it is active.")


class PartSerializer(SkillSerializer):
    part = serializers.ChoiceField(
        choices=ExerciseItem.Part.choices,
        default=ExerciseItem.Part.TEST.value,
        help_text="The training explains each answer; the test decides who may work.",
    )


class StepSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="guidelines, training or exercise (the test).")
    state = serializers.CharField(help_text="done, todo or failed.")


class RefusalSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    details = serializers.DictField()


class EligibilitySerializer(serializers.Serializer[Any]):
    campaign = serializers.SlugField(source="campaign.slug")
    skill = serializers.CharField(help_text="write or validate.")
    may_work = serializers.BooleanField()
    next_step = serializers.CharField(help_text="The next step; empty if there is none.")
    steps = StepSerializer(many=True)
    refusals = RefusalSerializer(many=True, help_text="The reasons against it, in order.")
    attempts_left = serializers.IntegerField(help_text="Attempts at the exercise.")


class ShownItemSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    prompt = serializers.CharField(help_text="Markdown.")
    choices = serializers.ListField(
        child=serializers.CharField(), help_text="In this worker's own order."
    )


class ExplainedItemSerializer(ShownItemSerializer):
    chosen = serializers.IntegerField(help_text="The choice made, from 1.")
    answer = serializers.IntegerField(help_text="The right choice, from 1.")
    is_right = serializers.BooleanField()
    explanation = serializers.CharField(help_text="Markdown.")


class AttemptSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    n_right = serializers.IntegerField()
    n_items = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    items = ExplainedItemSerializer(many=True)


class ExerciseSerializer(serializers.Serializer[Any]):
    skill = serializers.CharField(help_text="write or validate.")
    reward = serializers.DecimalField(
        max_digits=8,
        decimal_places=2,
        help_text="Paid once, for the first attempt with `least_paid` right.",
    )
    least_paid = serializers.IntegerField(
        allow_null=True,
        help_text="Right answers from which an attempt is paid: enough to pass, or more than "
        "guessing reaches with a probability of 5 %. null without a test.",
    )
    currency = serializers.CharField()
    pass_share = serializers.DecimalField(max_digits=3, decimal_places=2)
    attempts_left = serializers.IntegerField()
    status = serializers.ChoiceField(
        choices=Qualification.Status.choices, allow_null=True, help_text="null before an attempt."
    )
    trained_at = serializers.DateTimeField(
        allow_null=True, help_text="When the training was finished; null before."
    )
    training = ShownItemSerializer(
        many=True,
        help_text="Explained at once. It may have more items than it asks: in their order, until "
        "enough are right, then those answered wrongly again.",
    )
    items = ShownItemSerializer(many=True, help_text="The items of the next attempt at the test.")
    attempts = AttemptSerializer(many=True)


class AnswerSerializer(serializers.Serializer[Any]):
    item = serializers.UUIDField()
    choice = serializers.IntegerField(
        min_value=1, max_value=100, help_text="From 1, in the order shown to the user."
    )


class TrainingAnswersSerializer(SkillSerializer):
    answers = serializers.ListField(
        child=AnswerSerializer(), max_length=100, help_text="Answers to the items answered so far."
    )


class TrainingSerializer(serializers.Serializer[Any]):
    items = ExplainedItemSerializer(
        many=True, source="explained", help_text="The answered items, explained."
    )
    n_items = serializers.IntegerField(help_text="Right answers that finish the training.")
    n_right = serializers.IntegerField(help_text="Right answers among those sent.")
    is_done = serializers.BooleanField()


class NewAttemptSerializer(SkillSerializer):
    number = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        help_text="The number of the attempt, from 1; makes a retry safe.",
    )
    answers = serializers.ListField(child=AnswerSerializer(), max_length=100)


class ItemTextSerializer(serializers.Serializer[Any]):
    prompt = VerbatimField(max_length=LONG, help_text="Markdown.")
    choices = serializers.ListField(child=serializers.CharField(max_length=300), max_length=10)
    answer = serializers.IntegerField(
        min_value=1, max_value=10, help_text="The right choice, from 1."
    )
    explanation = VerbatimField(max_length=LONG, help_text="Markdown.")


class ExerciseTextSerializer(serializers.Serializer[Any]):
    items = serializers.ListField(child=ItemTextSerializer(), max_length=100)


class AttributeSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=60)
    domain = serializers.ChoiceField(
        choices=Attribute.Domain.choices, default=Attribute.Domain.BOTH.value
    )
    pairs = serializers.ListField(
        child=serializers.ListField(
            child=serializers.CharField(max_length=60), min_length=2, max_length=2
        ),
        max_length=40,
        help_text="Pairs of contrasting words or phrases.",
    )


class AttributesSerializer(serializers.Serializer[Any]):
    attributes = serializers.ListField(child=AttributeSerializer(), max_length=500)


class AttributeSearchSerializer(serializers.Serializer[Any]):
    q = serializers.CharField(
        max_length=100,
        required=False,
        allow_blank=True,
        help_text="Part of an attribute's name or of its words.",
    )
    domain = serializers.ChoiceField(
        choices=[("social", "people"), ("physical", "things")],
        required=False,
        help_text="Leaves out rows that only fit the other one.",
    )
