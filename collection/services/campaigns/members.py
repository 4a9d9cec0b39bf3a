"""Services of the members of a campaign, for its owners."""

import uuid
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction

from collection.models import Campaign, Membership, rights_in
from collection.models.members import RIGHTS
from winoplatform import clock
from winoplatform.db import locks
from winoplatform.errors import Conflict, DomainError, existing
from winoplatform.http.rights import Right
from workers import services as workers
from workers.models import AuditEvent, Invitation, User
from workers.services import audit
from workers.services.invitations import account_role

Role = Membership.Role
DAYS = 7


@transaction.atomic
def set_member(*, campaign: Campaign, user: User, role: str, by: User) -> Membership:
    """Add a curator to a campaign, or change the role that they have in it.

    Workers join by an invitation that they accept: curators may pause the people who work in
    the campaign, and make password links for them.

    Raises
    ------
    DomainError
        ``wrong_account``, or ``last_owner`` if the campaign would have no owner.
    PermissionDenied
        If *by* may not choose the members.
    """
    if not user.is_curator or not user.is_active or role == Role.WORKER:
        raise DomainError(
            "wrong_account", "Only curators can be added. Invite workers with a link instead."
        )
    _take_turns(campaign, by, Right.OWN)
    before = Membership.objects.filter(campaign=campaign, user=user).first()
    if before is not None and role != Role.OWNER:
        _refuse_without_owner(before)
        _revoke_invitations(before, role)
    return _store(campaign, user, role, by=by, before=before)


def _store(
    campaign: Campaign, user: User, role: str, *, by: User, before: Membership | None = None
) -> Membership:
    former = before.role if before else ""
    member = before or Membership(campaign=campaign, user=user, created_by=by)
    member.role = role
    member.full_clean()
    member.save()
    _record(member, by=by, before=former, role=role)
    return member


def _record(member: Membership, *, by: User, before: str, role: str) -> None:
    what = member.campaign.slug
    kind = AuditEvent.Kind.MEMBER
    audit.record(kind, by=by, account=member.user, what=what, before=before, role=role)


def _revoke_invitations(member: Membership, role: str) -> None:
    """Revoke the open invitations that a member could not make in the new role."""
    rights = RIGHTS[Role(role)] if role else frozenset()
    made = Invitation.objects.open(clock.now()).filter(
        created_by=member.user, campaign=member.campaign.public_id
    )
    if Right.MANAGE in rights:
        made = made.exclude(member_role=Role.WORKER)
    Invitation.objects.filter(pk__in=list(made.values_list("pk", flat=True))).update(
        revoked_at=clock.now(), username="", email="", own_label=""
    )


@transaction.atomic
def remove_member(*, campaign: Campaign, user: User, by: User) -> None:
    """End a membership; what the person did stays on record.

    Raises
    ------
    DomainError
        ``not_found``, or ``last_owner`` if the campaign would have no owner.
    PermissionDenied
        If *by* may not choose the members.
    """
    _take_turns(campaign, by, Right.OWN)
    rows = Membership.objects.filter(campaign=campaign, user=user)
    member = existing(rows.first(), "member")
    _refuse_without_owner(member)
    _revoke_invitations(member, "")
    _record(member, by=by, before=member.role, role="")
    member.delete()


def note_access(user: User, campaign: Campaign) -> None:
    """Record, once a day, that an admin looks into a campaign of which they are no member."""
    if user.role != User.Role.ADMIN or campaign.memberships.filter(user=user).exists():
        return
    kind, since = AuditEvent.Kind.ADMIN_ACCESS, clock.now() - timedelta(days=1)
    noted = AuditEvent.objects.filter(kind=kind, by=user, what=campaign.slug, created_at__gt=since)
    if not noted.exists():
        audit.record(kind, by=user, what=campaign.slug)


