"""Who works on a campaign, and in which role."""

from typing import Any, ClassVar, Self

from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from winoplatform.db.columns import optional, reference
from winoplatform.db.constraints import check, unique
from winoplatform.http.rights import Right, right_needed
from workers.models import User


class MembershipQuerySet(models.QuerySet["Membership"]):
    def granting(self, user: Any, right: str | None = None) -> Self:
        """Memberships of *user* with a right; by default the one that the request needs."""
        roles = [role for role, rights in RIGHTS.items() if (right or right_needed()) in rights]
        return self.filter(user=user, role__in=roles)

    def make_owners(self, campaign: Any, *, by: User | None = None) -> None:
        """Make who created a campaign its owner; without anyone, all who are curators now."""
        curators = User.objects.filter(role=User.Role.CURATOR, is_active=True)
        owners = [by] if by is not None and by.is_curator else list(curators)
        self.bulk_create(
            Membership(campaign=campaign, user=owner, role=Membership.Role.OWNER)
            for owner in owners
        )


class Membership(models.Model):
    """A person's role in one campaign. A curator who is no member learns nothing of it.

    Workers need a membership only where a campaign is for invited people.
    """

    class Role(models.TextChoices):
        OWNER = "owner", _("owner")
        CURATOR = "curator", _("curator")
        REVIEWER = "reviewer", _("reviewer")
        PAYER = "payer", _("payer")
        VIEWER = "viewer", _("viewer")
        WORKER = "worker", _("worker")

    campaign = models.ForeignKey(
        "collection.Campaign", on_delete=models.CASCADE, related_name="memberships"
    )
    user = reference(User, "memberships")
    role = models.CharField(max_length=16, choices=Role)
    created_by = optional(User)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            unique("is_one_per_person", ["campaign", "user"], "This person is already a member."),
            check(
                "role_is_known",
                Q(role__in=["owner", "curator", "reviewer", "payer", "viewer", "worker"]),
                "A member has one of the known roles.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user.public_id}, {self.get_role_display()} of {self.campaign}"


OF_CURATORS = tuple(role for role in Membership.Role if role != Membership.Role.WORKER)
RIGHTS = {
    Membership.Role.OWNER: frozenset(Right),
    Membership.Role.CURATOR: frozenset(Right) - {Right.OWN},
    Membership.Role.REVIEWER: frozenset({Right.SEE, Right.DATA, Right.DECIDE}),
    Membership.Role.PAYER: frozenset({Right.SEE, Right.PAY}),
    Membership.Role.VIEWER: frozenset({Right.SEE, Right.DATA}),
    Membership.Role.WORKER: frozenset[Right](),
}


NONE = Q(pk__in=[])
ALL = ~NONE


def of_member(user: Any, path: str = "campaign", right: str | None = None) -> Q:
    """Select rows whose campaign at *path* grants *user* a right; all rows for admins.

    Without a *right*, it is the one that the current request needs.
    """
    if not (isinstance(user, User) and user.is_curator):
        return NONE
    if user.role == User.Role.ADMIN:
        return ALL
    mine = Membership.objects.granting(user, right)
    return Q((f"{path}__in", mine.values("campaign")))


def rights_by_campaign(user: User) -> dict[int, frozenset[str]] | None:
    """Return a member's rights by the campaign's key; None for admins, who have all."""
    if user.role == User.Role.ADMIN:
        return None
    roles = Membership.objects.filter(user=user).values_list("campaign", "role")
    return {campaign: RIGHTS[Membership.Role(role)] for campaign, role in roles}


def rights_of(rights: dict[int, frozenset[str]] | None, campaign: Any) -> frozenset[str]:
    """Return those in one campaign of what `rights_by_campaign` returned."""
    return frozenset(Right) if rights is None else rights.get(campaign.pk, frozenset())


def rights_in(user: User, campaign: Any) -> frozenset[str]:
    """Return what *user* may do in a campaign: all for admins, nothing for people who only work."""
    return rights_of(rights_by_campaign(user), campaign)


NOT_ALLOWED = _("Your role in this campaign does not allow this.")


def refuse_role(user: User, campaigns: "models.QuerySet[Any]") -> None:
    """Tell a member that the role, and not the campaign, is missing.

    Raises
    ------
    PermissionDenied
        If *user* is a member of one of *campaigns*, which gives no right that the request needs.
    """
    if campaigns.filter(of_member(user, "pk", Right.SEE)).exists():
        raise PermissionDenied(NOT_ALLOWED)
