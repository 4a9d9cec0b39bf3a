"""Leaderboards: noisy scores of predictions for a blind test."""

import uuid
from typing import Any

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request

from collection.api.serializers.authoring import PeopleSerializer
from collection.api.views.campaigns import visible_campaign
from corpora.models import Release
from corpora.selectors import release_people
from evaluation import selectors, services
from evaluation.core.predictions import FORMATS
from evaluation.models import Leaderboard, Submission
from validation.api.serializers.quality import ShareSerializer
from winoplatform import clock
from winoplatform.api.rows import RowSerializer
from winoplatform.api.runs import setting
from winoplatform.api.views import ApiView, CuratorView
from winoplatform.errors import DomainError, existing
from winoplatform.http.bodies import UPLOADED_BYTES, accept_files
from workers.api.callers import caller


class SubmissionSerializer(RowSerializer):
    class Meta:
        model = Submission
        fields = (
            "id", "system", "link", "accuracy", "accuracy_noise", "pair_accuracy", "pair_noise",
            "area", "created_at",
        )  # fmt: skip
        help = {
            "accuracy": "With noise, from 0 to 1; of size xl if there are five.",
            "accuracy_noise": "Standard deviation of the noise in the accuracy.",
            "pair_accuracy": "With noise; null without complete pairs.",
            "area": "Under the curve of five training sizes, with noise.",
        }


class RankedSerializer(serializers.Serializer[Any]):
    """A submission with 95 % intervals, which include the noise and the choice of questions."""

    submission = SubmissionSerializer()
    accuracy = ShareSerializer()
    pair_accuracy = ShareSerializer(allow_null=True)
    area = ShareSerializer(allow_null=True)


class RemainingSerializer(serializers.Serializer[Any]):
    of_all = serializers.IntegerField(help_text="Submissions left to all people.")
    of_person = serializers.IntegerField(help_text="Submissions left to you.")
    used_today = serializers.BooleanField(help_text="Whether you have submitted today (UTC).")
    share_told = serializers.FloatField(
        help_text="Of the labels, that the scores of the last 365 days tell at most."
    )


class LeaderboardSerializer(serializers.Serializer[Any]):
    """The submissions for one release, the highest accuracy first."""

    people = PeopleSerializer(help_text="Who wrote and validated the questions.")
    is_open = serializers.BooleanField()
    per_year = serializers.IntegerField(help_text="Submissions that it accepts in any 365 days.")
    remaining = RemainingSerializer()
    submissions = RankedSerializer(many=True)


class NewSubmissionSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        help_text="A prediction, 1 or 2, for each question of test.jsonl; it is not kept."
    )
    format = serializers.ChoiceField(
        sorted(FORMATS), allow_blank=True, default="", help_text="By the file's ending if empty."
    )
    system = setting(Submission, "system")
    link = setting(Submission, "link", default="", required=False)


class LeaderboardSettingsSerializer(serializers.Serializer[Any]):
    per_year = setting(Leaderboard, "per_year")
    is_open = setting(Leaderboard, "is_open")


def _release_and_board(request: Request, public_id: uuid.UUID) -> tuple[Release, Leaderboard]:
    releases = Release.objects.visible_to(caller(request)).select_related("snapshot")
    release = existing(releases.filter(public_id=public_id).first(), "release")
    board = existing(
        Leaderboard.objects.filter(campaign=release.snapshot.campaign_id).first(), "leaderboard"
    )
    return release, board


class ReleaseLeaderboard(ApiView):
    parser_classes = [MultiPartParser]
    takes = {"POST": NewSubmissionSerializer}
    gives: Any = {"GET": LeaderboardSerializer, "POST": SubmissionSerializer}
    success = 201
    refuses = (409, 413, 429)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Let the request send a file; its body is read after the permissions are checked."""
        self.limit = accept_files(request)
        return super().initialize_request(request, *args, **kwargs)

    def get(self, request: Request, id: uuid.UUID) -> Any:
        """Return the submissions for a release's blind test, and how many more it accepts."""
        release, board = _release_and_board(request, id)
        return {
            "people": release_people(release),
            "is_open": board.is_open,
            "per_year": board.per_year,
            "remaining": selectors.remaining(board, user=caller(request), now=clock.now()),
            "submissions": selectors.ranked(release),
        }

    def post(self, request: Request, id: uuid.UUID) -> Any:
        """Score predictions for the blind test, at most one file a day."""
        release, _ = _release_and_board(request, id)
        if request.data is not None and self.limit.skipped:
            message = f"The file has more than {UPLOADED_BYTES >> 20} MB."
            raise DomainError("too_large", message, status=413)
        data = self.body()
        file_name = data["file"].name or ""
        return services.submit(release=release, by=caller(request), file_name=file_name, **data)


class CampaignLeaderboard(CuratorView):
    takes = LeaderboardSettingsSerializer
    gives = LeaderboardSettingsSerializer

    def put(self, request: Request, slug: str) -> Any:
        """Open a campaign's leaderboard, change how much it accepts, or close it."""
        campaign = visible_campaign(request, slug)
        data = self.body()
        board = services.open_leaderboard(campaign=campaign, per_year=data["per_year"])
        if not data["is_open"]:
            services.close_leaderboard(leaderboard=board)
        return board
