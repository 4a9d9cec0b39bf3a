"""A campaign's questions, frozen, and their features under an encoder."""

from typing import ClassVar

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from filtering.columns import artifact_field, done_has, known
from winoplatform.models import Artifact
from winoplatform.runs.models import Run, RunStatus, Step


class Snapshot(Run):
    """A campaign's questions that were valid when it was asked for, frozen.

    Canonical JSON lines, sorted by id. What it holds is decided once, by the transaction that
    stores its file.
    """

    TASK = "filtering.carry_snapshot"

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="snapshots")
    questions = artifact_field()
    n_questions = models.PositiveIntegerField(null=True, blank=True, editable=False)
    n_pairs = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("snapshot")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("questions", "n_questions", "n_pairs"),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_open_once_per_campaign",
                fields=["campaign"],
                condition=Q(status__in=Run.OPEN),
                violation_error_message=(
                    "A snapshot of this campaign is under way already; use it, or wait for its end."
                ),
            ),
        ]


class Encoding(Run):
    """Features of every question of a snapshot under one encoder."""

    TASK = "filtering.carry_encoding"
    QUEUE = "heavy"
    INPUT = "snapshot"

    class Features(models.TextChoices):
        DIFFERENCE = "difference", _("difference of the option vectors")
        CONCATENATION = "concatenation", _("both option vectors")

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="encodings")
    encoder = models.CharField(max_length=300)
    pooling = models.CharField(
        max_length=16, blank=True, help_text=_("As asked for; empty for the encoder's own.")
    )
    features = models.CharField(max_length=16, choices=Features, default=Features.DIFFERENCE)
    # Written before the first shard, so that a resumed encoding cannot mix two encoders' vectors.
    weights_sha256 = models.CharField(max_length=64, blank=True, editable=False)
    pooling_used = models.CharField(max_length=16, blank=True, editable=False)
    # The run's own: shards cut to another size after an update would not continue these.
    shard_size = models.PositiveIntegerField(
        default=256,  # half a minute of work on a small machine
        editable=False,
        validators=[MinValueValidator(1)],
        help_text=_("Questions in a shard."),
    )
    matrix = artifact_field()
    n_features = models.PositiveIntegerField(null=True, blank=True, editable=False)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("encoding")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            known("features", "difference", "concatenation"),
            done_has("matrix", "n_features"),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_open_once_per_setting",
                fields=["snapshot", "encoder", "pooling", "features"],
                condition=Q(status__in=Run.OPEN),
                violation_error_message=(
                    "An encoding with these settings is under way already; use it, or wait for "
                    "its end."
                ),
            ),
        ]


class EncodingShard(Step):
    """Some rows of an encoding, stored as soon as they are computed."""

    run = models.ForeignKey(Encoding, on_delete=models.CASCADE, related_name="steps")
    vectors = models.ForeignKey(Artifact, on_delete=models.PROTECT, related_name="+")

    class Meta(Step.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_recorded_once", fields=["run", "number"]
            )
        ]
