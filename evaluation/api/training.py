"""The REST resources of fine-tuned models and grids. For curators."""

import uuid
from dataclasses import asdict
from typing import Any

from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpora.models import ReferenceSet, Release
from evaluation.models import FineTuning, Grid
from evaluation.selectors import Cost, GridCell, grid_cells
from evaluation.services import SplitOf, plan
from training.core.presets import CHOICES
from training.core.transfer import SETTINGS
from training.models import MOST_EPOCHS, MOST_IN_BATCH
from validation.api.serializers.quality import ShareSerializer
from winoplatform.api.fields import ByPublicId, ByText, FiniteFloatField
from winoplatform.api.filters import RunFilter
from winoplatform.api.results import ResultSerializer
from winoplatform.api.runs import RUN_FIELDS, CuratorRows, RunSerializer
from winoplatform.api.views import CuratorView, validated
from workers.api.callers import caller

DATA = ("release", "reference_set", "train_split", "size", "transformation")


class FineTuningSerializer(RunSerializer):
    release = serializers.UUIDField(
        source="release.public_id", allow_null=True, default=None, read_only=True
    )
    reference_set = serializers.SlugField(
        source="reference_set.name", allow_null=True, default=None, read_only=True
    )
    dev_release = serializers.UUIDField(
        source="dev_release.public_id", allow_null=True, default=None, read_only=True
    )
    dev_reference_set = serializers.SlugField(
        source="dev_reference_set.name", allow_null=True, default=None, read_only=True
    )
    before = serializers.UUIDField(
        source="before.public_id", allow_null=True, default=None, read_only=True
    )
    grid = serializers.UUIDField(
        source="grid.public_id", allow_null=True, default=None, read_only=True
    )
    dev_metrics = serializers.DictField(child=ShareSerializer(), allow_null=True)

    class Meta:
        model = FineTuning
        fields = (
            *RUN_FIELDS, "model", "before", "grid", "setting", *DATA, "dev_release",
            "dev_reference_set", "dev_split", *FineTuning.SETTINGS, *FineTuning.STOPS,
            "base_sha256", "config_sha256", "revision", "data_sha256", "code_version", "n_train",
            "training_loss", "dev_metrics", "is_collapsed",
        )  # fmt: skip


class OfASplit(serializers.Serializer[Any]):
    """A split of a release or of a reference set."""

    release = ByPublicId(Release.objects.all(), required=False)
    reference_set = ByText(
        ReferenceSet.objects.all(), key="name", required=False, help_text="Instead of a release."
    )
    split = serializers.CharField(max_length=200)

    def validate(self, attrs: dict[str, Any]) -> SplitOf:  # type: ignore[override]
        if sum(name in attrs for name in ("release", "reference_set")) != 1:
            raise serializers.ValidationError(
                {"release": "Name one release or reference set."}, code="required"
            )
        return SplitOf(**attrs)


class NewTrainingSerializer(serializers.Serializer[Any]):
    """What a model is fine-tuned on, and what it is chosen by."""

    model = serializers.CharField(
        max_length=300,
        help_text="An encoder: a hub id, a local folder or pkg:module/folder that the operator "
        "permits.",
    )
    train = OfASplit(help_text="Splits are joined by “+”; “train” is a release's training set.")
    dev = OfASplit(required=False, help_text="By default the dev split of the same set.")
    form = serializers.ChoiceField(
        choices=FineTuning.Forms.choices, default=FineTuning.Forms.AUTHORS.value
    )
    loss = serializers.ChoiceField(
        choices=FineTuning.Losses.choices, default=FineTuning.Losses.MULTIPLE_CHOICE.value
    )
    dtype = serializers.ChoiceField(
        choices=FineTuning.Dtypes.choices, default=FineTuning.Dtypes.FLOAT32.value
    )


class NewFineTuningSerializer(NewTrainingSerializer):
    before = ByPublicId(
        FineTuning.objects.all(), required=False, help_text="A fine-tuned model to start from."
    )
    size = serializers.IntegerField(min_value=2, max_value=2**31 - 1, required=False)
    transformation = serializers.SlugField(max_length=50, allow_blank=True, default="")
    epochs = serializers.IntegerField(min_value=1, max_value=MOST_EPOCHS, default=3)
    batch_size = serializers.IntegerField(min_value=1, max_value=MOST_IN_BATCH, default=16)
    learning_rate = FiniteFloatField(min_value=1e-9, max_value=1, default=1e-5)
    seed = serializers.IntegerField(default=0, min_value=0, max_value=2**63 - 1)
    keep = serializers.ChoiceField(
        choices=FineTuning.Kept.choices, default=FineTuning.Kept.BEST.value
    )
    patience = serializers.IntegerField(min_value=1, max_value=100, required=False)
    checkpoint_every = serializers.IntegerField(min_value=1, max_value=2**31 - 1, required=False)


