"""Tables for releases, their previews and files."""

import secrets
import uuid
from decimal import Decimal
from typing import Any, ClassVar, Self, TypeVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from corpora.core.changes import parsed
from corpora.models.snapshots import Selection, Snapshot
from winoplatform import clock
from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.models import Artifact
from winoplatform.runs.columns import done_has, recorded_json, recorded_text, value_constraint
from winoplatform.runs.models import Run, RunQuerySet, RunStatus
from workers.models import Proposal, User

R = TypeVar("R", bound="PublishedRun")


def new_key() -> str:
    return secrets.token_hex(32)


def are_authors(value: object) -> None:
    """Refuse what is no list of names."""
    if not isinstance(value, list) or not all(
        isinstance(value_part, str) and value_part.strip() for value_part in value
    ):
        raise ValidationError(_("List the authors' names."))


def is_version(value: str) -> None:
    """Refuse what is no semantic version."""
    try:
        parsed(value)
    except ValueError as error:
        raise ValidationError(str(error)) from error


class PublishedRunQuerySet(RunQuerySet[R]):
    def live(self) -> Self:
        """Releases that hold their name: all except those that failed or were cancelled."""
        return self.filter(status__in=PublishedRun.LIVE)

    def named(self, name: str) -> R | None:
        """Return the release that holds *name*; if there is none, the last one that had it."""
        rows = self.filter(name=name)
        return rows.live().first() or rows.order_by("-pk").first()


def _statement(longest: int, help_text: Any = "") -> "models.CharField[str, str]":
    return models.CharField(
        max_length=longest, blank=True, default="", db_default="", help_text=help_text
    )


PUBLIC = Q(status=RunStatus.DONE, is_public=True)


class ReleaseQuerySet(PublishedRunQuerySet["Release"]):
    def visible_to(self, user: Any) -> Self:
        """Public ones that are done, and for curators those of their campaigns.

        Anyone with the link of a study has an account, and the answers of a release's open splits
        are in its files. Without an account nothing, where the operator has closed the pages.
        """
        if not (settings.PUBLIC_PAGES or user.is_authenticated):
            return self.none()
        return self.filter(PUBLIC | Release.of_member(user))

    def public(self) -> Self:
        return self.filter(PUBLIC)


class PublishedRun(Run):
    """A run whose files are published under a name that they keep permanently, also if retracted.

    Only one at a time can hold a name; it is free again if that one fails or is cancelled.
    """

    LIVE: ClassVar = (*Run.OPEN, RunStatus.DONE)

    name = models.SlugField(
        help_text=_("Used in addresses and file names; it cannot be changed later.")
    )
    title = models.CharField(max_length=200, blank=True)
    authors = models.JSONField(default=list, blank=True, validators=[are_authors])
    licence = models.CharField(
        max_length=200, default="CC-BY-4.0", help_text=_("An SPDX identifier, or a text.")
    )
    retracted_at = models.DateTimeField(null=True, blank=True, editable=False)
    retraction_reason = recorded_text(1000)
    retracted_by = optional(User, editable=False)
    is_public = models.BooleanField(
        default=False, help_text=_("Whether it can be read without an account.")
    )
    # The key can be used to undo the shuffling of ids and options, so it is never shown.
    key = models.CharField(max_length=64, default=new_key, editable=False)
    content_hash = models.CharField(max_length=64, null=True, blank=True, editable=False)  # noqa: DJ001

    class Meta(Run.Meta):
        abstract = True

    @property
    def holds_name(self) -> bool:
        return self.status in self.LIVE

    @property
    def campaign(self) -> Campaign | None:
        """The campaign whose members publish it; a subclass knows it."""
        raise NotImplementedError

    def share_status(self, status: str, **results: Any) -> None:
        """Withdraw the proposal to publish it if it ends without a result, until it is resumed."""
        super().share_status(status, **results)
        if status in self.RESUMABLE:
            self._withdraw_proposals()
        elif status == RunStatus.QUEUED and self.ended_at is not None:
            # Not one that its author had withdrawn before.
            ended = Q(outcome=Proposal.Outcome.WITHDRAWN, decided_at__gte=self.ended_at)
            to_publish = Q(kind=Proposal.Kind.RELEASE, release=self.public_id)
            proposals = Proposal.objects.filter(ended & to_publish)
            proposals.update(outcome=Proposal.Outcome.OPEN, decided_at=None)

    def delete(self, *args: Any, **options: Any) -> Any:
        self._withdraw_proposals()
        return super().delete(*args, **options)

    def _withdraw_proposals(self) -> None:
        proposals = Proposal.objects.open().filter(release=self.public_id)
        proposals.update(outcome=Proposal.Outcome.WITHDRAWN, decided_at=clock.Now())

    @staticmethod
    def rules(*results: str) -> list[models.BaseConstraint]:
        """Return the constraints of a subclass, which has *results* beside its content hash."""
        return [
            value_constraint("status", *RunStatus.values),
            done_has("content_hash", *results),
            unique(
                "name_is_held_once",
                ["name"],
                "A release with this name already exists. Choose another name.",
                condition=Q(status__in=(*Run.OPEN, RunStatus.DONE)),
                violation_error_code="unique",
            ),
            check(
                "retracted_has_a_reason",
                Q(retracted_at=None, retraction_reason="")
                | (Q(retracted_at__isnull=False, status="done") & ~Q(retraction_reason="")),
                "A retracted release is done and has a reason.",
            ),
        ]


