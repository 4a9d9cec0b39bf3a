"""Proposals: what one person asks for and another one has to confirm."""

import uuid
from typing import Any, ClassVar, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.http.rights import Right
from workers.models.accounts import User, in_campaigns_of


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def visible_to(self, user: Any) -> Self:
        """Those that *user* has the right to decide: to publish, or as owner; all for admins."""
        managed = in_campaigns_of(user, "campaigns", Right.MANAGE, lookup="overlap")
        owned = in_campaigns_of(user, "campaigns", Right.OWN, lookup="overlap")
        of_people = Q(kind=Proposal.Kind.ERASURE)
        return self.filter((~of_people & managed) | (of_people & owned))

    def open(self) -> Self:
        return self.filter(outcome=Proposal.Outcome.OPEN)


class Proposal(models.Model):
    """An act that has no effect until a person other than the one who asked for it confirms it.

    It is about a release, of questions or of knowledge, or about an account.

    ::

        open ──▶ confirmed (the act is done in the same transaction)
          ├────▶ declined
          └────▶ withdrawn, by who asked, or with a build that ended without a release
    """

    class Kind(models.TextChoices):
        RELEASE = "release", _("publishing a release")
        RETRACTION = "retraction", _("retracting a release")
        ERASURE = "erasure", _("erasing a person")

    class Pay(models.TextChoices):
        SETTLE = "settle", _("it was paid outside of the platform")
        VOID = "void", _("it is not paid any more")

    class Outcome(models.TextChoices):
        OPEN = "open", _("waiting for a second person")
        CONFIRMED = "confirmed", _("confirmed")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=16, choices=Kind)
    campaigns = ArrayField(
        models.UUIDField(), help_text=_("Public ids of the campaigns that ask for a second person.")
    )
    release = models.UUIDField(null=True, blank=True, help_text=_("Public id of the release."))
    account = optional(User, help_text=_("Who is to be erased."))
    reason = models.CharField(max_length=1000, blank=True)
    pay = models.CharField(
        max_length=8,
        choices=Pay,
        blank=True,
        help_text=_("What becomes of pay that the person is owed; empty if nothing is owed."),
    )
    by = reference(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    outcome = models.CharField(max_length=16, choices=Outcome, default=Outcome.OPEN)
    decided_by = optional(User, help_text=_("Who confirmed or declined it."))
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = ProposalQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "has_one_subject",
                Q(kind__in=["release", "retraction"], release__isnull=False, account=None)
                | Q(kind="erasure", release=None, account__isnull=False),
                "A proposal is about a release, or about a person who is to be erased.",
            ),
            check(
                "pay_is_of_an_erasure",
                Q(pay="") | Q(kind="erasure", pay__in=["settle", "void"]),
                "Pay is settled or void, with an erasure.",
            ),
            check(
                "outcome_has_its_person",
                Q(outcome="open", decided_by=None, decided_at=None)
                | Q(outcome="withdrawn", decided_by=None, decided_at__isnull=False)
                | Q(
                    outcome__in=["confirmed", "declined"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
                "A proposal that is confirmed or declined has a name and a time.",
            ),
            check(
                "is_decided_by_another",
                Q(decided_by=None) | ~Q(decided_by=F("by")),
                "Another person decides.",
            ),
            unique(
                "of_a_release_is_open_once",
                ["kind", "release"],
                "This waits for a second person already.",
                condition=Q(outcome="open"),
            ),
            unique(
                "of_a_person_is_open_once",
                ["account"],
                "This waits for a second person already.",
                condition=Q(outcome="open"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.release or self.account_id}"