def invite_member(
    *,
    campaign: Campaign,
    role: str,
    by: User,
    days: int = DAYS,
    own_label: str = "",
    public_id: uuid.UUID | None = None,
) -> tuple[Invitation, str]:
    """Invite one person to a campaign; return the invitation with its code, which is not stored.

    Who has no account makes one with it; a curator, or for work a worker, may use their own.

    Raises
    ------
    PermissionDenied
        Unless *by* may choose members, or, for a worker, manage the campaign.
    """
    _refuse_without(_to_invite(role), by, campaign)
    return workers.invite(
        role=account_role(role),
        by=by,
        own_label=own_label,
        campaign=campaign.public_id,
        member_role=role,
        public_id=public_id,
        lasts=timedelta(days=days),
    )


def read_invited(*, campaign: Campaign, text: str, by: User) -> list[workers.Invited]:
    """Read a list of people for a campaign, with the problem of each row.

    Raises
    ------
    DomainError
        ``list_unreadable``.
    PermissionDenied
        If *by* may invite nobody.
    """
    return workers.read_invited(text, _roles_to_give(campaign, by))


def invite_list(*, campaign: Campaign, text: str, by: User) -> list[tuple[Invitation, str]]:
    """Invite everybody on a CSV list to a campaign, or nobody if one row has a problem.

    Raises
    ------
    DomainError
        ``list_unreadable`` or ``invitations_invalid``.
    PermissionDenied
        If *by* may invite nobody.
    """
    roles = _roles_to_give(campaign, by)
    return workers.invite_all(text=text, by=by, campaign=campaign.public_id, roles=roles)


def _roles_to_give(campaign: Campaign, by: User) -> list[str]:
    rights = rights_in(by, campaign)
    roles = [role.value for role in Role if _to_invite(role) in rights]
    if not roles:
        raise PermissionDenied
    return roles


@transaction.atomic
def accept_invitation(*, code: str, username: str, password: str) -> User:
    """Make the account of an invited person, who joins the invitation's campaign, if it has one.

    Raises
    ------
    DomainError, ValidationError
        As ``workers.services.accept_invitation``.
    """
    user = workers.accept_invitation(code=code, username=username, password=password)
    _join(user.accepted_invitations.select_related("created_by").get(), user)
    return user


@transaction.atomic
def join_campaign(*, code: str, user: User) -> Campaign | None:
    """Join the campaign of an invitation with an account that exists; return the campaign.

    Raises
    ------
    DomainError
        ``invitation_invalid``, ``invitation_for_others`` or ``is_member``.
    """
    return _join(workers.join_by_invitation(code=code, user=user), user)


def _join(invitation: Invitation, user: User) -> Campaign | None:
    if invitation.campaign is None:
        return None
    campaign = Campaign.objects.filter(public_id=invitation.campaign).first()
    if campaign is None:
        raise workers.invalid_invitation()
    by, role = invitation.created_by, invitation.member_role
    try:
        _take_turns(campaign, by, _to_invite(role))
    except PermissionDenied:
        raise workers.invalid_invitation() from None
    if Membership.objects.filter(campaign=campaign, user=user).exists():
        raise Conflict("is_member", "You are a member of this campaign already.")
    _store(campaign, user, role, by=by)
    return campaign


def _to_invite(role: str) -> Right:
    return Right.MANAGE if role == Role.WORKER else Right.OWN


def _refuse_without(right: Right, user: User, campaign: Campaign) -> None:
    if right not in rights_in(user, campaign):
        raise PermissionDenied


def _take_turns(campaign: Campaign, by: User, right: Right) -> None:
    """Change the members one after another; a member who lost the right meanwhile is refused."""
    locks.take_turns(f"members:{campaign.public_id}")
    _refuse_without(right, by, campaign)


def _refuse_without_owner(member: Membership) -> None:
    others = Membership.objects.filter(
        campaign=member.campaign_id, role=Role.OWNER, user__is_active=True
    )
    if member.role == Role.OWNER and not others.exclude(pk=member.pk).exists():
        raise Conflict("last_owner", "A campaign needs an owner. Make another member one first.")
