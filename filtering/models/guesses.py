"""What the classifiers of a filter run say of twins that are being written."""

import uuid
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from filtering.columns import known
from filtering.models.filter_runs import FilterRun
from winoplatform.models import Artifact


class Guesser(models.Model):
    """The classifiers of a filter run's first phase, trained again to be kept.

    A run keeps only what its classifiers said of the snapshot's questions. They follow from its
    settings and its encoding, so they are made when first needed, and from then on kept.
    """

    filter_run = models.OneToOneField(FilterRun, on_delete=models.CASCADE, related_name="guesser")
    weights = models.ForeignKey(
        Artifact,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("float32 (n, n_features + 1): a classifier in each row, its intercept last."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"classifiers of {self.filter_run_id}"


class GuessQuerySet(models.QuerySet["Guess"]):
    def waiting(self) -> Self:
        return self.filter(status=Guess.Status.WAITING)

    def stale(self, *, now: datetime) -> Self:
        """Answers that nobody looks for any more, and all beyond the newest ``Guess.MOST``."""
        newest = self.order_by("-pk").values_list("pk", flat=True).first() or 0
        return self.filter(Q(created_at__lte=now - Guess.KEPT) | Q(pk__lte=newest - Guess.MOST))

    @transaction.atomic
    def prune(self, *, now: datetime) -> int:
        """Delete some of what is stale, passing over what somebody else deletes; say how many."""
        stale = self.stale(now=now).select_for_update(skip_locked=True)
        some = list(stale.values_list("pk", flat=True)[: Guess.PRUNED_AT_ONCE])
        return self.filter(pk__in=some).delete()[0]


class Guess(models.Model):
    """How many classifiers of a filter run get a twin right that none of them has seen.

    A twin is asked for once under a run, however often its text comes::

        waiting ──worker──▶ answered
           ▲ └────worker──▶ failed
           └──asked again──────┘   (and a waiting one is rung for again)

    A cache: rows are pruned, and may be asked for again at any time. Whoever asks for another
    text no longer waits for the one before. The counts and the reason of a failure are for
    curators: one by one they would tell labels that a release holds back, and where files are.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        ANSWERED = "answered", _("answered")
        FAILED = "failed", _("failed")

    ASK_AGAIN = timedelta(seconds=15)  # over a worker's first load of an encoder
    ASKED_FOR = timedelta(minutes=5)  # then nobody rings again: what kills workers would go on
    KEPT = timedelta(days=1)
    MOST: ClassVar = 10_000
    PRUNED_AT_ONCE: ClassVar = 100

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    filter_run = models.ForeignKey(FilterRun, on_delete=models.CASCADE, related_name="guesses")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="guesses",
        help_text=_("Who asked for it last while it waited."),
    )
    fingerprint = models.CharField(max_length=64, editable=False)
    text = models.JSONField(help_text=_("sentences, options and answers, two of each."))
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    right1 = models.PositiveIntegerField(
        null=True, help_text=_("Classifiers that get the first sentence right.")
    )
    right2 = models.PositiveIntegerField(null=True)
    failure = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    rung_at = models.DateTimeField(default=timezone.now, editable=False)
    answered_at = models.DateTimeField(null=True)

    objects = GuessQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name_plural = "guesses"
        indexes: ClassVar = [models.Index(name="filtering_guess_created", fields=["created_at"])]
        constraints: ClassVar = [
            known("status", "waiting", "answered", "failed"),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_is_asked_once",
                fields=["filter_run", "fingerprint"],
                violation_error_message="This twin has been asked for under this run.",
            ),
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_waits_once_for_each",
                fields=["asked_by"],
                condition=Q(status="waiting"),
                violation_error_message="A worker waits for one guess at a time.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_answered_has_its_counts",
                condition=Q(
                    status="answered",
                    right1__isnull=False,
                    right2__isnull=False,
                    answered_at__isnull=False,
                )
                | ~Q(status="answered") & Q(right1=None, right2=None, answered_at=None),
                violation_error_message="Counts and time are there once there is an answer.",
            ),
        ]

    def __str__(self) -> str:
        return f"guess {self.public_id}"

    @property
    def is_answered(self) -> bool:
        """Tell whether there is nothing to wait for: an answer, or a reason why there is none."""
        return self.status != self.Status.WAITING

    @property
    def scores(self) -> tuple[float, float] | None:
        """AFLite's score of each sentence: the share of the run's classifiers that is right."""
        if self.right1 is None or self.right2 is None:
            return None
        return self.right1 / self.filter_run.n, self.right2 / self.filter_run.n
