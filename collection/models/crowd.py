"""Crowd platforms: studies, participants and their sessions."""

import secrets
import uuid
from typing import ClassVar, Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinLengthValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.core.session_reports import Report
from collection.models.campaigns import Campaign
from tabular import reads_as_number
from winoplatform.db.columns import reference
from winoplatform.db.constraints import check, unique
from workers.models import Qualification


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """Return a random completion code, which is no number to a spreadsheet."""
    code = secrets.token_hex(6).upper()
    return new_code() if reads_as_number(code) else code


class Study(models.Model):
    """A campaign's work as offered on a crowd platform; see ``collection/crowd``."""

    class Provider(models.TextChoices):
        PROLIFIC = "prolific", "Prolific"
        MTURK = "mturk", "Amazon Mechanical Turk"
        GENERIC = "generic", _("any platform, by signed link")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = reference(Campaign, "studies")
    provider = models.CharField(_("platform"), max_length=16, choices=Provider)
    name = models.CharField(max_length=120, help_text=_("Visible to curators only."))
    skill = models.CharField(
        _("task"),
        max_length=16,
        choices=Qualification.WITH_ITEMS,
        default=Qualification.Skill.WRITE,
    )
    units = models.PositiveSmallIntegerField(
        _("units per session"),
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(1000)],
        help_text=_("Number of twins or validated questions that complete a session."),
    )
    places = models.PositiveIntegerField(
        validators=[MinValueValidator(1)],
        help_text=_(
            "How many people can take part, as on the platform. Participants who were paid for "
            "the test but did not pass it keep their place, so allow for them."
        ),
    )
    secret = models.CharField(
        _("link secret"),
        max_length=64,
        default=new_secret,
        editable=False,
        validators=[MinLengthValidator(32)],
        help_text=_(
            "For a platform or script that signs links itself: 32 to 64 characters that both "
            "share. If you leave it empty, one is generated and only this site can sign links. "
            "It is not shown again."
        ),
    )
    event_secret = models.CharField(
        max_length=200,
        blank=True,
        help_text=_("The key with which the platform signs its events. It is not shown again."),
    )
    completion_code = models.CharField(
        max_length=64,
        default=new_code,
        help_text=_("If the platform has generated one. Leave it empty to generate one here."),
    )
    screen_out_code = models.CharField(
        _("screen-out code"),
        max_length=64,
        default=new_code,
        help_text=_("For participants who cannot take part."),
    )
    failure_code = models.CharField(
        _("early-exit code"),
        max_length=64,
        default=new_code,
        help_text=_("For participants who stop early or find no work."),
    )
    return_url = models.URLField(
        _("return address"),
        max_length=500,
        blank=True,
        help_text=_(
            "The address that participants return to; {code} and {session} are filled in. Leave "
            "it empty for Prolific and Mechanical Turk, which have their own."
        ),
    )
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "studies"
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check("asks_for_work", Q(units__gte=1), "A session needs at least one unit."),
            check("has_places", Q(places__gte=1), "A study needs at least one place."),
            check(
                "secret_is_long",
                Q(secret__regex=r"^.{32,}$"),
                "A secret must have at least 32 characters.",
            ),
            check(
                "codes_differ",
                ~Q(completion_code=F("screen_out_code"))
                & ~Q(completion_code=F("failure_code"))
                & ~Q(screen_out_code=F("failure_code")),
                "The codes of a study must differ, as each stands for one outcome.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def platform(self) -> str:
        """The platform's name; empty where links do not tell it."""
        is_named = self.provider != Study.Provider.GENERIC
        return str(Study.Provider(self.provider).label) if is_named else ""

    def code_of(self, status: str) -> str:
        """Return the code for a session that ended as *status*; empty if the platform knows."""
        codes = {
            CrowdSession.Status.COMPLETED: self.completion_code,
            CrowdSession.Status.SCREENED_OUT: self.screen_out_code,
            CrowdSession.Status.FAILED: self.failure_code,
        }
        return codes.get(CrowdSession.Status(status), "")


class Participant(models.Model):
    """An account from a crowd platform, with its id there."""

    provider = models.CharField(max_length=16, choices=Study.Provider)
    external_id = models.CharField(max_length=120)
    worker = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="participant"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            unique(
                "comes_from_one_place",
                ["provider", "external_id"],
                "This participant already has an account.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider}: {self.external_id}"


class SessionQuerySet(models.QuerySet["CrowdSession"]):
    def active(self) -> Self:
        return self.filter(status=CrowdSession.Status.ACTIVE)


class CrowdSession(models.Model):
    """One participation in a study, from arrival to the code that ends it.

    ::

        active ──enough units──▶ completed
          ├──may not take part──▶ screened out
          ├──no work, or an error──▶ failed
          ├──returned──▶ returned
          ├──the platform's time is over──▶ timed out
          └──refused by the requester──▶ rejected

    ``reported`` is the platform's own last word, which may come after the end here and differ.
    """

    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        COMPLETED = "completed", _("completed")
        SCREENED_OUT = "screened_out", _("screened out")
        FAILED = "failed", _("failed")
        RETURNED = "returned", _("returned")
        TIMED_OUT = "timed_out", _("timed out")
        REJECTED = "rejected", _("rejected")

    class Reported(models.TextChoices):
        AWAITING_REVIEW = Report.AWAITING_REVIEW.value, _("awaiting review")
        APPROVED = Report.APPROVED.value, _("approved")
        PARTIALLY_APPROVED = Report.PARTIALLY_APPROVED.value, _("partially approved")
        RETURNED = Report.RETURNED.value, _("returned")
        TIMED_OUT = Report.TIMED_OUT.value, _("timed out")
        REJECTED = Report.REJECTED.value, _("rejected")
        SCREENED_OUT = Report.SCREENED_OUT.value, _("screened out")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    study = reference(Study, "sessions")
    participant = reference(Participant, "sessions")
    external_id = models.CharField(max_length=120, help_text=_("The platform's id of the session."))
    status = models.CharField(max_length=16, choices=Status, default=Status.ACTIVE)
    approvals = models.PositiveIntegerField(null=True, blank=True)
    approval_rate = models.DecimalField(max_digits=4, decimal_places=3, null=True, blank=True)
    return_to = models.URLField(
        max_length=500,
        blank=True,
        help_text=_("Return address that the platform gave for this session."),
    )
    is_duplicate = models.BooleanField(
        default=False,
        editable=False,
        help_text=_("Another session of its participant, exempt from the limit of one per study."),
    )
    reported = models.CharField(
        max_length=20,
        choices=Reported,
        blank=True,
        editable=False,
        help_text=_("The state of the session that the platform reported last; empty if none."),
    )
    reported_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("When the platform sent that report.")
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            unique(
                "is_entered_once",
                ["study", "external_id"],
                "This session has already been used.",
            ),
            unique(
                "is_one_a_participant",
                ["study", "participant"],
                "This participant has already taken part in the study.",
                condition=Q(is_duplicate=False),
            ),
            check(
                "has_an_end_once_over",
                Q(status="active", ended_at=None)
                | (~Q(status="active") & Q(ended_at__isnull=False)),
                "A session that is over has a time of its end.",
            ),
            check(
                "has_a_time_of_its_report",
                Q(reported="", reported_at=None) | (~Q(reported="") & Q(reported_at__isnull=False)),
                "A reported state has a time.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.study}: {self.get_status_display()}"


class SessionCredit(models.Model):
    """One twin or vote that counts for a session, and for no other one."""

    session = reference(CrowdSession, "credits")
    unit = models.UUIDField(help_text=_("Public id of the twin or vote."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints: ClassVar = [
            unique("counts_once", ["unit"], "This already counts for a session."),
        ]
        indexes: ClassVar = [
            # As the ledger writes it: each entry's credit is looked for by this text.
            models.Index(Cast("unit", models.CharField()), name="collection_credit_unit_text"),
        ]

    def __str__(self) -> str:
        return f"{self.unit} for {self.session_id}"
