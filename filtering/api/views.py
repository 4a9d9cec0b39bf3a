"""Comparisons of filter runs, the funnel, and results as files."""

import uuid
from typing import Any

from rest_framework.request import Request

from collection.api.views.campaigns import visible_campaign
from filtering import selectors, services
from filtering.api import serializers
from filtering.models import Assessment, FilterRun
from filtering.selectors.comparisons import compare_runs, runs_to_compare
from winoplatform.api.runs import CuratorRows, ResultFile
from winoplatform.api.schema import File, Refusal
from winoplatform.api.views import CuratorView, validated_query
from workers.api.callers import caller


class _MoreRuns(CuratorRows):
    """Starts filter runs based on an existing one."""

    queryset = FilterRun.objects.select_related("encoding", "reference", "selection", "created_by")
    serializer_class = serializers.FilterRunSerializer
    success = 201


class CloneFilterRun(_MoreRuns):
    takes = serializers.CloneSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Start another run with this run's settings, except for those sent."""
        changes = self.body()
        return services.clone_filter_run(run=self.get_object(), by=caller(request), **changes)


class FilterRunSeeds(_MoreRuns):
    takes = serializers.SeedsSerializer
    gives = [serializers.FilterRunSerializer]
    refuses = Refusal("seed_taken")

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Start this run again with other seeds, to see which results depend on the seed."""
        seeds = self.body()["seeds"]
        return services.start_seeds(run=self.get_object(), seeds=seeds, by=caller(request))


class FilterRunControls(_MoreRuns):
    gives = [serializers.FilterRunSerializer]
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Start the missing controls of an AFLite run: random, and PMI by each score."""
        return services.start_controls(run=self.get_object(), by=caller(request))


class ChooseFilterRun(_MoreRuns):
    success = 200
    refuses = [409, Refusal("not_aflite", status=400)]

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Let the campaign show this run's results instead of those of its latest release."""
        run = self.get_object()
        services.choose_run(run=run, by=caller(request))
        return run


class CompareFilterRuns(CuratorView):
    query = serializers.WhichRunsSerializer
    gives = serializers.ComparisonSerializer
    refuses = [404, 409, Refusal("too_few_runs", status=400)]

    def get(self, request: Request) -> Any:
        """Compare runs over one encoding: what they keep, what they remove, how they score.

        A question's score is its share of correct held-out predictions: in the first phase, which
        has all questions, or as the mean over its phases. Controls have no scores.
        """
        ids = validated_query(serializers.WhichRunsSerializer, request)["run"]
        return compare_runs(runs_to_compare(ids))


class CampaignFunnel(CuratorView):
    gives = serializers.FunnelSerializer

    def get(self, request: Request, slug: str) -> Any:
        """Count a campaign's questions by stage: written, validated, valid, kept."""
        return selectors.funnel(visible_campaign(request, slug))


class ChosenRun(CuratorView):
    gives = None

    def delete(self, request: Request, slug: str) -> None:
        """Let the campaign show the run of its latest release again."""
        services.show_latest_release(campaign=visible_campaign(request, slug))


class KeptQuestions(ResultFile):
    """The ids of the questions that a finished run kept, one per line."""

    queryset = FilterRun.objects.select_related("selection__kept")
    gives = File("text/plain", "Ids of the questions kept, one per line.", has_etag=True)
    file_name = "kept-{id}.txt"
    stored = "selection.kept"


class AssessmentReport(ResultFile):
    """The report of a finished assessment; the same run and seed give the same bytes."""

    queryset = Assessment.objects.select_related("report")
    gives = File("application/json", "All parts as one canonical JSON document.", has_etag=True)
    file_name = "assessment-{id}.json"
    stored = "report"
