"""Human evaluations: fresh votes of people on a set of questions. For curators."""

import uuid
from typing import Any

from django.http import StreamingHttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.serializers.people import PeopleSerializer
from collection.models import Campaign
from corpora.api.sets import OfOneSet, SetNamed
from evaluation import selectors, services
from evaluation.exports.human_votes import human_votes_csv
from evaluation.models import HumanEvaluation, HumanSeat
from validation.api.serializers.quality import PeopleShareSerializer
from validation.api.serializers.review import DoneSerializer, WhySerializer
from winoplatform.api.fields import AmountField, ByText
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import File
from winoplatform.api.views import CuratorFile, CuratorView, ListView, validated
from winoplatform.errors import NotFound
from workers.api.callers import caller
from workers.models import AuditEvent
from workers.services import worker_named

ROWS = HumanEvaluation.objects.select_related("campaign", "release", "snapshot", "reference_set")


class HumanEvaluationSerializer(SetNamed, serializers.ModelSerializer[HumanEvaluation]):
    id = serializers.UUIDField(source="public_id", read_only=True)
    campaign = serializers.SlugField(source="campaign.slug", read_only=True)

    class Meta:
        model = HumanEvaluation
        fields = (
            "id", "campaign", "release", "snapshot", "reference_set", "split", "votes_per_item",
            "reward", "n_groups", "seed", "data_sha256", "status", "created_at",
        )  # fmt: skip


class NewHumanEvaluationSerializer(OfOneSet):
    split = serializers.SlugField(
        max_length=50,
        allow_blank=True,
        default="",
        help_text="Empty for dev, for a snapshot, and for a reference set with one split.",
    )
    campaign = ByText(
        Campaign.objects.all(),
        key="slug",
        required=False,
        help_text="For a reference set: whose validators answer, and whose budget pays.",
    )
    votes_per_item = serializers.ChoiceField(choices=[3, 5], default=3)
    reward = AmountField(
        max_digits=8,
        min_value=0,
        required=False,
        help_text="For each vote; by default what the campaign pays for a validated question.",
    )
    n_groups = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        required=False,
        help_text="Groups to draw by the seed, each with all its questions; all by default.",
    )
    seed = serializers.IntegerField(default=0, min_value=0, max_value=2**63 - 1)


class PeopleScoresSerializer(serializers.Serializer[Any]):
    """The accuracy of people, of questions that have all their votes."""

    individual = PeopleShareSerializer(help_text="Of single votes; n counts votes.")
    majority = PeopleShareSerializer(help_text="Of majorities, ties shared; n counts questions.")
    group = PeopleShareSerializer(
        help_text="Whether all majorities of a group are right; n counts groups."
    )
    raw = PeopleShareSerializer(help_text="Share of agreeing pairs of votes.")
    alpha = PeopleShareSerializer(
        help_text="Krippendorff's alpha, for questions with two options; else its value is null."
    )


class ProgressSerializer(serializers.Serializer[Any]):
    n_items = serializers.IntegerField()
    n_groups = serializers.IntegerField()
    n_complete = serializers.IntegerField(help_text="Questions that have all their votes.")
    n_votes = serializers.IntegerField()
    n_wanted = serializers.IntegerField()
    n_people = serializers.IntegerField()
    n_unused = serializers.IntegerField(help_text="Votes that are paid, and excluded or spare.")


class HumanResultSerializer(HumanEvaluationSerializer):
    """A human evaluation with its progress and its results so far."""

    people = PeopleSerializer(read_only=True, help_text="Who cast the votes.")
    progress = ProgressSerializer(read_only=True)
    scores = PeopleScoresSerializer(read_only=True)
    by_domain = serializers.DictField(child=PeopleScoresSerializer(), read_only=True)

    class Meta(HumanEvaluationSerializer.Meta):
        fields = (
            *HumanEvaluationSerializer.Meta.fields,
            "people",
            "progress",
            "scores",
            "by_domain",
        )  # type: ignore[assignment]


class HumanStatusSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=HumanEvaluation.Status.choices)


def _found(public_id: uuid.UUID) -> HumanEvaluation:
    found = ROWS.filter(public_id=public_id).first()
    if found is None:
        raise NotFound("human evaluation")
    return found


class HumanEvaluations(CuratorRows, ListView):
    """List the human evaluations, newest first."""

    queryset = ROWS
    serializer_class = HumanEvaluationSerializer
    takes = NewHumanEvaluationSerializer
    refuses = 409

    def post(self, request: Request) -> Response:
        """Ask people for fresh votes on a split or a snapshot, and reserve their pay."""
        asked = validated(NewHumanEvaluationSerializer, request)
        made = services.start_human_evaluation(by=caller(request), **asked)
        return Response(HumanEvaluationSerializer(made).data, status=201)


class OneHumanEvaluation(CuratorView):
    gives = HumanResultSerializer

    def get(self, request: Request, id: uuid.UUID) -> Response:
        """Return a human evaluation with its progress and its results so far."""
        found: Any = _found(id)
        items = selectors.human_answers(found)
        found.people = selectors.voters_people(found)
        found.progress = selectors.progress_of(found)
        found.scores = selectors.scores_of(items)
        found.by_domain = selectors.scores_by_domain(items)
        return Response(HumanResultSerializer(found).data)


class ChangeHumanStatus(CuratorView):
    takes = HumanStatusSerializer
    gives = HumanEvaluationSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Pause, reopen or close a human evaluation; a closed one cannot be opened again."""
        found = _found(id)
        status = validated(HumanStatusSerializer, request)["status"]
        changed = services.change_human_status(evaluation=found, status=status)
        return Response(HumanEvaluationSerializer(changed).data)


class HumanVotes(CuratorFile):
    audits = AuditEvent.Kind.LABELS_FILE
    gives = File("text/csv", "One vote per line; workers are pseudonyms.")

    def get(self, request: Request, id: uuid.UUID) -> StreamingHttpResponse:
        """Download every vote of a human evaluation."""
        return human_votes_csv(_found(id))


class HumanVoteSerializer(serializers.ModelSerializer[HumanSeat]):
    """A vote of a human evaluation, and why it is excluded, if it is."""

    id = serializers.UUIDField(source="public_id")
    evaluation = serializers.UUIDField(source="evaluation.public_id")
    worker = serializers.CharField(source="worker.public_id", help_text="A pseudonym.")

    class Meta:
        model = HumanSeat
        fields = ("id", "evaluation", "worker", "excluded_at", "exclusion_reason", "spare")


class WhyWhoseSerializer(WhySerializer):
    worker = serializers.SlugField(max_length=50, help_text="A pseudonym.")


class ExcludeHumanVote(CuratorView):
    takes = WhySerializer
    gives = HumanVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Exclude a vote: it stays paid, its worker is notified, another person is asked."""
        why = validated(WhySerializer, request)
        vote = services.exclude_human_vote(vote_id=id, by=caller(request), **why)
        return Response(HumanVoteSerializer(vote).data)


class RestoreHumanVote(CuratorView):
    takes = WhySerializer
    gives = HumanVoteSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Restore an excluded vote; one that was cast in its place becomes spare."""
        why = validated(WhySerializer, request)
        vote = services.restore_human_vote(vote_id=id, by=caller(request), **why)
        return Response(HumanVoteSerializer(vote).data)


class ExcludeHumanVotes(CuratorView):
    takes = WhyWhoseSerializer
    gives = DoneSerializer

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Exclude the votes of a worker in a human evaluation; call again while any are left."""
        why = validated(WhyWhoseSerializer, request)
        worker = worker_named(why.pop("worker"))
        done = services.exclude_human_votes_of(
            worker=worker, evaluation=_found(id), by=caller(request), **why
        )
        return Response(DoneSerializer(done).data)
