"""The quality of a campaign's votes."""

from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from collection.api.views.campaigns import visible_campaign
from collection.models import Campaign, Question
from collection.selectors.known_people import known_to
from validation.api.filters import ValidatorFilter
from validation.api.serializers import quality as serializers
from validation.models import QualityReport, ValidatorFigures
from validation.selectors import campaign_people
from validation.selectors import quality as selectors
from validation.services.quality import quality_report, renew_report
from winoplatform.api.runs import CuratorRows
from winoplatform.api.views import CuratorView, ListView, validated_query
from workers.api.callers import caller
from workers.models import AuditEvent, User

TAG = "quality"
UNKNOWN = "These are not questions of the campaign: {}."


def _body(campaign: Campaign, report: QualityReport | None) -> dict[str, Any]:
    return {
        "people": campaign_people(campaign),
        "made_at": report and report.created_at,
        "figures": report and report.figures,
    }


class Quality(CuratorView):
    gives = serializers.QualitySerializer

    def get(self, request: Request, slug: str) -> Any:
        """Return agreement, human performance and speed of a campaign's votes.

        The report of a large campaign is computed in the background: until it is done the last
        one is returned, or ``figures: null`` if there is none yet.
        """
        campaign = visible_campaign(request, slug)
        return _body(campaign, quality_report(campaign=campaign))


class RenewQuality(CuratorView):
    gives = serializers.QualitySerializer

    def post(self, request: Request, slug: str) -> Any:
        """Compute the report now; the response takes some seconds."""
        campaign = visible_campaign(request, slug)
        return _body(campaign, renew_report(campaign=campaign))


class QualityValidators(CuratorRows, ListView):
    """List the validators of the last report with accuracy, skill, speed and flags."""

    queryset = ValidatorFigures.objects.select_related("worker")
    serializer_class = serializers.ValidatorSerializer
    filterset_class = ValidatorFilter

    def visible(self, rows: Any) -> Any:
        return rows.filter(report=visible_campaign(self.request, self.kwargs["slug"]).pk)


class HumanPerformance(CuratorView):
    takes = serializers.HumanOfQuestionsSerializer
    gives = serializers.HumanSerializer
    success = 200
    query = {"GET": serializers.HumanQuerySerializer}

    def get(self, request: Request, slug: str) -> Any:
        """Return the accuracy of three validators, by majority and individually."""
        campaign = visible_campaign(request, slug)
        data = validated_query(serializers.HumanQuerySerializer, request)
        return selectors.human_performance(campaign, **data)

    def post(self, request: Request, slug: str) -> Any:
        """Return the same over a list of questions; nothing is stored."""
        campaign = visible_campaign(request, slug)
        data = self.body()
        unknown = selectors.unknown_questions(campaign, data["questions"])
        if unknown:
            raise ValidationError({"questions": UNKNOWN.format(", ".join(unknown[:3]))})
        return selectors.human_performance(campaign, **data)


class Posteriors(CuratorRows, ListView):
    audits = AuditEvent.Kind.LABELS
    queryset = Question.objects.all()
    serializer_class = serializers.PosteriorSerializer

    def visible(self, rows: Any) -> Any:
        return rows.in_campaign(visible_campaign(self.request, self.kwargs["slug"]))

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List how likely each question's author is right, by the majority and a model."""
        questions = list(self.paginate_queryset(self.get_queryset()) or [])
        report = selectors.stored_report(visible_campaign(request, self.kwargs["slug"]))
        advice = selectors.advice(questions, report=report)
        rows = [{"question": question, "advice": advice.get(question.pk)} for question in questions]
        return self.get_paginated_response(serializers.PosteriorSerializer(rows, many=True).data)


class WorkerMonths(CuratorView):
    gives = [serializers.MonthSerializer]

    def get(self, request: Request, id: str) -> Any:
        """Return one validator's accuracy and speed by month, in your campaigns."""
        workers = User.objects.filter(known_to(caller(request)), role=User.Role.WORKER)
        worker = get_object_or_404(workers, public_id=id)
        return selectors.months_of(worker.pk, caller(request))
