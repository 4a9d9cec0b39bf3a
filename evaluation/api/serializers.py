"""Serializers of evaluations' and detections' requests and responses."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from corpora.api.serializers import ReleaseSerializer, SnapshotSerializer
from corpora.api.sets import OfOneSet
from corpora.core.bundle.layout import SIZES
from evaluation.core.artifacts.results import results
from evaluation.core.key_verdicts import verdict
from evaluation.core.predictions import FORMATS
from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import ArtifactDetection, AuditedKey, Evaluation, FineTuning, KeyAudit
from evaluation.selectors.key_audits import seen_evaluations, seen_systems, suspects_of
from filtering.api.serializers import EncodingSerializer, FilterRunSerializer
from filtering.models import Encoding
from knowledge.core.statistics import TABLE_6
from knowledge.models import KnowledgeRelease
from validation.api.serializers.quality import ShareSerializer
from winoplatform.api.fields import ByPublicId
from winoplatform.api.runs import RUN_FIELDS, RunSerializer, setting
from winoplatform.http.rights import reader

METHOD_NAMES = sorted(METHODS)


class EvaluationSerializer(RunSerializer):
    metrics = serializers.DictField(child=ShareSerializer(), allow_null=True)
    figures = serializers.DictField(
        allow_null=True,
        help_text="Of statements, of format 1: `counts` by subset (`all`, `valid`, "
        "`not circular`), `figures` by subset, variant and seed, `detectors` by variant, and what "
        "was `left_out`.",
    )
    dropped = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="By reason: the questions that the transformation or the method dropped.",
    )
    members: Any = serializers.SlugRelatedField(
        slug_field="public_id",
        many=True,
        read_only=True,
        help_text="Of an ensemble: the evaluations that it combines.",
    )
    report = serializers.DictField(
        allow_null=True,
        help_text="Of predictions made elsewhere: how the file was read, and what was missing, "
        "unknown or not understood.",
    )
    head_check = serializers.DictField(
        allow_null=True,
        help_text="Of a masked or causal model: its perplexity on plain and on shuffled text.",
    )

    class Meta:
        model = Evaluation
        help = {
            "encoding": "The encoding whose features the linear model uses.",
            "fine_tuning": "The fine-tuned model under test.",
            "system": "What is under test, in words.",
            "warning": "Set if the scores mean little or may be reversed: the model's head is at "
            "chance level, it was trained on some of the questions, or the accuracy is far below "
            "chance.",
        }
        fields = (
            *RUN_FIELDS, "release", "reference_set", "snapshot", "split", "transformation",
            "knowledge_release", "reasons", "trained_on", "seeds", "is_frozen", "rates_of",
            "method", "variant", "model", "dtype", "encoding", "fine_tuning", "seed",
            "weights_sha256", "n_learned",
            "config_sha256", "revision", "data_sha256", "corpus_sha256", "code_version", "members",
            "system", "system_name", "report", "remote_confirmed", "head_check", "warning",
            "dropped", "metrics", "figures",
        )  # fmt: skip


class ScoringSerializer(OfOneSet):
    """What is scored, and how."""

    method = serializers.ChoiceField(choices=METHOD_NAMES)
    variant = serializers.SlugField(
        allow_blank=True, default="", help_text="Of the method; empty for its first one."
    )
    model = setting(
        Evaluation,
        "model",
        default="",
        required=False,
        help_text="For a language model: a hub id, a local folder or pkg:module/folder that the "
        "operator permits.",
    )
    dtype = setting(Evaluation, "dtype")
    transformation = serializers.SlugField(
        allow_blank=True, default="", help_text="Applied to the questions first; empty for none."
    )
    fine_tuning = ByPublicId(
        FineTuning.objects.all(),
        required=False,
        help_text="For the method fine_tuned: the model; it need not have ended yet.",
    )
    confirm_remote = serializers.BooleanField(
        default=False,
        help_text="For a model on a server: confirms that blind questions are sent to it.",
    )


class NewEvaluationSerializer(ScoringSerializer):
    """What is scored, and how; of statements instead of questions, also what is learned from."""

    SETS: ClassVar = ScoringSerializer.SETS | {
        "knowledge_release": "knowledge release", "reasons": "collection of reasons",
    }  # fmt: skip

    seed = setting(Evaluation, "seed")
    knowledge_release = ByPublicId(
        KnowledgeRelease.objects.all(), required=False, help_text="Instead of a release."
    )
    reasons = serializers.SlugField(
        allow_blank=True,
        default="",
        help_text="Instead of a release: a collection of imported reasons.",
    )
    trained_on = serializers.SlugField(
        allow_blank=True, default="", help_text="Of a classifier: reasons; winowhy if empty."
    )
    seeds = serializers.ListField(
        child=setting(Evaluation, "seed", default=serializers.empty),
        max_length=20,
        default=list,
        help_text="Of a classifier: the paper's five if empty.",
    )
    is_frozen = serializers.BooleanField(
        default=True, help_text="Of a classifier: train only the linear layer."
    )
    rates_of = serializers.ChoiceField(
        choices=list(TABLE_6),
        allow_blank=True,
        default="",
        help_text="Of a classifier: the model of the paper's Table 6 whose learning rates are "
        "used; the one most like the model if empty.",
    )


class NewEnsembleSerializer(serializers.Serializer[Any]):
    members = serializers.ListField(
        child=ByPublicId(Evaluation.objects.all()),
        min_length=2,
        max_length=100,
        help_text="Evaluations that are done and have scored the same questions, or the same "
        "statements by one method.",
    )
    variant = serializers.ChoiceField(
        choices=list(METHODS[ENSEMBLE].variants.items()), default="", allow_blank=True
    )


class UploadSerializer(OfOneSet):
    """A file of predictions and what made them, as multipart/form-data."""

    file = serializers.FileField(help_text="UTF-8 text.")
    format = serializers.ChoiceField(
        choices=list(FORMATS.items()),
        default="",
        allow_blank=True,
        help_text="By the file's name if empty.",
    )
    system_name = serializers.CharField(max_length=100, help_text="What made the predictions.")
    id_column = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text="Of a CSV file."
    )
    prediction_column = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text="Of a CSV file."
    )
    size = serializers.ChoiceField(
        choices=SIZES,
        default="",
        allow_blank=True,
        help_text="Of WinoGrande's list: the training size whose labels are stored.",
    )


class NewPipelineSerializer(serializers.Serializer[Any]):
    release_name = serializers.SlugField(
        max_length=50, help_text="A name that no other release has; it cannot be changed."
    )
    without_repeats = serializers.BooleanField(
        default=False, help_text="Leave out twins that repeat a question of another twin."
    )


class PipelineSerializer(serializers.Serializer[Any]):
    """The runs from a campaign's votes to a first evaluation; each starts after its input."""

    snapshot = SnapshotSerializer()
    encoding = EncodingSerializer()
    filter_run = FilterRunSerializer()
    release = ReleaseSerializer()
    evaluations = EvaluationSerializer(many=True)


