"""Invitations: one-time links with which people make their own accounts."""

import uuid
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check
from winoplatform.http.rights import Right
from workers.models.accounts import User, in_campaigns_of
from workers.models.person_labels import LONGEST_LABEL


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def visible_to(self, user: Any) -> Self:
        """Those that a curator made, and those to campaigns that the curator owns."""
        of_owner = in_campaigns_of(user, "campaign", Right.OWN)
        return self.filter(Q(created_by=user) | of_owner)

    def open(self, now: datetime) -> Self:
        """Invitations that can be accepted: their curator must still be one."""
        return self.filter(
            accepted_at=None,
            revoked_at=None,
            expires_at__gt=now,
            created_by__is_active=True,
            created_by__role__in=[User.Role.CURATOR, User.Role.ADMIN],
        )


class Invitation(models.Model):
    """An invitation for one person; its code is shown once, and only its digest is stored.

    ::

        open ──▶ accepted
          ├────▶ revoked
          └────▶ expired
    """

    class Role(models.TextChoices):
        WORKER = "worker", _("worker")
        CURATOR = "curator", _("curator")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    role = models.CharField(max_length=16, choices=Role, default=Role.WORKER)
    username = models.CharField(
        max_length=150, blank=True, help_text=_("Empty if the person chooses it.")
    )
    email = models.EmailField(blank=True)
    own_label = models.CharField(
        max_length=LONGEST_LABEL,
        blank=True,
        default="",
        db_default="",
        help_text=_("The own label of who invites."),
    )
    campaign = models.UUIDField(
        null=True,
        blank=True,
        help_text=_("Public id of the campaign that the person joins."),
    )
    member_role = models.CharField(
        max_length=16,
        blank=True,
        default="",
        db_default="",
        help_text=_("The role in that campaign."),
    )
    created_by = reference(User, "invitations")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    user = optional(User, "accepted_invitations")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "role_is_below_admin",
                Q(role__in=["worker", "curator"]),
                "An invitation is for a worker or a curator.",
            ),
            check(
                "acceptance_names_the_user",
                Q(accepted_at=None, user=None) | Q(accepted_at__isnull=False, user__isnull=False),
                "An accepted invitation names its user, and no other does.",
            ),
            check(
                "accepted_names_nobody_else",
                Q(accepted_at=None) | Q(username="", email="", own_label=""),
                "Who has accepted an invitation is known by the account alone.",
            ),
            check(
                "names_role_and_campaign",
                Q(campaign=None, member_role="") | (Q(campaign__isnull=False) & ~Q(member_role="")),
                "An invitation to a campaign names the role in it.",
            ),
            check(
                "ends_once",
                Q(accepted_at=None) | Q(revoked_at=None),
                "An accepted invitation cannot be revoked.",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation {self.public_id}"

    def for_reader(self, reader: Any) -> Self:
        """Return the invitation without whom it is for, unless *reader* made it or is an admin.

        Another owner could else tell from it who the pseudonym is that accepts it.
        """
        if self.created_by_id != reader.pk and not reader.is_superuser:
            self.username = self.email = self.own_label = ""
        return self

    def state_at(self, now: datetime) -> str:
        """Return ``accepted``, ``revoked``, ``expired`` or ``open``.

        An invitation by a person who is no longer a curator is revoked as well.
        """
        if self.accepted_at:
            return "accepted"
        if self.revoked_at or not (self.created_by.is_active and self.created_by.is_curator):
            return "revoked"
        return "open" if self.expires_at > now else "expired"
