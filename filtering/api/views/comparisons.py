"""Clone, repeat with other seeds, and compare filter runs. For curators."""

import uuid

from rest_framework.request import Request
from rest_framework.response import Response

from filtering import services
from filtering.api import serializers
from filtering.models import FilterRun
from filtering.selectors.comparisons import compare_runs, runs_to_compare
from winoplatform.api.runs import CuratorRows
from winoplatform.api.schema import Refusal
from winoplatform.api.views import CuratorView, validated, validated_query
from workers.api.callers import caller


class _MoreRuns(CuratorRows):
    """Starts filter runs based on an existing one."""

    queryset = FilterRun.objects.select_related("encoding", "reference", "selection", "created_by")
    serializer_class = serializers.FilterRunSerializer
    success = 201


class CloneFilterRun(_MoreRuns):
    takes = serializers.CloneSerializer
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Start another run with this run's settings, except for those sent."""
        changes = validated(serializers.CloneSerializer, request)
        run = services.clone_filter_run(run=self.get_object(), by=caller(request), **changes)
        return Response(self.get_serializer(run).data, status=201)


class FilterRunSeeds(_MoreRuns):
    takes = serializers.SeedsSerializer
    gives = [serializers.FilterRunSerializer]
    refuses = Refusal("seed_taken")

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Start this run again with other seeds, to see which results depend on the seed."""
        seeds = validated(serializers.SeedsSerializer, request)["seeds"]
        runs = services.start_seeds(run=self.get_object(), seeds=seeds, by=caller(request))
        return Response(self.get_serializer(runs, many=True).data, status=201)


class FilterRunControls(_MoreRuns):
    gives = [serializers.FilterRunSerializer]
    refuses = 409

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Start the missing controls of an AFLite run: random, and PMI by each score."""
        runs = services.start_controls(run=self.get_object(), by=caller(request))
        return Response(self.get_serializer(runs, many=True).data, status=201)


class ChooseFilterRun(_MoreRuns):
    success = 200
    refuses = [409, Refusal("not_aflite", status=400)]

    def post(self, request: Request, id: uuid.UUID) -> Response:
        """Let the campaign show this run's results instead of those of its latest release."""
        run = self.get_object()
        services.choose_run(run=run, by=caller(request))
        return Response(self.get_serializer(run).data)


class CompareFilterRuns(CuratorView):
    query = serializers.WhichRunsSerializer
    gives = serializers.ComparisonSerializer
    refuses = [404, 409, Refusal("too_few_runs", status=400)]

    def get(self, request: Request) -> Response:
        """Compare runs over one encoding: what they keep, what they remove, how they score.

        A question's score is its share of correct held-out predictions: in the first phase, which
        has all questions, or as the mean over its phases. Controls have no scores.
        """
        asked = validated_query(serializers.WhichRunsSerializer, request)["run"]
        found = compare_runs(runs_to_compare(asked))
        return Response(serializers.ComparisonSerializer(found).data)
