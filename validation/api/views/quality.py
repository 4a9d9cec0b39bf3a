"""The quality of a campaign's votes, and the votes themselves as files."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from collection.api.views.campaigns import visible_campaign
from collection.models import Question
from validation.api.examples_quality import HUMAN, JUDGE, MONTH, POSTERIOR, REPORT, WHAT_IF
from validation.api.filters import JudgeFilter
from validation.api.serializers import quality as serializers
from validation.exports.votes import votes_file
from validation.exports.what_if import what_if_csv
from validation.models import JudgeFigures, QualityReport
from validation.selectors import quality as selectors
from validation.services.quality import quality_report, renew_report
from winoplatform.api.permissions import IsCurator
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import answer_example, operation, request_example
from winoplatform.api.views import AnyAccept, ListView, validated
from workers.models import User

TAG = "quality"
UNKNOWN = "Some of these are no questions of the campaign, such as {}."


def _asked(form: Any, request: Request) -> dict[str, Any]:
    query = form(data=request.query_params)
    query.is_valid(raise_exception=True)
    return dict(query.validated_data)


def _body(report: QualityReport | None) -> Response:
    shown = {
        "made_at": report and report.created_at,
        "figures": report and report.figures,
    }
    return Response(serializers.QualitySerializer(shown).data)


class Quality(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_quality",
        tag=TAG,
        answers={200: serializers.QualitySerializer},
        refusals=[403, 404],
        examples=[answer_example("a report", REPORT)],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Agreement, human performance and speed of a campaign's votes.

        A large campaign's report is worked out by a worker beside the request: until it is done
        the last one is given, or ``figures: null`` where there is none yet.
        """
        return _body(quality_report(campaign=visible_campaign(request, slug)))


