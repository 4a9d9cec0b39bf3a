"""Tables for accounts and API tokens."""

import secrets
from typing import Any, ClassVar

from django.apps import apps
from django.contrib.auth.models import AbstractUser
from django.contrib.auth.models import UserManager as DjangoUserManager
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from winoplatform.db.constraints import check
from winoplatform.http.scopes import Scope
from workers.signals import account_saved


def new_public_id() -> str:
    """Return a random pseudonym, which reveals neither the person nor the date of sign-up."""
    return f"w-{secrets.token_hex(6)}"


class UserManager(DjangoUserManager["User"]):
    use_in_migrations = False

    def create_superuser(self, *args: Any, **fields: Any) -> "User":
        return super().create_superuser(*args, **(fields | {"role": User.Role.ADMIN}))


class User(AbstractUser):  # type: ignore[django-manager-missing]
    """A person or program with an account; published data contain only ``public_id``.

    The role determines all permissions; Django's two flags follow it.
    """

    class Role(models.TextChoices):
        WORKER = "worker", _("worker")
        CURATOR = "curator", _("curator")
        ADMIN = "admin", _("admin")

    class Origin(models.TextChoices):
        """Who is behind an account, as far as its creation tells."""

        SIMULATED = "simulated", _("simulated")
        INVITED = "invited", _("invited")
        CROWD = "crowd", _("from a crowd platform")
        IMPORTED = "imported", _("imported")

    public_id = models.CharField(max_length=32, unique=True, default=new_public_id, editable=False)
    role = models.CharField(max_length=16, choices=Role, default=Role.WORKER)
    origin = models.CharField(
        max_length=16, choices=Origin, blank=True, default="", db_default="", editable=False
    )
    platform = models.CharField(
        max_length=80,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text=_("The crowd platform, if its links name it."),
    )
    erased_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("When its person was erased; the account stays for work and pay alone."),
    )

    objects: ClassVar[UserManager] = UserManager()

    class Meta(AbstractUser.Meta):
        constraints: ClassVar = [
            check(
                "role_is_known",
                models.Q(role__in=["worker", "curator", "admin"]),
                "A user is a worker, a curator or an admin.",
            ),
            check(
                "flags_follow_the_role",
                models.Q(role="admin", is_staff=True, is_superuser=True)
                | (~models.Q(role="admin") & models.Q(is_staff=False, is_superuser=False)),
                "Only admins may use the administration site.",
            ),
            check(
                "origin_is_known",
                models.Q(origin__in=["", "simulated", "invited", "crowd", "imported"])
                & (models.Q(platform="") | models.Q(origin="crowd")),
                "An origin is one of the known ones, and only a crowd worker has a platform.",
            ),
            check(
                "erased_is_nobody",
                models.Q(erased_at=None)
                | models.Q(
                    is_active=False,
                    role="worker",
                    username__startswith="erased-",
                    password__startswith="!",
                    email="",
                    first_name="",
                    last_name="",
                    last_login=None,
                ),
                "The person of this account was erased, so it names nobody and nobody can use it.",
            ),
        ]

    def clean(self) -> None:
        super().clean()
        self._follow_role()
        self._refuse_crowd_curator()

    @transaction.atomic
    def save(self, *args: Any, **options: Any) -> None:
        """Store the account; a new password deletes its tokens."""
        self._follow_role()
        self._refuse_crowd_curator()
        if "role" in (options.get("update_fields") or ()):
            options["update_fields"] = {*options["update_fields"], "is_staff", "is_superuser"}
        renewed = self._password is not None and not self._state.adding  # type: ignore[attr-defined]
        before = self._rights_stored(options.get("update_fields"))
        super().save(*args, **options)
        if renewed:
            self.auth_token_set.all().delete()
        account_saved.send(sender=User, instance=self, is_password_new=renewed, before=before)

    def _refuse_crowd_curator(self) -> None:
        """Refuse to make an account that signs in by a study's link a curator."""
        if self.origin == self.Origin.CROWD and self.role != self.Role.WORKER:
            message = _(
                "This account came from a crowd platform and signs in by a link, so it must stay "
                "a worker. Create a separate account for a curator."
            )
            raise ValidationError({"role": message})

    @property
    def rights(self) -> tuple[str, bool]:
        return str(self.role), self.is_active

    def _rights_stored(self, fields: Any) -> tuple[str, bool] | None:
        """Return role and activity before a save; None if it stores neither."""
        if self._state.adding:
            return str(User.Role.WORKER), True
        if fields is not None and not {"role", "is_active"} & set(fields):
            return None
        return User.objects.filter(pk=self.pk).values_list("role", "is_active").first()

    def _follow_role(self) -> None:
        self.is_staff = self.is_superuser = self.role == self.Role.ADMIN

    @property
    def is_curator(self) -> bool:
        """Whether the user may manage campaigns; admins may do all that curators may."""
        return self.role in (self.Role.CURATOR, self.Role.ADMIN)

    @property
    def is_participant(self) -> bool:
        """Whether a study's link made the account, which anyone who has the link can use."""
        return self.origin == self.Origin.CROWD and not self.is_curator


def in_campaigns_of(user: Any, column: str, right: str, lookup: str = "in") -> models.Q:
    """Select rows whose *column* is the public id of a campaign that gives *user* a right.

    With the *lookup* ``overlap``, rows whose *column* lists one.

    Campaigns and their members are tables of an app above this one.
    """
    if not user.is_curator:
        return models.Q(pk__in=[])
    if user.role == User.Role.ADMIN:
        return ~models.Q(pk__in=[])
    memberships: Any = apps.get_model("collection", "Membership").objects
    campaigns = memberships.granting(user, right).values("campaign__public_id")
    return models.Q((f"{column}__{lookup}", campaigns))


class ApiToken(AbstractAuthToken):
    """A token for programs; only its digest is stored.

    ``last_used_at`` is exact to the hour, so that most requests write nothing.
    """

    name = models.CharField(max_length=80, default="api")
    scopes = ArrayField(models.CharField(max_length=16, choices=Scope), default=list)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            check(
                "scopes_are_known",
                models.Q(scopes__contained_by=Scope.values),
                "A scope of a token is read, work, curate or pay.",
            ),
            check("expires", models.Q(expiry__isnull=False), "A token expires."),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key}…)"
