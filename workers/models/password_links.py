"""Password links: one-time links with which people set a new password for their account."""

import uuid
from datetime import datetime
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from winoplatform.constraints import check
from workers.models.accounts import User


class PasswordLinkQuerySet(models.QuerySet["PasswordLink"]):
    def open(self, now: datetime) -> Self:
        """Links that can be used: the two accounts must still have roles that allow it."""
        allowed = Q(created_by__role=User.Role.ADMIN) | Q(
            created_by__role=User.Role.CURATOR, user__role=User.Role.WORKER
        )
        return self.filter(
            allowed,
            used_at=None,
            revoked_at=None,
            expires_at__gt=now,
            created_by__is_active=True,
            user__is_active=True,
        )

    def revoke(self, now: datetime) -> int:
        """Revoke those that could still be used; return their number."""
        rows = self.filter(used_at=None, revoked_at=None, expires_at__gt=now)
        return rows.update(revoked_at=now)


class PasswordLink(models.Model):
    """A link to set a new password; its code is shown once, and only its digest is stored.

    ::

        open ──▶ used
          ├────▶ revoked
          └────▶ expired
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="password_links"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="made_password_links"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = PasswordLinkQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        constraints: ClassVar = [
            check(
                "is_for_another_person",
                ~Q(user=F("created_by")),
                "A password link is for another person’s account.",
            ),
            check(
                "ends_once",
                Q(used_at=None) | Q(revoked_at=None),
                "A used password link cannot be revoked.",
            ),
        ]

    def __str__(self) -> str:
        return f"password link {self.public_id}"

    def state_at(self, now: datetime) -> str:
        """Return ``used``, ``revoked``, ``expired`` or ``open``."""
        if self.used_at:
            return "used"
        if self.revoked_at:
            return "revoked"
        return "open" if self.expires_at > now else "expired"
