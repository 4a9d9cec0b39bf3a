"""Base models of a long job and its steps. The row is the truth; a message is only a hint."""

import uuid
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform import clock
from winoplatform.db.constraints import unique

QUEUES = ("light", "heavy")


class RunStatus(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


R = TypeVar("R", bound="Run")


class RunQuerySet(models.QuerySet[R]):
    def visible_to(self, user: Any) -> Self:
        """Those of a member's campaigns; a subclass adds what others may see."""
        return self.filter(self.model.of_member(user))

    def open(self) -> Self:
        return self.filter(status__in=Run.OPEN)

    def claimable(self) -> Self:
        """Runs that no worker executes: waiting, or running under a lease that has ended."""
        left = Q(status=RunStatus.RUNNING, leased_until__lt=clock.Now())
        return self.filter(Q(status=RunStatus.QUEUED) | left)


class Outcome(models.Model):
    """What runs depend on: another run, or a row of a lower app that shares a run's status."""

    status = models.CharField(max_length=16, choices=RunStatus, default=RunStatus.QUEUED)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True

    @property
    def noun(self) -> str:
        return str(self._meta.verbose_name)

    @property
    def has_ended(self) -> bool:
        return self.status in Run.ENDED

    @property
    def ended_without_result(self) -> bool:
        return self.status in Run.RESUMABLE

    @property
    def can_resume(self) -> bool:
        """Whether it could still get a result; a subclass knows failures that would repeat."""
        return self.ended_without_result

    @property
    def ending(self) -> str:
        """How a run without a result ended, as the end of a sentence."""
        return "was cancelled" if self.status == RunStatus.CANCELLED else "has failed"


class Run(Outcome):
    """A job that survives the death of any process.

    ::

        queued ──claim──▶ running ──▶ done
          │                │  ▲ └───▶ failed
          │                └──┘ lease ended: claimed again, attempt + 1
          └──cancel──▶ cancelled ◀── cancel seen at the next step

        failed, cancelled ──resume──▶ queued, with its recorded steps

    A subclass names its queue, the field of the run whose end it waits for (``INPUT``), and fields
    of others that it waits for if they are set (``ALSO_NEEDS``). If its result is a row of a lower
    app, it names the field of that row (``OUTPUT``), which shares its status.
    """

    OPEN: ClassVar = (RunStatus.QUEUED, RunStatus.RUNNING)
    ENDED: ClassVar = (RunStatus.DONE, RunStatus.FAILED, RunStatus.CANCELLED)
    RESUMABLE: ClassVar = (RunStatus.FAILED, RunStatus.CANCELLED)
    QUEUE: ClassVar[str] = "light"
    INPUT: ClassVar[str | None] = None
    ALSO_NEEDS: ClassVar[tuple[str, ...]] = ()
    OUTPUT: ClassVar[str | None] = None

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    attempt = models.PositiveIntegerField(default=0)
    stalled_attempts = models.PositiveIntegerField(
        default=0, help_text=_("Attempts since the last recorded step.")
    )
    leased_until = models.DateTimeField(null=True, blank=True)
    cancel_requested = models.BooleanField(default=False)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    activity = models.CharField(max_length=200, blank=True)
    failure = models.TextField(blank=True)
    caption = models.CharField(
        max_length=100, blank=True, help_text=_("A curator’s name for the run.")
    )
    is_starred = models.BooleanField(default=False)
    archived_at = models.DateTimeField(
        null=True, blank=True, help_text=_("An archived run is left out of lists.")
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.public_id}"

    @property
    def queue(self) -> str:
        """The Celery queue that takes this run; a subclass may choose it by the run's settings."""
        return self.QUEUE

    @classmethod
    def needs(cls) -> tuple[str, ...]:
        """Return the names of the fields with the runs that this kind waits for."""
        return ((cls.INPUT,) if cls.INPUT else ()) + cls.ALSO_NEEDS

    @classmethod
    def of_member(cls, user: Any, path: str = "") -> Q:
        """Select rows whose run at *path* was made from what *user* may read as a member.

        A kind that is made from nothing is its own user's.
        """
        if cls.INPUT is None:
            return cls.own(user, path)
        before: Any = cls._meta.get_field(cls.INPUT).related_model
        selected: Q = before.of_member(user, f"{path}{cls.INPUT}__")
        return selected

    def is_of_member(self, user: Any) -> bool:
        """Return whether *user* may read this run as a member, and not only as a visitor."""
        rows = type(self)._default_manager.filter(pk=self.pk)
        return (
            bool(getattr(user, "is_curator", False)) and rows.filter(self.of_member(user)).exists()
        )

    @staticmethod
    def own(user: Any, path: str = "") -> Q:
        """Select rows whose run at *path* was started by *user*, or by a command."""
        if user.is_superuser:
            return ~Q(pk__in=[])
        return Q((f"{path}created_by", user)) | Q((f"{path}created_by", None))

    @property
    def input_run(self) -> "Run | None":
        return getattr(self, self.INPUT) if self.INPUT else None

    @property
    def needed(self) -> "list[Outcome]":
        return [row for field in self.needs() if (row := getattr(self, field)) is not None]

    @property
    def output(self) -> "Outcome | None":
        return getattr(self, self.OUTPUT) if self.OUTPUT else None

    def share_status(self, status: str, **results: Any) -> None:
        """Set the status of the run's output, in the transaction that changes the run's own."""
        if self.output is not None:
            rows = type(self.output)._default_manager.filter(pk=self.output.pk)
            rows.update(status=status, **results)

    @property
    def is_published(self) -> bool:
        """Whether others may have cited the result, so that the run is never deleted."""
        return False

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None

    @property
    def share(self) -> float:
        """Progress, from 0 to 1."""
        if self.status == RunStatus.DONE:
            return 1.0
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def wait_seconds(self) -> float:
        return (
            (self.started_at or self.ended_at or timezone.now()) - self.created_at
        ).total_seconds()

    @property
    def run_seconds(self) -> float:
        if self.started_at is None:
            return 0.0
        return ((self.ended_at or timezone.now()) - self.started_at).total_seconds()

    @property
    def seconds_left(self) -> float | None:
        """An estimate of the remaining seconds at constant speed; None if unknown."""
        if self.status != RunStatus.RUNNING or not self.done or not self.total:
            return None
        return self.run_seconds * (self.total - self.done) / self.done


class Step(models.Model):
    """A recorded step of a run; a subclass adds ``run``."""

    number = models.PositiveIntegerField()
    attempt = models.PositiveIntegerField()
    seconds = models.FloatField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True
        ordering = ["number"]
        constraints = [unique("is_recorded_once", ["run", "number"])]

    def __str__(self) -> str:
        return f"step {self.number}"


def next_attempt() -> dict[str, Any]:
    return {"attempt": F("attempt") + 1, "stalled_attempts": F("stalled_attempts") + 1}