class ArtifactDetectionSerializer(RunSerializer):
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


class AuditedKeySerializer(serializers.ModelSerializer[AuditedKey]):
    class Meta:
        model = AuditedKey
        fields = (
            "source_id", "group", "probability", "evidence", "twin_evidence", "people_posterior",
            "n_votes", "n_votes_for_key", "discrimination", "intercept", "discrimination_se",
            "intercept_se", "misfit_p", "only_best_miss",
        )  # fmt: skip


class KeyAuditSerializer(RunSerializer):
    evaluations = serializers.SerializerMethodField(
        help_text="Whose answers are used: the newest of each system and seed, of those that you "
        "may see.",
    )
    verdict = serializers.SerializerMethodField(
        help_text="What was found, and how many wrong keys would have been, in plain sentences; "
        "null until it is done."
    )
    suspected = serializers.SerializerMethodField(
        help_text="The suspected keys, the most probable first; null until it is done."
    )
    result = serializers.SerializerMethodField(
        help_text="Of format 1: `share` of wrong keys, `power`, `can_tell`, the `systems` with "
        "ability and weight, which systems would be `needed`, and `information` by ability. A "
        "system whose evaluation you may not see has no name and no id."
    )

    class Meta:
        model = KeyAudit
        fields = (
            *RUN_FIELDS, "release", "reference_set", "snapshot", "split", "evaluations", "seed",
            "data_sha256", "code_version", "verdict", "suspected", "result",
        )  # fmt: skip

    def get_verdict(self, run: KeyAudit) -> str | None:
        return None if run.result is None else verdict(run.result)

    @extend_schema_field(AuditedKeySerializer(many=True, allow_null=True))
    def get_suspected(self, run: KeyAudit) -> Any:
        if run.result is None:
            return None
        return AuditedKeySerializer(suspects_of(run), many=True).data

    @extend_schema_field(serializers.ListField(child=serializers.UUIDField()))
    def get_evaluations(self, run: KeyAudit) -> Any:
        return self._seen(run)

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_result(self, run: KeyAudit) -> Any:
        if run.result is None:
            return None
        return run.result | {"systems": seen_systems(run, {*self._seen(run)})}

    def _seen(self, run: KeyAudit) -> list[str]:
        """Return the ids of the evaluations that the reader may see, read once for a list."""
        context: Any = self.context
        if "seen" not in context:
            is_listed = isinstance(self.parent, serializers.ListSerializer)
            runs: Any = self.parent.instance if is_listed else [run]
            context["seen"] = seen_evaluations(reader(), runs)
        seen: list[str] = context["seen"][run.pk]
        return seen


class NewKeyAuditSerializer(OfOneSet):
    seed = setting(KeyAudit, "seed")
