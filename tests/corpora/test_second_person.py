"""Nothing is published, retracted or erased by one person where a campaign asks for two."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command

from collection import services as collection
from collection.models import Campaign, Membership
from corpora import services
from corpora.models import PublishedRun, Release
from knowledge.models import KnowledgeRelease
from knowledge.services import build_knowledge_release
from tests.factories import (
    KnowledgeReleaseFactory,
    KnowledgeSetFactory,
    LedgerEntryFactory,
    ReleaseFactory,
    SnapshotFactory,
    TwinFactory,
    UserFactory,
)
from tests.knowledge.releasing import a_set
from tests.refusals import refused
from winoplatform.errors import NotFound
from winoplatform.runs.attempts import request_cancel
from winoplatform.runs.keeping import delete_run
from winoplatform.runs.models import RunStatus
from winoplatform.runs.start import resume
from workers import services as workers
from workers.models import AuditEvent, Proposal, User

ALL = ["release", "retraction", "erasure"]


@pytest.fixture
def campaign(campaign: Campaign) -> Campaign:
    Campaign.objects.update(second_person=ALL)
    campaign.refresh_from_db()
    return campaign


@pytest.fixture
def erin(campaign: Campaign) -> User:
    return UserFactory(curator=True)


@pytest.fixture
def root() -> User:
    return UserFactory(admin=True, username="root")


def request_release(campaign: Campaign, by: User | None, **more: Any) -> Release:
    """A release whose author wants it to be public."""
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    return services.build_release(snapshot=snapshot, name="one", by=by, is_public=True, **more)


def done(release: PublishedRun) -> None:
    type(release)._default_manager.filter(pk=release.pk).update(
        status=RunStatus.DONE, content_hash="0" * 64, ended_at=release.created_at
    )


def is_public(release: Release) -> bool:
    return Release.objects.visible_to(AnonymousUser()).filter(pk=release.pk).exists()


def published() -> int:
    return AuditEvent.objects.filter(kind=AuditEvent.Kind.PUBLISHED).count()


def invited(by: User, name: str = "frank") -> User:
    _, code = workers.invite(role="curator", by=by)
    return workers.accept_invitation(code=code, username=name, password="long enough words")


def test_a_release_is_public_when_another_member_confirms_it(
    campaign: Campaign, dana: User, erin: User
) -> None:
    release, proposal = request_release(campaign, dana), Proposal.objects.get()
    with refused("not_publishable"):
        services.confirm(proposal=proposal, by=erin)
    done(release)
    assert (is_public(release), published()) == (False, 0)
    with refused("own_proposal"):
        services.confirm(proposal=proposal, by=dana)
    services.confirm(proposal=proposal, by=erin)
    assert (is_public(release), published()) == (True, 1)
    assert AuditEvent.objects.get(kind=AuditEvent.Kind.PUBLISHED).by == erin
    with refused("proposal_decided"):
        workers.decide(proposal=proposal, outcome=Proposal.Outcome.DECLINED, by=erin)


def test_a_member_invited_by_who_asks_confirms_nothing(
    campaign: Campaign, dana: User, erin: User
) -> None:
    release = request_release(campaign, dana)
    done(release)
    frank = invited(dana)
    Membership.objects.create(campaign=campaign, user=frank, role=Membership.Role.CURATOR)
    with refused("own_proposal"):
        services.confirm(proposal=Proposal.objects.get(), by=frank)
    assert not is_public(release)


def test_a_further_invitation_hides_no_line(campaign: Campaign, dana: User) -> None:
    """The account joins a campaign of a curator that it invited."""
    release = request_release(campaign, dana)
    done(release)
    frank = invited(dana)
    gina = invited(frank, "gina")
    Membership.objects.create(campaign=campaign, user=frank, role=Membership.Role.CURATOR)
    _, code = workers.invite(role="curator", by=gina, campaign=uuid4(), member_role="viewer")
    workers.join_by_invitation(code=code, user=frank)
    with refused("own_proposal"):
        services.confirm(proposal=Proposal.objects.get(), by=frank)
    assert not is_public(release)


@pytest.mark.parametrize("change", ["viewer", "no member", "inactive"])
def test_who_asked_must_still_have_the_right(
    change: str, campaign: Campaign, dana: User, erin: User
) -> None:
    release = request_release(campaign, dana)
    done(release)
    mine = Membership.objects.filter(user=dana)
    if change == "viewer":
        mine.update(role=Membership.Role.VIEWER)
    elif change == "no member":
        mine.delete()
    else:
        User.objects.filter(pk=dana.pk).update(is_active=False)
    with refused("proposer_left"):
        services.confirm(proposal=Proposal.objects.get(), by=erin)
    assert not is_public(release)


def test_only_who_may_publish_sees_that_something_waits(campaign: Campaign, dana: User) -> None:
    done(request_release(campaign, dana))
    reviewer, other = UserFactory(curator=True), UserFactory(curator=True)
    Membership.objects.filter(user=reviewer).update(role=Membership.Role.REVIEWER)
    Membership.objects.filter(user=other).delete()
    for user in (reviewer, other, UserFactory()):
        assert not Proposal.objects.visible_to(user).exists()
        with pytest.raises(NotFound):
            services.confirm(proposal=Proposal.objects.get(), by=user)


def test_what_is_declined_stays_as_it_was(campaign: Campaign, dana: User, erin: User) -> None:
    release = request_release(campaign, dana)
    done(release)
    end = {"proposal": Proposal.objects.get(), "by": erin}
    with refused("not_own_proposal"):
        workers.decide(outcome=Proposal.Outcome.WITHDRAWN, **end)
    workers.decide(outcome=Proposal.Outcome.DECLINED, **end)
    assert (is_public(release), published()) == (False, 0)


def test_a_proposal_ends_with_its_build_and_comes_back_with_it(
    campaign: Campaign, dana: User
) -> None:
    release = request_release(campaign, dana)
    request_cancel(release)
    assert Proposal.objects.get().outcome == "withdrawn"
    resume(release)
    assert Proposal.objects.get().outcome == "open"
    workers.decide(proposal=Proposal.objects.get(), outcome=Proposal.Outcome.WITHDRAWN, by=dana)
    request_cancel(release)
    resume(release)
    assert Proposal.objects.get().outcome == "withdrawn"


def test_a_proposal_ends_with_a_release_that_is_deleted(dana: User, erin: User) -> None:
    release = of_knowledge()
    Campaign.objects.update(second_person=ALL)
    services.retract_release(release=KnowledgeRelease.objects.get(), reason="So.", by=dana)
    delete_run(release)
    assert Proposal.objects.get().outcome == "withdrawn"


def test_a_command_publishes_and_retracts_nothing_alone(campaign: Campaign) -> None:
    with refused("second_person_needed"):
        request_release(campaign, None)
    assert not Release.objects.exists()
    release = ReleaseFactory(finished=True)
    Campaign.objects.update(second_person=ALL)
    release.refresh_from_db()
    with refused("second_person_needed"):
        services.retract_release(release=release, reason="Wrong.", by=None)


def test_a_release_for_members_needs_nobody(campaign: Campaign) -> None:
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    services.build_release(snapshot=snapshot, name="inner", by=None)
    assert not Proposal.objects.exists()


def of_questions() -> PublishedRun:
    return ReleaseFactory(finished=True)


def of_knowledge() -> PublishedRun:
    over = ReleaseFactory(finished=True)
    of = KnowledgeSetFactory(release=over, reference_set=None)
    return KnowledgeReleaseFactory(knowledge_set=of, finished=True)


@pytest.mark.parametrize("make", [of_questions, of_knowledge])
def test_a_retraction_waits_for_the_second_person(
    make: Callable[[], PublishedRun], dana: User, erin: User
) -> None:
    release = make()
    Campaign.objects.update(second_person=ALL)
    release = type(release)._default_manager.get(pk=release.pk)
    asking = {"release": release, "reason": "Two are wrong.", "by": dana}
    assert services.retract_release(**asking).retracted_at is None
    with refused("already_proposed"):
        services.retract_release(**asking)
    release.refresh_from_db()
    assert release.retracted_at is None
    services.confirm(proposal=Proposal.objects.get(), by=erin)
    release.refresh_from_db()
    assert (release.retracted_by, release.retraction_reason) == (dana, "Two are wrong.")
    with refused("not_retractable"):
        services.retract_release(**asking)


def test_a_knowledge_release_is_for_members_until_it_is_confirmed(
    campaign: Campaign, alice: User, dana: User
) -> None:
    of = a_set()
    over = ReleaseFactory(finished=True, is_public=True)
    type(of).objects.filter(pk=of.pk).update(reference_set=None, release=over)
    Campaign.objects.update(second_person=ALL)
    of = type(of).objects.get(pk=of.pk)
    release = build_knowledge_release(knowledge_set=of, name="logic", by=dana)
    assert (release.is_public, published()) == (False, 0)
    assert Proposal.objects.get().release == release.public_id
    shown = KnowledgeRelease.objects.visible_to(alice)
    KnowledgeReleaseFactory(knowledge_set=of, finished=True, is_public=False)
    assert not shown.exists()
    KnowledgeRelease.objects.update(is_public=True)
    assert shown.count() == 1


def person(campaign: Campaign) -> User:
    return TwinFactory(campaign=campaign).author


def test_a_person_is_erased_when_another_admin_or_an_owner_confirms_it(
    campaign: Campaign, dana: User, root: User
) -> None:
    alice, bob = person(campaign), person(campaign)
    LedgerEntryFactory(worker=alice, amount="0.40", budget=campaign.public_id)
    with refused("pay_open"):
        collection.erase_person(account=alice, by=root)
    for account, second in ((alice, UserFactory(admin=True)), (bob, dana)):
        proposal = collection.erase_person(account=account, by=root, pay="void", reason="By mail.")
        assert isinstance(proposal, Proposal)
        account.refresh_from_db()
        assert account.erased_at is None
        with refused("own_proposal"):
            services.confirm(proposal=proposal, by=root)
        services.confirm(proposal=proposal, by=second)
        account.refresh_from_db()
        proposal.refresh_from_db()
        assert account.erased_at is not None
        assert (proposal.decided_by, proposal.reason) == (second, "")
    assert workers.open_pay(alice) == {}


def test_a_curator_who_is_no_owner_erases_nobody(campaign: Campaign, root: User) -> None:
    account, curator = person(campaign), UserFactory(curator=True)
    Membership.objects.filter(user=curator).update(role=Membership.Role.CURATOR)
    proposal = collection.erase_person(account=account, by=root)
    assert isinstance(proposal, Proposal)
    with pytest.raises(NotFound):
        services.confirm(proposal=proposal, by=curator)


def test_a_person_who_works_elsewhere_is_erased_at_once(campaign: Campaign, root: User) -> None:
    assert isinstance(collection.erase_person(account=UserFactory(), by=root), workers.Erasure)


def test_the_command_erases_by_two_admins(campaign: Campaign, root: User) -> None:
    account, other = person(campaign), UserFactory(admin=True, username="other")
    with pytest.raises(CommandError, match="asks for a second person"):
        call_command("erase", account.username, "--yes")
    call_command("erase", account.username, "--yes", "--by", root.username)
    with pytest.raises(CommandError, match="waits for a second person already"):
        call_command("erase", account.username, "--yes", "--by", root.username)
    account.refresh_from_db()
    assert account.erased_at is None
    call_command("erase", account.username, "--yes", "--by", other.username)
    account.refresh_from_db()
    assert account.erased_at is not None


def test_only_an_admin_does_without_the_second_person(
    campaign: Campaign, dana: User, root: User
) -> None:
    fewer = {"campaign": campaign, "second_person": ["release", "erasure"]}
    with refused("second_person_kept"):
        collection.update_campaign(**fewer, by=dana)
    assert collection.update_campaign(**fewer, by=root).second_person == ["release", "erasure"]
    collection.update_campaign(campaign=campaign, second_person=ALL, by=dana)