class NewGridSerializer(NewTrainingSerializer):
    kind = serializers.ChoiceField(choices=Grid.Kinds.choices)
    preset = serializers.ChoiceField(
        choices=CHOICES,
        allow_blank=True,
        default="",
        help_text="Empty for the usual one of the kind.",
    )
    targets = OfASplit(many=True, default=list, help_text="What the models are scored on.")
    sizes = serializers.ListField(
        child=serializers.CharField(max_length=9),
        default=list,
        max_length=50,
        help_text="Of a learning curve: xs to xl, or numbers of questions.",
    )
    settings = serializers.ListField(
        child=serializers.ChoiceField(choices=[(s.name, s.title) for s in SETTINGS.values()]),
        default=list,
        help_text="Of a transfer.",
    )
    like = ByPublicId(
        FineTuning.objects.all(),
        required=False,
        help_text="Of a transfer: a fine-tuning whose settings are used.",
    )
    before = ByPublicId(
        FineTuning.objects.all(), required=False, help_text="Of a grid: a model to start from."
    )
    most_seconds = FiniteFloatField(
        min_value=1, max_value=1e9, required=False, help_text="Stop at this cost."
    )
    patience = serializers.IntegerField(
        min_value=1,
        max_value=500,
        required=False,
        help_text="Stop after so many cells without a better accuracy on dev.",
    )


class GridSerializer(RunSerializer):
    best = serializers.UUIDField(
        source="best.public_id", allow_null=True, default=None, read_only=True
    )
    result = serializers.DictField(
        allow_null=True,
        help_text="By setting the cells that the preset's rule chose, the figure on dev, and of "
        "how many it was chosen; and why the grid was stopped, if it was.",
    )

    class Meta:
        model = Grid
        fields = (
            *RUN_FIELDS, "kind", "preset", "model", "estimated_seconds", "most_seconds",
            "patience", "best", "result",
        )  # fmt: skip


class GridCostSerializer(ResultSerializer):
    """What a grid takes on one worker: items x epochs x measured seconds."""

    left_out = serializers.ListField(
        child=serializers.CharField(), help_text="Published targets that are not imported."
    )

    class Meta:
        dataclass = Cost


class CellSerializer(serializers.Serializer[Any]):
    fine_tuning = FineTuningSerializer(source="cell")
    tests = serializers.SerializerMethodField(
        help_text="By target: the metrics of the cell's finished evaluation."
    )
    seconds = serializers.FloatField(help_text="Of its recorded steps, on one worker.")

    def get_tests(self, row: GridCell) -> dict[str, Any]:
        return {target: evaluation.metrics for target, evaluation in row.tests.items()}


class FineTuningFilter(RunFilter):
    model = filters.CharFilter(help_text="The model as named in the request.")
    reference_set = filters.CharFilter(
        field_name="reference_set__name", help_text="Name of the reference set."
    )
    grid = filters.UUIDFilter(field_name="grid__public_id")


class GridFilter(RunFilter):
    model = filters.CharFilter(help_text="The model as named in the request.")
    kind = filters.CharFilter()
    preset = filters.CharFilter()


class GridCost(CuratorView):
    takes = NewGridSerializer
    gives = GridCostSerializer
    refuses = 409

    def post(self, request: Request) -> Response:
        """Say what a grid would cost, without starting it."""
        asked = validated(NewGridSerializer, request)
        found = plan(by=caller(request), **asked)
        cost = asdict(found.cost) | {"left_out": found.left_out}
        return Response(GridCostSerializer(cost).data)


class GridCells(CuratorRows):
    """Every cell of a grid with its figures, also those that have not ended."""

    queryset = Grid.objects.all()
    gives = CellSerializer(many=True)

    def get(self, request: Request, id: uuid.UUID) -> Response:
        return Response(CellSerializer(grid_cells(self.get_object()), many=True).data)
