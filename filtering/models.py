"""Freezing, encoding, filtering and releasing: each a run, immutable once done."""

import secrets
from typing import ClassVar, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.lookups import LessThan
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from filtering.columns import artifact_field, done_has, known
from winoplatform.models import Artifact
from winoplatform.runs.models import Run, RunQuerySet, RunStatus, Step

# AFLite's parameters: what a filter run is asked for, and what tells two of them apart.
AFLITE_SETTINGS = ("n", "m", "k", "tau", "C", "tol", "seed", "partition", "removal")


def new_key() -> str:
    return secrets.token_hex(32)


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


class FilterRun(Run):
    """AFLite (WinoGrande §3, Algorithm 1) over one encoding; symbols are the paper's."""

    TASK = "filtering.carry_filter_run"
    QUEUE = "heavy"
    INPUT = "encoding"

    class Partition(models.TextChoices):
        INDIVIDUAL = "individual", _("each question by itself (as published)")
        GROUPED = "grouped", _("twins on one side")

    class Removal(models.TextChoices):
        INDIVIDUAL = "individual", _("each question by itself (as published)")
        TOGETHER = "together", _("twins together")

    encoding = models.ForeignKey(Encoding, on_delete=models.PROTECT, related_name="filter_runs")
    n = models.PositiveIntegerField(
        default=64, validators=[MinValueValidator(1)], help_text=_("Ensemble size.")
    )
    m = models.PositiveIntegerField(
        default=10_000, validators=[MinValueValidator(2)], help_text=_("Training set size.")
    )
    k = models.PositiveIntegerField(
        default=500, validators=[MinValueValidator(1)], help_text=_("Filtering cutoff.")
    )
    tau = models.FloatField(
        default=0.75,
        validators=[MinValueValidator(0.0), MaxValueValidator(1.0)],
        help_text=_("Filtering threshold."),
    )
    C = models.FloatField(default=1.0, validators=[MinValueValidator(1e-6)])
    tol = models.FloatField(default=1e-4, validators=[MinValueValidator(1e-9)])
    seed = models.PositiveBigIntegerField(default=0)
    partition = models.CharField(max_length=16, choices=Partition, default=Partition.INDIVIDUAL)
    removal = models.CharField(max_length=16, choices=Removal, default=Removal.INDIVIDUAL)
    kept = artifact_field(help_text=_("Ids of the questions that stay, one a line."))
    n_kept = models.PositiveIntegerField(null=True, blank=True, editable=False)
    stop_reason = models.CharField(max_length=32, blank=True, editable=False)

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("filter run")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            known("partition", "individual", "grouped"),
            known("removal", "individual", "together"),
            done_has("kept", "n_kept"),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_settings_are_in_range",
                condition=Q(n__gte=1, m__gte=2, k__gte=1, tau__gte=0, tau__lte=1, C__gt=0),
                violation_error_message="n and k are at least 1, m at least 2, tau from 0 to 1.",
            ),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_open_once_per_setting",
                fields=["encoding", *AFLITE_SETTINGS],
                condition=Q(status__in=Run.OPEN),
                violation_error_message="A run with these settings is under way already.",
            ),
        ]


class Phase(Step):
    """One phase of AFLite: what it saw and which rows it removed."""

    run = models.ForeignKey(FilterRun, on_delete=models.CASCADE, related_name="steps")
    n_before = models.PositiveIntegerField()
    n_removed = models.PositiveIntegerField()
    never_held_out = models.PositiveIntegerField()
    eligible = models.PositiveIntegerField(help_text=_("Rows at or above the threshold."))
    tied_at_cutoff = models.PositiveIntegerField()
    unconverged = models.PositiveIntegerField(help_text=_("Members that hit the step limit."))
    accuracy = models.FloatField(null=True, help_text=_("Mean held-out accuracy."))
    histogram = models.JSONField(help_text=_("Rows by score, in twenty bins from 0 to 1."))
    arrays = models.ForeignKey(
        Artifact,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("int32 (4, n_before): row, correct predictions, times held out, removed."),
    )

    class Meta(Step.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_recorded_once", fields=["run", "number"]
            )
        ]

    @property
    def n_left(self) -> int:
        return self.n_before - self.n_removed


class ReleaseQuerySet(RunQuerySet["Release"]):
    def live(self) -> Self:
        """Releases that hold their name: all but the failed and the cancelled."""
        return self.filter(status__in=Release.LIVE)

    def named(self, name: str) -> "Release | None":
        """The release that holds *name*; where none does, the last that failed to get it."""
        rows = self.filter(name=name)
        return rows.live().first() or rows.order_by("-pk").first()


class Release(Run):
    """Published splits of what a filter run kept; twins never part, ids carry no label.

    A name belongs to one release for good once that is done; until then one release at a time
    asks for it, and one that fails or is cancelled lets it go.
    """

    TASK = "filtering.carry_release"
    INPUT = "filter_run"
    LIVE: ClassVar = (*Run.OPEN, RunStatus.DONE)

    filter_run = models.ForeignKey(FilterRun, on_delete=models.PROTECT, related_name="releases")
    name = models.SlugField()
    dev = models.FloatField(
        default=0.1, validators=[MinValueValidator(0.0), MaxValueValidator(0.5)]
    )
    test = models.FloatField(
        default=0.1, validators=[MinValueValidator(0.0), MaxValueValidator(0.5)]
    )
    # Whoever knows the key can undo the shuffling of ids and options: it is never shown.
    key = models.CharField(max_length=64, default=new_key, editable=False)
    content_hash = models.CharField(max_length=64, null=True, blank=True, editable=False)  # noqa: DJ001

    objects = ReleaseQuerySet.as_manager()  # type: ignore[misc]  # the base has its own

    class Meta(Run.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("release")
        constraints: ClassVar = [
            known("status", *RunStatus.values),
            done_has("content_hash"),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_name_is_held_once",
                fields=["name"],
                condition=Q(status__in=(*Run.OPEN, RunStatus.DONE)),
                violation_error_code="unique",  # so that the sentence stands at the field
                violation_error_message="There is a release of this name already; choose another.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_split_shares_are_in_range",
                condition=Q(dev__gte=0, dev__lte=0.5, test__gte=0, test__lte=0.5),
                violation_error_message="The dev and test shares lie from 0 to 0.5 each.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_leaves_something_to_train_on",
                condition=LessThan(F("dev") + F("test"), 1.0),
                violation_error_message="The dev and test shares must sum to less than 1.",
            ),
        ]

    @property
    def holds_name(self) -> bool:
        return self.status in self.LIVE


class ReleaseFile(models.Model):
    """One file of a release; blind labels are for curators only."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=60)
    rows = models.PositiveIntegerField()
    restricted = models.BooleanField(default=False)
    artifact = models.ForeignKey(Artifact, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_name_is_unique", fields=["release", "name"]
            )
        ]

    def __str__(self) -> str:
        return self.name