class ReleasePlan(Run):
    """What a release and its preview are made from, and the settings of both."""

    INPUT = "snapshot"
    ALSO_NEEDS = ("selection",)

    snapshot = reference(Snapshot, "%(class)ss")
    selection = optional(
        Selection,
        "%(class)ss",
        help_text=_("Without one, every question of the snapshot is published."),
    )
    near_duplicate = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal("0.60"),
        validators=[MinValueValidator(Decimal("0.3")), MaxValueValidator(1)],
        help_text=_("Similarity to a blind question from which a question is left out."),
    )
    min_pairs = models.PositiveIntegerField(
        _("fewest complete pairs"),
        default=25,
        validators=[MaxValueValidator(10**6)],
        help_text=_(
            "Dev, the test or the full training set (train_xl) with fewer gets a warning: figures "
            "on it are uncertain. The smaller training sets are parts of it and get none."
        ),
    )

    human = models.JSONField(
        default=list,
        db_default=[],
        blank=True,
        editable=False,
        help_text=_("People’s performance, for its card."),
    )

    class Meta(Run.Meta):
        abstract = True

    @property
    def n_kept(self) -> int | None:
        """Questions of the selection, or of the snapshot without one; None if not yet known."""
        return self.snapshot.n_questions if self.selection is None else self.selection.n_kept


