"""Who people are, what they may do, and what they are owed."""

import secrets
from decimal import Decimal
from typing import Any, ClassVar, Self

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken


def new_public_id() -> str:
    """Return a pseudonym: it says nothing about the person, not even when they came."""
    return f"w-{secrets.token_hex(6)}"


class UserManager(DjangoUserManager["User"]):
    use_in_migrations = False

    def create_superuser(self, *args: Any, **fields: Any) -> "User":
        return super().create_superuser(*args, **(fields | {"role": User.Role.ADMIN}))


class User(AbstractUser):  # type: ignore[django-manager-missing]
    """A person or program with an account; published data knows only ``public_id``.

    The role alone says what somebody may do; Django's two flags follow it.
    """

    class Role(models.TextChoices):
        WORKER = "worker", _("worker")
        CURATOR = "curator", _("curator")
        ADMIN = "admin", _("admin")

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    role = models.CharField(max_length=16, choices=Role, default=Role.WORKER)

    objects: ClassVar[UserManager] = UserManager()

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_role_is_known",
                condition=models.Q(role__in=["worker", "curator", "admin"]),
                violation_error_message="A user is a worker, a curator or an admin.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_flags_follow_the_role",
                condition=models.Q(role="admin", is_staff=True, is_superuser=True)
                | (~models.Q(role="admin") & models.Q(is_staff=False, is_superuser=False)),
                violation_error_message="Admins, and nobody else, enter the administration.",
            ),
        ]

    def clean(self) -> None:
        super().clean()
        self._follow_role()

    @transaction.atomic
    def save(self, *args: Any, **options: Any) -> None:
        """Store the account; a new password ends the tokens that the old one has bought."""
        self._follow_role()
        if "role" in (options.get("update_fields") or ()):
            options["update_fields"] = {*options["update_fields"], "is_staff", "is_superuser"}
        renewed = self._password is not None and not self._state.adding  # type: ignore[attr-defined]
        super().save(*args, **options)
        if renewed:
            self.auth_token_set.all().delete()

    def _follow_role(self) -> None:
        self.is_staff = self.is_superuser = self.role == self.Role.ADMIN

    @property
    def is_curator(self) -> bool:
        """Curators run campaigns; admins may do all that curators may."""
        return self.role in (self.Role.CURATOR, self.Role.ADMIN)


class ApiToken(AbstractAuthToken):
    """A token for programs; only its digest is stored."""

    name = models.CharField(max_length=80, default="api")

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key}…)"


class LedgerQuerySet(models.QuerySet["LedgerEntry"]):
    def visible_to(self, user: Any) -> Self:
        return self if user.is_curator else self.filter(worker=user)

    def total(self) -> Decimal:
        """The sum of the amounts; entries of one currency are assumed to be selected."""
        return self.aggregate(sum=models.Sum("amount"))["sum"] or Decimal("0.00")


class LedgerEntry(models.Model):
    """One cent-exact fact: this worker is owed this much for this unit of work.

    Append-only: a database trigger refuses changes and deletions; mistakes are mended by a
    compensating entry of kind ``adjustment``.
    """

    class Kind(models.TextChoices):
        TWIN = "twin", _("twin written")
        VOTE = "vote", _("question judged")
        ADJUSTMENT = "adjustment", _("adjustment")

    worker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ledger"
    )
    kind = models.CharField(max_length=16, choices=Kind)
    unit = models.CharField(max_length=64, help_text=_("Public id of what was done."))
    amount = models.DecimalField(max_digits=12, decimal_places=2)
    currency = models.CharField(max_length=3)
    budget = models.UUIDField(help_text=_("Public id of the campaign that pays."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = LedgerQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-pk"]
        indexes: ClassVar = [models.Index(fields=["budget", "kind"])]
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="%(app_label)s_%(class)s_pays_a_unit_once",
                fields=["worker", "kind", "unit"],
                violation_error_message="This work has been paid already.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_only_adjustments_are_negative",
                condition=models.Q(amount__gte=0) | models.Q(kind="adjustment"),
                violation_error_message="Only an adjustment may be negative.",
            ),
            models.CheckConstraint(
                name="%(app_label)s_%(class)s_currency_is_a_code",
                condition=models.Q(currency__regex=r"^[A-Z]{3}$"),
                violation_error_message="A currency is a three-letter code such as USD.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.amount} {self.currency} · {self.get_kind_display()} · {self.unit}"
