"""The REST resources of fine-tuned models and grids. For curators."""

import uuid
from dataclasses import asdict
from typing import Any

from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.request import Request

from corpora.models import ReferenceSet, Release
from evaluation.models import FineTuning, Grid
from evaluation.selectors import Cost, GridCell, grid_cells
from evaluation.services import SplitOf, plan
from training.core.presets import CHOICES
from training.core.transfer import SETTINGS
from validation.api.serializers.quality import ShareSerializer
from winoplatform.api.fields import ByPublicId, ByText
from winoplatform.api.filters import RunFilter
from winoplatform.api.results import ResultSerializer
from winoplatform.api.runs import RUN_FIELDS, CuratorRows, RunSerializer, setting
from winoplatform.api.views import CuratorView
from workers.api.callers import caller

DATA = ("release", "reference_set", "train_split", "size", "transformation")


class FineTuningSerializer(RunSerializer):
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

    model = setting(FineTuning, "model")
    train = OfASplit(help_text="Splits are joined by “+”; “train” is a release's training set.")
    dev = OfASplit(required=False, help_text="By default the dev split of the same set.")
    form = setting(FineTuning, "form")
    loss = setting(FineTuning, "loss")
    dtype = setting(FineTuning, "dtype")


class NewFineTuningSerializer(NewTrainingSerializer):
    before = ByPublicId(
        FineTuning.objects.all(), required=False, help_text="A fine-tuned model to start from."
    )
    size = setting(FineTuning, "size")
    transformation = setting(FineTuning, "transformation")
    epochs = setting(FineTuning, "epochs")
    batch_size = setting(FineTuning, "batch_size")
    learning_rate = setting(FineTuning, "learning_rate")
    seed = setting(FineTuning, "seed")
    keep = setting(FineTuning, "keep")
    patience = setting(FineTuning, "patience")
    checkpoint_every = setting(FineTuning, "checkpoint_every")


class NewGridSerializer(NewTrainingSerializer):
    kind = setting(Grid, "kind")
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
    most_seconds = setting(Grid, "most_seconds")
    patience = setting(Grid, "patience")


class GridSerializer(RunSerializer):
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
        of = Cost


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

    def post(self, request: Request) -> Any:
        """Say what a grid would cost, without starting it."""
        found = plan(by=caller(request), **self.body())
        return asdict(found.cost) | {"left_out": found.left_out}


class GridCells(CuratorRows):
    """Every cell of a grid with its figures, also those that have not ended."""

    queryset = Grid.objects.all()
    gives = [CellSerializer]

    def get(self, request: Request, id: uuid.UUID) -> Any:
        return grid_cells(self.get_object())