class ReleasePreview(ReleasePlan):
    """The figures of a release that would be built, without files; it decides nothing."""

    facts = recorded_json()

    class Meta(ReleasePlan.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("release preview")
        constraints: ClassVar = [value_constraint("status", *RunStatus.values), done_has("facts")]


class Release(PublishedRun, ReleasePlan):
    """A snapshot, or a selection of it, in the stored splits (``Draw``); ids reveal no label.

    An empty version is replaced by the lowest one that the rule allows, and kept like the name.
    """

    version = models.CharField(
        max_length=30,
        blank=True,
        validators=[is_version],
        help_text=_("Three numbers. The proposed one is the lowest that the changes allow."),
    )
    previous = optional(
        "self",
        editable=False,
        help_text=_("The newest release of the campaign when this one was built."),
    )
    people = recorded_json(_("Who worked on its questions; null before it is known."))
    # What its card states; empty is "not stated".
    contact = _statement(
        200, _("Whom readers of the data set can ask; empty is “not stated”, as below.")
    )
    population = _statement(
        500, _("Age, gender, country and first language of the people, as far as known.")
    )
    consent = _statement(500, _("What people were told, and how they consented."))
    ethics_review = _statement(300)
    funding = _statement(300)
    social_impact = _statement(
        500, _("Whom the data set, or models that learn from it, can help or harm; and how.")
    )
    background = models.JSONField(
        default=list,
        db_default=[],
        editable=False,
        help_text=_("Counts of answers to optional questions, as published when it was requested."),
    )

    objects = ReleaseQuerySet.as_manager()  # type: ignore[misc]  # the base has its own

    class Meta(ReleasePlan.Meta):
        ordering: ClassVar = ["-pk"]
        verbose_name = _("release")
        constraints: ClassVar = PublishedRun.rules()

    @property
    def is_published(self) -> bool:
        return self.status == RunStatus.DONE

    @property
    def public_name(self) -> str:
        """What files that everyone may read call it: its version, where its name is for members."""
        return self.name if self.is_public else self.version

    @property
    def campaign(self) -> Campaign:
        return self.snapshot.campaign


class PublishedFile(models.Model):
    """One file of a release; only curators may read restricted files.

    A subclass adds ``release``, with the related name ``files``.
    """

    name = models.CharField(max_length=60)
    rows = models.PositiveIntegerField(null=True, blank=True, help_text=_("Null if it has none."))
    restricted = models.BooleanField(default=False)
    artifact = reference(Artifact)

    class Meta:
        abstract = True
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [unique("name_is_unique", ["release", "name"])]

    def __str__(self) -> str:
        return self.name


class ReleaseFile(PublishedFile):
    """One file of a release of questions; blind labels are restricted."""

    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="files")

    class Meta(PublishedFile.Meta):
        pass


class SplitForm(models.Model):
    """The stored Parquet file of a split as JSON lines or CSV, made once; not in the bundle."""

    JSONL, CSV = FORMS = ("jsonl", "csv")

    file = models.ForeignKey(ReleaseFile, on_delete=models.CASCADE, related_name="forms")
    form = models.CharField(max_length=10)
    artifact = reference(Artifact)

    class Meta:
        constraints: ClassVar = [
            unique("is_made_once", ["file", "form"]),
            value_constraint("form", "jsonl", "csv"),
        ]

    def __str__(self) -> str:
        return f"{self.file} as {self.form}"


class ReleaseReport(models.Model):
    """A file attached to a release after it was built; not part of its content."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="reports")
    name = models.CharField(max_length=60)
    artifact = reference(Artifact)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            unique(
                "name_is_unique", ["release", "name"], "The release has a report with this name."
            )
        ]

    def __str__(self) -> str:
        return self.name


class Erratum(models.Model):
    """A correction of a release, told on its page and in its copies; it never changes."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    release = reference(Release, "errata")
    text = models.CharField(max_length=1000, help_text=_("What is wrong, and what is right."))
    created_by = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["pk"]
        verbose_name = _("erratum")
        constraints: ClassVar = [
            check("has_a_text", ~Q(text=""), "An erratum says what is wrong."),
        ]

    def __str__(self) -> str:
        return self.text


class BlindSentence(models.Model):
    """Whether a sentence of the blind split is ever published: decided once, by one release.

    Sentences, not questions, are decided, so that a copy in another campaign or a revision is
    published in no other way (decision 0026). A trigger refuses updates and deletes.
    """

    key = models.CharField(max_length=32, help_text="See SentenceKey.")
    is_published = models.BooleanField()
    release = models.ForeignKey(
        Release,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Null if another platform decided, whose export was imported.",
    )

    class Meta:
        constraints: ClassVar = [
            unique("is_decided_once", ["key"], "This blind sentence is decided already."),
        ]

    def __str__(self) -> str:
        return self.key
