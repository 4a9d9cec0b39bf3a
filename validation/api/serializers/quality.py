"""The quality of a campaign's votes."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from collection.api.serializers.authoring import PeopleSerializer
from collection.models import Twin
from stats.intervals import Estimate
from stats.people import PeopleEstimate
from validation.core.human import Human
from validation.core.posteriors import Model
from validation.core.quality import Speed
from validation.core.validator_figures import FLAGS, Flag
from validation.models import ValidatorFigures
from validation.selectors.case_detail import CaseDetail
from winoplatform.api.results import ResultSerializer

MOST_QUESTIONS = 10_000


class ShareSerializer(ResultSerializer):
    """A share with its 95 % interval; all null where n is 0."""

    class Meta:
        dataclass = Estimate


class PeopleShareSerializer(ResultSerializer):
    """A figure of people: `low` and `high` are for these people, on other such questions."""

    class Meta:
        dataclass = PeopleEstimate


class AgreementSerializer(serializers.Serializer[Any]):
    """Agreement on one part of each question's first votes, without the additional ones."""

    raw = PeopleShareSerializer(
        help_text="Share of agreeing pairs of votes; n counts questions with two votes or more."
    )
    alpha = PeopleShareSerializer(help_text="Krippendorff's, nominal.")
    kappa = PeopleShareSerializer(
        help_text="Fleiss', of the questions with the usual number of votes."
    )
    n_votes = serializers.IntegerField()


class HumanSerializer(ResultSerializer):
    """Human performance on a set of questions."""

    majority = PeopleShareSerializer(
        help_text="The majority of each question's first three votes; intervals over twins."
    )
    single = PeopleShareSerializer(help_text="The same votes individually; intervals over twins.")

    class Meta:
        dataclass = Human


class StretchSerializer(serializers.Serializer[Any]):
    begins = serializers.DateField(help_text="First day of the week or month (UTC).")
    human = HumanSerializer()


class SpeedSerializer(ResultSerializer):
    class Meta:
        dataclass = Speed


class FiguresSerializer(serializers.Serializer[Any]):
    n_votes = serializers.IntegerField(
        help_text="Votes that count, without control questions and excluded votes."
    )
    n_questions = serializers.IntegerField()
    n_workers = serializers.IntegerField()
    n_gold = serializers.IntegerField()
    n_excluded = serializers.IntegerField()
    answer = AgreementSerializer()
    ambiguity = AgreementSerializer()
    local = AgreementSerializer()
    human = HumanSerializer()
    domains = serializers.DictField(child=HumanSerializer())
    weeks = StretchSerializer(many=True)
    months = StretchSerializer(many=True)
    speed = SpeedSerializer()
    load = serializers.FloatField(
        allow_null=True, help_text="Gini of the votes over the validators: 0 is even."
    )
    model = serializers.ChoiceField(
        choices=[model.value for model in Model],
        allow_null=True,
        default=None,
        help_text="The model of the posteriors, chosen by held-out votes.",
    )
    class_shares = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="Dawid–Skene's probability that an author is wrong, and right.",
    )
    random_share = serializers.FloatField(
        allow_null=True, default=None, help_text="Share of questions voted on at random."
    )
    usual_skill = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="Probability that a validator of whom nothing is known is right.",
    )


class QualitySerializer(serializers.Serializer[Any]):
    """A campaign's report; ``figures`` is null until the first one is computed."""

    people = PeopleSerializer(help_text="Whose votes and texts these are.")
    made_at = serializers.DateTimeField(allow_null=True)
    figures = FiguresSerializer(allow_null=True)


class FlagSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=[flag.value for flag in Flag])
    sentence = serializers.CharField()


class ValidatorSerializer(serializers.Serializer[Any]):
    """One validator's row of the report."""

    worker = serializers.CharField(source="worker.public_id")
    votes = serializers.IntegerField(source="n_votes")
    author = ShareSerializer(help_text="Counted votes for the author's answer.")
    others = ShareSerializer(
        help_text="First votes that agree with most of the other first votes on the question."
    )
    gold = ShareSerializer(
        help_text="Gold questions answered with the author's answer, and not as ambiguous."
    )
    skill = serializers.FloatField(
        allow_null=True, help_text="One-coin's probability of choosing the true option."
    )
    confirms = serializers.FloatField(
        allow_null=True, help_text="Dawid–Skene's probability of confirming a right author."
    )
    contradicts = serializers.FloatField(
        allow_null=True, help_text="Its probability of contradicting a wrong author."
    )
    excluded = serializers.IntegerField(source="n_excluded")
    reports = serializers.IntegerField(source="n_reported")
    ambiguous = serializers.IntegerField(
        source="n_ambiguous", help_text="Votes for “both plausible”."
    )
    seconds = serializers.FloatField(allow_null=True, help_text="Median of a complete vote.")
    sentence_seconds = serializers.FloatField(
        allow_null=True, help_text="Median of its second step."
    )
    speed = serializers.FloatField(
        allow_null=True,
        help_text="Robust z of the log of sentence_seconds among the validators, with its error.",
    )
    fast_votes = serializers.IntegerField(source="n_fast")
    flags = serializers.SerializerMethodField()

    @extend_schema_field(FlagSerializer(many=True))
    def get_flags(self, line: ValidatorFigures) -> list[dict[str, str]]:
        return [{"code": code, "sentence": FLAGS[Flag(code)]} for code in line.flags]


class MonthSerializer(serializers.Serializer[Any]):
    """One validator's month in all campaigns."""

    begins = serializers.DateField(help_text="First day of the month (UTC).")
    author = ShareSerializer(help_text="Agreement with the authors' answers.")
    seconds = serializers.FloatField(allow_null=True, help_text="Median of a vote.")


def kind_field() -> serializers.ChoiceField:
    return serializers.ChoiceField(
        choices=["counted", "gold"],
        default="counted",
        help_text="Votes that count for verdicts, or answers to control questions.",
    )


class HumanQuerySerializer(serializers.Serializer[Any]):
    """Which questions human performance is computed on."""

    domain = serializers.ChoiceField(choices=Twin.Domain.choices, required=False, default="")
    since = serializers.DateTimeField(
        required=False, default=None, help_text="Third vote given from this time on."
    )
    until = serializers.DateTimeField(
        required=False, default=None, help_text="Third vote given before this time."
    )
    kind = kind_field()


class HumanOfQuestionsSerializer(HumanQuerySerializer):
    """Questions by id; the other fields narrow them down."""

    questions = serializers.ListField(
        child=serializers.CharField(max_length=64),
        min_length=1,
        max_length=MOST_QUESTIONS,
        help_text="Ids of questions of the campaign. Over valid questions the figure is biased: "
        "their verdict requires that most votes are right.",
    )


class AdviceSerializer(ResultSerializer):
    """What a question's counted votes say together; all null without votes."""

    class Meta:
        dataclass = CaseDetail
        fields: tuple[str, ...] = ("advice.majority", "advice.posterior", "advice.model")
        help = {
            "majority": "1 if most votes agree with the author, 0.5 for a tie, 0 otherwise.",
            "posterior": "The probability that the author's answer is right, by `model`.",
            "model": "The model that the campaign's report chose by held-out votes.",
        }


class PosteriorSerializer(AdviceSerializer):
    """What a question's counted votes say together; all null without votes."""

    votes = serializers.IntegerField(source="advice.n_votes", default=0)
    right = serializers.IntegerField(
        source="advice.n_right", default=0, help_text="Votes for the author's answer."
    )

    class Meta(AdviceSerializer.Meta):
        fields = (*AdviceSerializer.Meta.fields, "question", "votes", "right")
