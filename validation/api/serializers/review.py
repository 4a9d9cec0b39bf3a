"""The review queue: cases, a question with its votes and audit log, and changes to it."""

from typing import Any

from rest_framework import serializers

from validation.api.serializers.quality import AdviceSerializer, ShareSerializer
from validation.api.serializers.validated import VerdictSerializer
from validation.models import VerdictEvent, VisitorReport, Vote
from validation.selectors.case_detail import CaseDetail, CaseReport, CaseVote, Sibling
from validation.selectors.review_queue import CaseRow
from validation.services.review.adjudication import GIVEN_BY_CURATORS
from winoplatform.api.results import ResultSerializer
from winoplatform.api.rows import RowSerializer


class CaseSerializer(ResultSerializer):
    """Why a question is in the review queue."""

    verdict = VerdictSerializer(source="case.question.verdict", allow_null=True, default=None)

    class Meta:
        of = CaseRow
        fields = (
            "case.question", "case.question.sentence", "case.domain", "case.rank", "case.reports",
            "case.reports_seen", "case.suspected", "case.flagged", "case.appealed", "case.returned",
            "case.closed_at", "verdict", "posterior",
        )  # fmt: skip
        help = {
            "rank": "The highest comes first: appeals, reports, close splits.",
            "reports_seen": "How many of them a curator has seen.",
            "suspected": "Whether a curator offered it as a likely label error.",
            "flagged": "Whether words of its text may be obscene or hateful.",
            "appealed": "Whether its author's appeal was upheld.",
            "posterior": "Advice: how likely the author's answer is right, from the validators' "
            "skills.",
        }


class CaseVoteSerializer(ResultSerializer):
    """A vote as the review queue shows it; options are numbered as in the twin."""

    accuracy = ShareSerializer(
        help_text="Votes for the author's answer among the validator's newest 300 in the campaign, "
        "of those on other valid questions."
    )

    class Meta:
        of = CaseVote
        fields = (
            "vote.id", "vote.worker", "vote.option", "correct", "vote.ambiguous",
            "vote.local_option", "vote.comment", "vote.report", "local_seconds", "seconds",
            "accuracy", "vote.created_at", "vote.amended_at", "vote.excluded_at",
            "vote.exclusion_reason",
        )  # fmt: skip
        help = {
            "local_seconds": "With the local context.",
            "seconds": "With the whole sentence.",
        }


class CaseReportSerializer(ResultSerializer):
    """A report of a problem with a question, by a validator or a reader."""

    what = serializers.ChoiceField(choices=VisitorReport.Kind.choices)

    class Meta:
        of = CaseReport
        help = {
            "was_returned": "Whether the seat was returned with it, without a vote.",
            "counts": "False if its vote was excluded.",
        }


class SiblingSerializer(ResultSerializer):
    """The twin's other question; a return for revision affects both."""

    verdict = VerdictSerializer(source="question.verdict", allow_null=True, default=None)

    class Meta:
        of = Sibling
        fields = (
            "question", "question.sentence", "question.answer", "verdict", "votes", "right",
            "ambiguous",
        )  # fmt: skip
        paths = {"votes": "n_votes", "right": "n_right", "ambiguous": "n_ambiguous"}
        help = {"right": "Votes for the author's answer."}


class CaseDetailSerializer(AdviceSerializer):
    """One question with all that bears on its verdict."""

    verdict = VerdictSerializer(source="question.verdict", allow_null=True, default=None)
    votes = CaseVoteSerializer(many=True)
    reports = CaseReportSerializer(many=True)
    sibling = SiblingSerializer(allow_null=True)

    class Meta(AdviceSerializer.Meta):
        of = CaseDetail
        fields = (
            *AdviceSerializer.Meta.fields, "question", "question.twin", "question.sentence",
            "question.twin.options", "question.answer", "question.twin.domain",
            "question.twin.author", "verdict", "votes", "reports", "sibling", "waiting",
            "gold_answers", "gold_right", "returned", "revision",
        )  # fmt: skip
        paths = {"returned": "returned.note"}
        help = {
            **AdviceSerializer.Meta.help,
            "waiting": "Seats without a vote.",
            "returned": "Message to the author.",
            "revision": "Send it with a decision; 409 means that the question has changed since.",
        }


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

    class Meta:
        model = Vote
        fields = (
            "id", "seat.campaign", "worker", "question.sentence", "created_at", "excluded_at",
            "exclusion_reason",
        )  # fmt: skip
