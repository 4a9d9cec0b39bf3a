"""The review queue: cases, a question with its votes and audit log, and changes to it."""

from typing import Any

from rest_framework import serializers

from collection.api.serializers.campaigns import PairField
from collection.models import Twin
from validation.api.serializers.quality import AdviceSerializer, ShareSerializer
from validation.api.serializers.validated import VerdictSerializer
from validation.models import VerdictEvent, Vote
from validation.services.review.adjudication import GIVEN_BY_CURATORS
from winoplatform.api.rows import RowSerializer


class CaseSerializer(serializers.Serializer[Any]):
    """Why a question is in the review queue."""

    question = serializers.CharField(source="case.question.public_id")
    sentence = serializers.CharField(source="case.question.sentence")
    domain = serializers.ChoiceField(source="case.domain", choices=Twin.Domain.choices)
    rank = serializers.IntegerField(
        source="case.rank", help_text="The highest comes first: appeals, reports, close splits."
    )
    reports = serializers.IntegerField(source="case.reports")
    reports_seen = serializers.IntegerField(
        source="case.reports_seen", help_text="How many of them a curator has seen."
    )
    suspected = serializers.BooleanField(
        source="case.suspected",
        help_text="Whether a curator offered it as a likely label error.",
    )
    flagged = serializers.BooleanField(
        source="case.flagged",
        help_text="Whether words of its text may be obscene or hateful.",
    )
    appealed = serializers.BooleanField(
        source="case.appealed", help_text="Whether its author's appeal was upheld."
    )
    returned = serializers.BooleanField(source="case.returned")
    closed_at = serializers.DateTimeField(source="case.closed_at", allow_null=True)
    verdict = VerdictSerializer(source="case.question.verdict", allow_null=True, default=None)
    posterior = serializers.FloatField(
        allow_null=True,
        help_text="Advice: how likely the author's answer is right, from the validators' skills.",
    )


class CaseVoteSerializer(serializers.Serializer[Any]):
    """A vote as the review queue shows it; options are numbered as in the twin."""

    id = serializers.UUIDField(source="vote.public_id")
    worker = serializers.CharField(source="vote.worker.public_id")
    option = serializers.IntegerField(source="vote.option")
    correct = serializers.BooleanField()
    ambiguous = serializers.BooleanField(source="vote.ambiguous")
    local_option = serializers.IntegerField(source="vote.local_option", allow_null=True)
    comment = serializers.CharField(source="vote.comment")
    report = serializers.ChoiceField(
        source="vote.report", choices=Vote.Report.choices, allow_blank=True
    )
    local_seconds = serializers.FloatField(allow_null=True, help_text="With the local context.")
    seconds = serializers.FloatField(allow_null=True, help_text="With the whole sentence.")
    accuracy = ShareSerializer(
        help_text="Votes for the author's answer among the validator's newest 300 in the campaign, "
        "of those on other valid questions."
    )
    created_at = serializers.DateTimeField(source="vote.created_at")
    amended_at = serializers.DateTimeField(source="vote.amended_at", allow_null=True)
    excluded_at = serializers.DateTimeField(source="vote.excluded_at", allow_null=True)
    exclusion_reason = serializers.CharField(source="vote.exclusion_reason")


class CaseReportSerializer(serializers.Serializer[Any]):
    """A validator's report of a problem with a question."""

    what = serializers.ChoiceField(choices=Vote.Report.choices)
    worker = serializers.CharField(source="worker.public_id")
    at = serializers.DateTimeField(allow_null=True)
    was_returned = serializers.BooleanField(
        help_text="Whether the seat was returned with it, without a vote."
    )
    comment = serializers.CharField()
    counts = serializers.BooleanField(help_text="False if its vote was excluded.")


class SiblingSerializer(serializers.Serializer[Any]):
    """The twin's other question; a return for revision affects both."""

    question = serializers.CharField(source="question.public_id")
    sentence = serializers.CharField(source="question.sentence")
    answer = serializers.IntegerField(source="question.answer")
    verdict = VerdictSerializer(source="question.verdict", allow_null=True, default=None)
    votes = serializers.IntegerField(source="n_votes")
    right = serializers.IntegerField(source="n_right", help_text="Votes for the author's answer.")
    ambiguous = serializers.IntegerField(source="n_ambiguous")


class CaseDetailSerializer(AdviceSerializer):
    """One question with all that bears on its verdict."""

    question = serializers.CharField(source="question.public_id")
    twin = serializers.UUIDField(source="question.twin.public_id")
    sentence = serializers.CharField(source="question.sentence")
    options = PairField(child=serializers.CharField(), source="question.twin.options")
    answer = serializers.IntegerField(source="question.answer")
    domain = serializers.ChoiceField(source="question.twin.domain", choices=Twin.Domain.choices)
    author = serializers.CharField(
        source="question.twin.author.public_id", allow_null=True, default=None
    )
    verdict = VerdictSerializer(source="question.verdict", allow_null=True, default=None)
    votes = CaseVoteSerializer(many=True)
    reports = CaseReportSerializer(many=True)
    sibling = SiblingSerializer(allow_null=True)
    waiting = serializers.IntegerField(help_text="Seats without a vote.")
    gold_answers = serializers.IntegerField()
    gold_right = serializers.IntegerField()
    returned = serializers.CharField(
        source="returned.note", allow_null=True, default=None, help_text="Message to the author."
    )
    revision = serializers.CharField(
        help_text="Send it with a decision; 409 means that the question has changed since."
    )


class EventSerializer(serializers.ModelSerializer[VerdictEvent]):
    by = serializers.CharField(source="by.public_id", allow_null=True, default=None)
    before = serializers.DictField(allow_null=True, help_text="The verdict, or the vote, or null.")
    after = serializers.DictField(allow_null=True)

    class Meta:
        model = VerdictEvent
        fields = ("action", "by", "reason", "before", "after", "created_at")


class ChangeSerializer(serializers.Serializer[Any]):
    """Fields of every change in the review queue."""

    revision = serializers.CharField(max_length=40, help_text="Of the question as seen.")
    note = serializers.CharField(
        max_length=500, default="", allow_blank=True, help_text="Why; kept in the audit log."
    )


class ReturnForRevisionSerializer(ChangeSerializer):
    note = serializers.CharField(max_length=500, help_text="Message to the author.")


class DecisionSerializer(ChangeSerializer):
    valid = serializers.BooleanField()
    reasons = serializers.ListField(
        child=serializers.ChoiceField(choices=[reason.value for reason in GIVEN_BY_CURATORS]),
        default=list,
        help_text="At least one if the question is not valid.",
    )


class WhySerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500, help_text="Message to the worker.")


class WhySinceSerializer(WhySerializer):
    campaign = serializers.SlugField(max_length=50)
    since = serializers.DateTimeField(help_text="Votes from this time on.")


class DoneSerializer(serializers.Serializer[Any]):
    done = serializers.IntegerField(help_text="Votes excluded by this call.")
    left = serializers.IntegerField(help_text="Votes left for another call; at most 200 per call.")


class ExcludedVoteSerializer(RowSerializer):
    """A vote of the user that was excluded: paid, not used."""

    sentence = serializers.CharField(source="question.sentence")
    campaign = serializers.SlugField(source="seat.campaign.slug")

    class Meta:
        model = Vote
        fields = (
            "id", "campaign", "worker", "sentence", "created_at", "excluded_at",
            "exclusion_reason",
        )  # fmt: skip
