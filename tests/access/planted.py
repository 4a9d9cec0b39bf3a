"""A campaign with people whose names and texts contain marks, in every place that has them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from collection.models import Campaign, Draft, Provenance, Twin
from corpora import services as corpora
from corpora.models import Release
from panels.models import PanelVoteEvent
from tests.corpora.test_release_provenance import validated
from tests.factories import (
    ApiTokenFactory,
    ArticleFactory,
    AssignmentFactory,
    CrowdSessionFactory,
    LedgerEntryFactory,
    PanelSeatFactory,
    ParticipantFactory,
    PauseFactory,
    SeatFactory,
    SnapshotFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from tests.filtering.stages import carried
from validation.models import (
    Appeal,
    BulkAction,
    QualityNotice,
    Seat,
    TwinReturn,
    VerdictEvent,
    Vote,
)
from validation.services.review import audit_log
from workers.models import AuditEvent, Invitation, PersonLabel, User

PAY, VOTE = Decimal("0.40"), Decimal("0.03")


@dataclass
class World:
    campaign: Campaign
    people: dict[str, User] = field(default_factory=dict)
    marks: dict[str, str] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)


def mark(kind: str) -> str:
    """Return the text that stands in everything of one kind of person."""
    return f"plantedin{kind}"


def planted_world(*, releases: Sequence[str] = ()) -> World:
    """Return a campaign with a writer, a validator, a curator and a participant to be erased."""
    campaign = validated(6, dev_share="0.25", test_share="0.25")
    Vote.objects.update(local_option=None)
    world = World(campaign)
    first = Vote.objects.order_by("pk").first()
    assert first is not None
    author = first.question.twin.author
    assert author is not None
    study = StudyFactory(campaign=campaign, provider="prolific")
    people = {
        "writer": author,
        "validator": first.worker,
        "curator": UserFactory(curator=True),
        "participant": UserFactory(origin="crowd"),
    }
    for kind, account in people.items():
        world.people[kind], world.marks[kind] = account, mark(kind)
        _identity(account, mark(kind))
    curator, m = people["curator"], world.marks
    _writer(author, curator, campaign, m["writer"], m["curator"])
    _validator(first, curator, m["validator"], m["curator"])
    _participant(people["participant"], study, m["participant"])
    SnapshotFactory(created_by=curator, campaign=campaign, caption=m["curator"], finished=True)
    BulkAction.objects.create(campaign=campaign, kind="valid", by=curator, note=m["curator"])
    _pay_work()
    for name in releases:
        world.releases.append(_release(campaign, name))
    return world


def _pay_work() -> None:
    """Write what the factories leave out: the pay of each vote and of the other twins."""
    for twin in Twin.objects.exclude(assignment=None).exclude(returned__isnull=False):
        LedgerEntryFactory(
            worker=twin.author, kind="twin", unit=str(twin.public_id), amount=PAY,
            budget=twin.campaign.public_id,
        )  # fmt: skip
    Seat.objects.filter(answered_at__isnull=False, reward=None).update(reward=VOTE)
    for vote in Vote.objects.select_related("seat__campaign"):
        LedgerEntryFactory(
            worker=vote.worker, unit=str(vote.public_id), amount=vote.seat.reward,
            budget=vote.seat.campaign.public_id,
        )  # fmt: skip


def _identity(account: User, text: str) -> None:
    User.objects.filter(pk=account.pk).update(
        username=text, email=f"{text}@example.org", first_name=text, last_name=text
    )
    account.refresh_from_db()
    address = EmailAddress.objects.create(user=account, email=account.email, verified=True)
    EmailConfirmation.objects.create(email_address=address, key=f"k{text}", sent=timezone.now())
    Authenticator.objects.create(user=account, type="totp", data={"secret": text})
    SocialAccount.objects.create(
        user=account, provider="institution", uid=text, extra_data={"name": text}
    )
    session = SessionStore()
    session[SESSION_KEY], session["kept"] = str(account.pk), text
    session.save()
    UserSession.objects.create(
        user=account, ip="192.0.2.7", session_key=session.session_key, user_agent=text
    )
    ApiTokenFactory(user=account, name=text)
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.create(
        user=account, content_type=kind, object_id=account.pk, object_repr=text,
        action_flag=CHANGE, change_message=text,
    )  # fmt: skip
    _invited(account, text)
    AuditEvent.objects.create(kind="sign_in", by=account, account=account, address=f"a-{text}")
    PauseFactory(worker=account, reason=f"{text} was too fast", ended_at=timezone.now())


def _invited(account: User, text: str) -> None:
    now = timezone.now()
    invited = {"created_by": UserFactory(admin=True), "expires_at": now}
    named = {"username": text, "email": account.email, "own_label": text}
    Invitation.objects.create(digest=f"1{account.pk}", **named, **invited)
    Invitation.objects.create(digest=f"2{account.pk}", user=account, accepted_at=now, **invited)
    PersonLabel.objects.create(worker=account, by=invited["created_by"], text=text)


def _writer(account: User, curator: User, campaign: Campaign, text: str, theirs: str) -> None:
    held = AssignmentFactory(
        campaign=campaign, worker=account, article=ArticleFactory(campaign=campaign)
    )
    Draft.objects.create(assignment=held, fields={"sentence1": text}, evidence={"last": text})
    AssignmentFactory(campaign=campaign, worker=account, status="returned", return_comment=text)
    twin = Twin.objects.filter(author=account).earliest("pk")
    Provenance.objects.create(twin=twin, typed_characters=99, active_seconds=60)
    TwinReturn.objects.create(twin=twin, by=curator, note=f"{text} {theirs}")
    QualityNotice.objects.create(worker=account, campaign=campaign, kind="returned", text=text)
    Appeal.objects.create(worker=account, subject="question", unit="1", text=text)
    VerdictEvent.objects.create(
        question=twin.questions.earliest("pk"), action="returned", by=curator, reason=text
    )
    unpaid = {"worker": account, "budget": campaign.public_id}
    pays = {"unit": str(twin.public_id), "amount": campaign.reward_twin}
    LedgerEntryFactory(kind="twin", **pays, **unpaid)
    LedgerEntryFactory(
        kind="bonus", unit=f"bonus:{twin.public_id}", by=curator, note=f"{text} {theirs}", **unpaid
    )


def _validator(first: Vote, curator: User, text: str, theirs: str) -> None:
    Vote.objects.filter(pk=first.pk).update(comment=text)
    # Of a question without a verdict, so that no release counts it.
    other = TwinFactory(campaign=first.question.twin.campaign, seats=3).questions.get(number=1)
    vote = VoteFactory(question=other, worker=first.worker, comment=text)
    before = audit_log.of_vote(vote)
    vote.excluded_at, vote.excluded_by = timezone.now(), curator
    vote.exclusion_reason = f"{text} {theirs}"
    vote.save()
    VerdictEvent.objects.create(
        question=other, action="excluded", by=curator, reason=theirs,
        before=before, after=audit_log.of_vote(vote),
    )  # fmt: skip
    held = TwinFactory(campaign=vote.question.twin.campaign).questions.get(number=1)
    SeatFactory(question=held, worker=vote.worker)
    Appeal.objects.create(
        worker=vote.worker, subject="vote", unit="2", text=text, status="declined",
        answer=f"{text} {theirs}", decided_by=curator, decided_at=timezone.now(),
    )  # fmt: skip
    seat = PanelSeatFactory(worker=vote.worker, leased_until=timezone.now())
    PanelVoteEvent.objects.create(seat=seat, action="excluded", by=curator, reason=text)


def _participant(account: User, study: Any, text: str) -> None:
    participant = ParticipantFactory(worker=account, provider="prolific", external_id=text)
    CrowdSessionFactory(
        study=study, participant=participant, external_id=f"s-{text}",
        return_to=f"https://example.org/{text}",
    )  # fmt: skip
    bonus = {"kind": "bonus", "unit": "bonus:participant", "amount": PAY}
    LedgerEntryFactory(worker=account, budget=study.campaign.public_id, **bonus)


def _release(campaign: Campaign, name: str) -> Release:
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    built: Release = carried(
        corpora.build_release(snapshot=snapshot, selection=None, name=name, by=None)
    )
    return built