class RenewQuality(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_quality_renew",
        tag=TAG,
        request=None,
        answers={200: serializers.QualitySerializer},
        refusals=[403, 404],
        examples=[answer_example("a report", REPORT)],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Work the report out now; the answer comes when it is done, in seconds."""
        return _body(renew_report(campaign=visible_campaign(request, slug)))


class QualityJudges(CuratorRows, ListView):
    queryset = JudgeFigures.objects.select_related("worker")
    serializer_class = serializers.JudgeSerializer
    filterset_class = JudgeFilter

    def visible(self, rows: Any) -> Any:
        return rows.filter(report=visible_campaign(self.request, self.kwargs["slug"]).pk)

    @operation(
        "campaigns_quality_judges",
        tag=TAG,
        answers={200: serializers.JudgeSerializer(many=True)},
        refusals=[400, 403, 404],
        examples=[answer_example("far too fast", JUDGE)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the judges of the last report, each with accuracy, skill, speed and flags."""
        return self.list(request)


class HumanPerformance(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_quality_human",
        tag=TAG,
        answers={200: serializers.HumanSerializer},
        refusals=[400, 403, 404],
        parameters=[serializers.HumanQuerySerializer],
        examples=[answer_example("94 %", HUMAN)],
    )
    def get(self, request: Request, slug: str) -> Response:
        """How well three judges do, by majority and one by one, over the questions that fit."""
        campaign = visible_campaign(request, slug)
        asked = _asked(serializers.HumanQuerySerializer, request)
        found = selectors.human_performance(campaign, **asked)
        return Response(serializers.HumanSerializer(found).data)

    @operation(
        "campaigns_quality_human_of_questions",
        tag=TAG,
        request=serializers.HumanOfQuestionsSerializer,
        answers={200: serializers.HumanSerializer},
        refusals=[400, 403, 404],
        examples=[
            request_example(
                "two questions", {"questions": ["4f1c2a9b7d3e8065", "9a0d51c27be34f68"]}
            ),
            answer_example("94 %", HUMAN),
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        """The same over questions that are named; nothing is stored."""
        campaign = visible_campaign(request, slug)
        asked = validated(serializers.HumanOfQuestionsSerializer, request)
        unknown = selectors.unknown_questions(campaign, asked["questions"])
        if unknown:
            raise ValidationError({"questions": UNKNOWN.format(", ".join(unknown[:3]))})
        found = selectors.human_performance(campaign, **asked)
        return Response(serializers.HumanSerializer(found).data)


class WhatIf(APIView):
    permission_classes = [IsCurator]

    @operation(
        "campaigns_quality_what_if",
        tag=TAG,
        answers={200: serializers.WhatIfSerializer},
        refusals=[400, 403, 404],
        parameters=[serializers.WhatIfQuerySerializer],
        examples=[answer_example("all three must agree", WHAT_IF)],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Which verdicts would turn if the votes were decided under another policy."""
        campaign = visible_campaign(request, slug)
        asked = _asked(serializers.WhatIfQuerySerializer, request)
        limit = asked.pop("limit")
        found = selectors.what_if(campaign, **asked)
        return Response(serializers.what_if_body(found, limit=limit))


class WhatIfFile(APIView):
    permission_classes = [IsCurator]
    content_negotiation_class = AnyAccept

    @operation(
        "campaigns_quality_what_if_file",
        tag=TAG,
        answers={(200, "text/csv"): OpenApiTypes.STR},
        refusals=[400, 403, 404],
        parameters=[serializers.WhatIfQuerySerializer],
    )
    def get(self, request: Request, slug: str) -> Any:
        """Every verdict that would turn, as CSV."""
        campaign = visible_campaign(request, slug)
        asked = _asked(serializers.WhatIfQuerySerializer, request)
        del asked["limit"]
        return what_if_csv(campaign, **asked)


class Posteriors(CuratorRows, ListView):
    queryset = Question.objects.all()
    serializer_class = serializers.PosteriorSerializer

    def visible(self, rows: Any) -> Any:
        return rows.in_campaign(visible_campaign(self.request, self.kwargs["slug"]))

    @operation(
        "campaigns_quality_posteriors",
        tag=TAG,
        answers={200: serializers.PosteriorSerializer(many=True)},
        refusals=[400, 403, 404],
        examples=[answer_example("rather wrong", POSTERIOR)],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List how likely each question's author is right: by the majority and by both models."""
        questions = list(self.paginate_queryset(self.get_queryset()) or [])
        report = selectors.stored_report(visible_campaign(request, self.kwargs["slug"]))
        found = selectors.advice(questions, report=report)
        rows = [
            {"public_id": question.public_id, "advice": found.get(question.pk)}
            for question in questions
        ]
        return self.get_paginated_response(serializers.PosteriorSerializer(rows, many=True).data)


class WorkerMonths(APIView):
    permission_classes = [IsCurator]

    @operation(
        "workers_quality",
        tag=TAG,
        answers={200: serializers.MonthSerializer(many=True)},
        refusals=[403, 404],
        examples=[answer_example("one month", MONTH)],
    )
    def get(self, request: Request, id: str) -> Response:
        """One judge's accuracy and speed, month by month, in all campaigns."""
        worker = get_object_or_404(User, public_id=id, role=User.Role.WORKER)
        found = selectors.months_of(worker.pk)
        return Response(serializers.MonthSerializer(found, many=True).data)


class VotesJsonl(APIView):
    permission_classes = [IsCurator]
    content_negotiation_class = AnyAccept

    @operation(
        "campaigns_votes_jsonl",
        tag=TAG,
        answers={(200, "application/x-ndjson"): OpenApiTypes.STR},
        refusals=[403, 404],
    )
    def get(self, request: Request, slug: str) -> Any:
        """Every vote of a campaign by pseudonym, the oldest first, a JSON object a line."""
        return votes_file(visible_campaign(request, slug), "jsonl")


class VotesCsv(APIView):
    permission_classes = [IsCurator]
    content_negotiation_class = AnyAccept

    @operation(
        "campaigns_votes_csv",
        tag=TAG,
        answers={(200, "text/csv"): OpenApiTypes.STR},
        refusals=[403, 404],
    )
    def get(self, request: Request, slug: str) -> Any:
        """Every vote of a campaign by pseudonym, the oldest first, as CSV."""
        return votes_file(visible_campaign(request, slug), "csv")
