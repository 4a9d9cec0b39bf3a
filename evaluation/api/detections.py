"""The REST resource of artifact detections."""

from typing import Any

from rest_framework import serializers

from corpora.api.sets import OfOneSet, SetNamed
from evaluation.core.artifacts.results import results
from evaluation.methods import METHODS
from evaluation.models import ArtifactDetection
from filtering.models import Encoding
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, setting


class ArtifactDetectionSerializer(SetNamed, RunSerializer):
    scorers = serializers.ListField(child=serializers.DictField(child=serializers.CharField()))
    evaluations: Any = serializers.SlugRelatedField(
        slug_field="public_id",
        many=True,
        read_only=True,
        help_text="The scores of each scorer for each text that it sees.",
    )
    verdict = serializers.SerializerMethodField(
        help_text="What was found, and among what nothing was, in plain sentences; null until it "
        "is done."
    )
    result = serializers.DictField(
        allow_null=True,
        help_text="Of format 2: `detected` with the figures of each detector (`name`, and "
        "`scorer` if it has one) over items (`single`) and over groups of at least two items "
        "(`group`), `clues` with the tests of single clues by kind, `not_run` with reasons, "
        "`examples` with an item as each detector sees it, and the numbers of items.",
    )

    class Meta:
        model = ArtifactDetection
        fields = (
            *RUN_FIELDS, "release", "reference_set", "snapshot", "split", "encoding", "scorers",
            "evaluations", "seed", "data_sha256", "code_version", "verdict", "result",
        )  # fmt: skip

    def get_verdict(self, run: ArtifactDetection) -> str | None:
        return None if run.result is None else results(run.result).verdict


class ScorerSerializer(serializers.Serializer[Any]):
    """A method of evaluations that learns from no answers, with its variant and its model."""

    method = serializers.ChoiceField(
        choices=[name for name, method in METHODS.items() if method.detects]
    )
    variant = serializers.SlugField(
        allow_blank=True, default="", help_text="Of the method; empty for its first one."
    )
    model = serializers.CharField(
        max_length=300, allow_blank=True, default="", help_text="As for an evaluation."
    )


class NewArtifactDetectionSerializer(OfOneSet):
    split = serializers.SlugField(
        max_length=50,
        allow_blank=True,
        default="",
        help_text="For a release: train-and-dev (the default), train or dev. Empty for a snapshot, "
        "and for a reference set with one split.",
    )
    encoding = ByPublicId(
        Encoding.objects.all(),
        required=False,
        help_text="An encoding of all questions of the release or snapshot: one more detector.",
    )
    scorers = ScorerSerializer(
        many=True,
        default=list,
        help_text="Their scores for texts that should not determine the answer are detectors too. "
        "Evaluations that are there are used, others are started.",
    )
    confirm_remote = serializers.BooleanField(
        default=False,
        help_text="For a model on a server: confirms that blind questions are sent to it.",
    )
    seed = setting(ArtifactDetection, "seed")
