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
from validation.core.quality import Quality, Stretch
from validation.core.validator_figures import FLAGS, Flag
from validation.models import ValidatorFigures
from validation.selectors.case_detail import CaseDetail
from validation.selectors.quality.people import Month
from winoplatform.api.results import ResultSerializer

MOST_QUESTIONS = 10_000


class ShareSerializer(ResultSerializer):
    """A share with its 95 % interval; all null where n is 0."""

    class Meta:
        of = Estimate


class PeopleShareSerializer(ResultSerializer):
    """A figure of people: `low` and `high` are for these people, on other such questions."""

    class Meta:
        of = PeopleEstimate


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
        of = Human


class StretchSerializer(ResultSerializer):
    begins = serializers.DateField(help_text="First day of the week or month (UTC).")
    human = HumanSerializer()

    class Meta:
        of = Stretch


class FiguresSerializer(ResultSerializer):
    answer = AgreementSerializer()
    ambiguity = AgreementSerializer()
    local = AgreementSerializer()
    human = HumanSerializer()
    domains = serializers.DictField(child=HumanSerializer())
    weeks = StretchSerializer(many=True)
    months = StretchSerializer(many=True)
    class_shares = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="Dawid–Skene's probability that an author is wrong, and right.",
    )
    # Reports that were stored earlier lack the next three.
    model = serializers.ChoiceField(
        choices=[model.value for model in Model],
        allow_null=True,
        default=None,
        help_text="The model of the posteriors, chosen by held-out votes.",
    )
    random_share = serializers.FloatField(
        allow_null=True, default=None, help_text="Share of questions voted on at random."
    )
    usual_skill = serializers.FloatField(
        allow_null=True,
        default=None,
        help_text="Probability that a validator of whom nothing is known is right.",
    )

    class Meta:
        of = Quality
        help = {
            "n_votes": "Votes that count, without control questions and excluded votes.",
            "load": "Gini of the votes over the validators: 0 is even.",
        }


class QualitySerializer(serializers.Serializer[Any]):
    """A campaign's report; ``figures`` is null until the first one is computed."""

    people = PeopleSerializer(help_text="Whose votes and texts these are.")
    made_at = serializers.DateTimeField(allow_null=True)
    figures = FiguresSerializer(allow_null=True)


class FlagSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=[flag.value for flag in Flag])
    sentence = serializers.CharField()


class ValidatorSerializer(ResultSerializer):
    """One validator's row of the report."""

    author = ShareSerializer(help_text="Counted votes for the author's answer.")
    others = ShareSerializer(
        help_text="First votes that agree with most of the other first votes on the question."
    )
    gold = ShareSerializer(
        help_text="Gold questions answered with the author's answer, and not as ambiguous."
    )
    flags = serializers.SerializerMethodField()

    class Meta:
        of = ValidatorFigures
        fields = (
            "worker", "votes", "author", "others", "gold", "skill", "confirms", "contradicts",
            "excluded", "reports", "ambiguous", "seconds", "sentence_seconds", "speed",
            "fast_votes", "flags",
        )  # fmt: skip
        paths = {
            "votes": "n_votes",
            "excluded": "n_excluded",
            "reports": "n_reported",
            "ambiguous": "n_ambiguous",
            "fast_votes": "n_fast",
        }
        help = {
            "skill": "One-coin's probability of choosing the true option.",
            "confirms": "Dawid–Skene's probability of confirming a right author.",
            "contradicts": "Its probability of contradicting a wrong author.",
            "ambiguous": "Votes for “both plausible”.",
            "seconds": "Median of a complete vote.",
            "sentence_seconds": "Median of its second step.",
            "speed": "Robust z of the log of sentence_seconds among the validators, with its "
            "error.",
        }

    @extend_schema_field(FlagSerializer(many=True))
    def get_flags(self, line: ValidatorFigures) -> list[dict[str, str]]:
        return [{"code": code, "sentence": FLAGS[Flag(code)]} for code in line.flags]


class MonthSerializer(ResultSerializer):
    """One validator's month in all campaigns."""

    begins = serializers.DateField(help_text="First day of the month (UTC).")
    author = ShareSerializer(help_text="Agreement with the authors' answers.")

    class Meta:
        of = Month
        fields = ("begins", "author", "seconds")
        help = {"seconds": "Median of a vote."}


def kind_field() -> serializers.ChoiceField:
    return serializers.ChoiceField(
        choices=["counted", "gold"],
        default="counted",
        help_text="Votes that count for verdicts, or answers to control questions.",
    )


class HumanQuerySerializer(serializers.Serializer[Any]):
    """Which questions human performance is computed on."""

    domain = serializers.ChoiceField(
        choices=Twin.Domain.choices, required=False, default="", allow_blank=True
    )
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
        of = CaseDetail
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
