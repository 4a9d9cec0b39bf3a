"""Members of a campaign: roles, invitations, and who is offered its work."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from collection import services
from collection.models import Campaign, Membership
from collection.models.members import RIGHTS, rights_in
from tests.factories import CampaignFactory, ConsentFactory, GuidelineFactory, UserFactory
from tests.refusals import refused
from winoplatform.http.rights import Right
from workers.models import AuditEvent, Invitation, User

GOOD = {"username": "erin", "password": "quiet-otter-7"}
Role = Membership.Role


@pytest.fixture
def campaign(dana: User) -> Campaign:
    """A campaign that Dana owns."""
    return CampaignFactory()


def role_of(user: User, campaign: Campaign) -> str:
    return str(Membership.objects.get(user=user, campaign=campaign).role)


def outsider() -> User:
    user = UserFactory(curator=True)
    user.memberships.all().delete()
    return user


def test_who_creates_a_campaign_owns_it(dana: User) -> None:
    UserFactory(curator=True)
    made = services.create_campaign(slug="new", name="New", by=dana)
    assert [(row.user, row.role) for row in made.memberships.all()] == [(dana, "owner")]
    by_a_command = services.create_campaign(slug="newer", name="Newer")
    assert by_a_command.memberships.filter(role="owner").count() == 2


def test_the_rights_of_roles() -> None:
    assert RIGHTS[Role.OWNER] == set(Right)
    assert set(Right) - RIGHTS[Role.CURATOR] == {Right.OWN}
    assert Right.PAY not in RIGHTS[Role.REVIEWER] | RIGHTS[Role.VIEWER]
    assert Right.DATA not in RIGHTS[Role.PAYER]
    assert RIGHTS[Role.WORKER] == set()


def test_a_member_gets_a_role_and_loses_it(dana: User, campaign: Campaign) -> None:
    erin = outsider()
    assert not Campaign.objects.visible_to(erin).exists()
    services.set_member(campaign=campaign, user=erin, role=Role.VIEWER, by=dana)
    services.set_member(campaign=campaign, user=erin, role=Role.REVIEWER, by=dana)
    assert (role_of(erin, campaign), rights_in(erin, campaign)) == (
        "reviewer",
        RIGHTS[Role.REVIEWER],
    )
    assert Campaign.objects.visible_to(erin).get() == campaign
    services.remove_member(campaign=campaign, user=erin, by=dana)
    assert not Campaign.objects.visible_to(erin).exists()
    events = AuditEvent.objects.filter(kind="member", account=erin).order_by("pk")
    assert [event.facts["role"] for event in events] == ["viewer", "reviewer", ""]


def test_a_campaign_keeps_an_owner(dana: User, campaign: Campaign) -> None:
    with refused("last_owner"):
        services.remove_member(campaign=campaign, user=dana, by=dana)
    with refused("last_owner"):
        services.set_member(campaign=campaign, user=dana, role=Role.VIEWER, by=dana)
    assert role_of(dana, campaign) == "owner"
    services.set_member(campaign=campaign, user=outsider(), role=Role.OWNER, by=dana)
    services.remove_member(campaign=campaign, user=dana, by=dana)


@pytest.mark.parametrize(
    ("is_curator", "role"), [(False, Role.VIEWER), (False, Role.WORKER), (True, Role.WORKER)]
)
def test_only_curators_are_added_without_an_invitation(
    is_curator: bool, role: str, dana: User, campaign: Campaign
) -> None:
    user = outsider() if is_curator else UserFactory()
    with refused("wrong_account"):
        services.set_member(campaign=campaign, user=user, role=role, by=dana)
    assert not Membership.objects.filter(campaign=campaign, user=user).exists()


def test_an_invitation_brings_a_new_account_into_the_campaign(
    dana: User, campaign: Campaign
) -> None:
    made, code = services.invite_member(campaign=campaign, role=Role.PAYER, by=dana, days=30)
    assert made.expires_at - timezone.now() > timedelta(days=29)
    erin = services.accept_invitation(code=code, **GOOD)
    assert (erin.role, role_of(erin, campaign)) == ("curator", "payer")


def test_an_account_that_exists_joins_once(dana: User, campaign: Campaign) -> None:
    erin = outsider()
    _, code = services.invite_member(campaign=campaign, role=Role.VIEWER, by=dana)
    with refused("invitation_for_others"):
        services.join_campaign(code=code, user=UserFactory())
    assert services.join_campaign(code=code, user=erin) == campaign
    with refused("invitation_invalid"):
        services.join_campaign(code=code, user=outsider())
    _, again = services.invite_member(campaign=campaign, role=Role.OWNER, by=dana)
    with refused("is_member"):
        services.join_campaign(code=again, user=erin)
    assert role_of(erin, campaign) == "viewer"
    assert Invitation.objects.filter(accepted_at=None).count() == 1


def test_only_who_may_choose_members_invites_them(dana: User, campaign: Campaign) -> None:
    erin = outsider()
    services.set_member(campaign=campaign, user=erin, role=Role.CURATOR, by=dana)
    services.invite_member(campaign=campaign, role=Role.WORKER, by=erin)
    with pytest.raises(PermissionDenied):
        services.invite_member(campaign=campaign, role=Role.VIEWER, by=erin)


def test_a_link_ends_with_the_right_to_make_it(dana: User, campaign: Campaign) -> None:
    erin = outsider()
    services.set_member(campaign=campaign, user=erin, role=Role.OWNER, by=dana)
    _, code = services.invite_member(campaign=campaign, role=Role.OWNER, by=erin)
    services.set_member(campaign=campaign, user=erin, role=Role.VIEWER, by=dana)
    with refused("invitation_invalid"):
        services.accept_invitation(code=code, **GOOD)
    assert not User.objects.filter(username="erin").exists()


def test_invited_people_alone_are_offered_a_campaign_by_invitation(dana: User) -> None:
    campaign = CampaignFactory(is_by_invitation=True)
    invited, joined, other = UserFactory(), UserFactory(), UserFactory()
    Membership.objects.create(campaign=campaign, user=invited, role=Role.WORKER)
    ConsentFactory(worker=joined, guideline=GuidelineFactory(campaign=campaign))
    assert [
        Campaign.objects.visible_to(user).filter(pk=campaign.pk).exists()
        for user in (invited, joined, other)
    ] == [True, True, False]


def test_an_admin_leaves_a_trace_once_a_day(campaign: Campaign) -> None:
    admin = UserFactory(admin=True)
    for _ in range(3):
        services.note_access(admin, campaign)
    services.note_access(UserFactory(curator=True), campaign)
    assert AuditEvent.objects.filter(kind="admin_access", by=admin).count() == 1
