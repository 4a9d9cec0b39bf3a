"""What is kept for a period is emptied or deleted after it, and not before."""

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone

from collection.models import Campaign, Draft, Participant, Provenance
from tests.factories import (
    AssignmentFactory,
    CrowdSessionFactory,
    LedgerEntryFactory,
    TwinFactory,
    UserFactory,
    VoteFactory,
)
from winoplatform.celery import app
from workers import services
from workers.models import AuditEvent, Invitation, User
from workers.tasks import keep_periods_of_data

DAY = timedelta(days=1)


def after(days: int) -> datetime:
    return timezone.now() + days * DAY


def periods_of(days: int) -> dict[str, int]:
    return services.keep_periods(now=after(days))


def test_drafts_are_deleted_once_nobody_can_continue_them() -> None:
    drafts = {
        status: Draft.objects.create(assignment=AssignmentFactory(status=status), fields={"a": 1})
        for status in ("open", "returned")
    }
    assert periods_of(89) == {}
    assert periods_of(91) == {"collection.Draft": 1}
    assert Draft.objects.get() == drafts["open"]


def test_telemetry_ends_a_year_after_the_text_in_a_closed_campaign() -> None:
    old = Provenance.objects.create(twin=TwinFactory(), typed_characters=9, active_seconds=60)
    assert periods_of(366) == {}
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    assert periods_of(364) == {}
    assert periods_of(366) == {"collection.Provenance": 1}
    old.refresh_from_db()
    assert (old.typed_characters, old.active_seconds) == (0, 0)


def test_platform_ids_end_with_the_study_and_the_pay() -> None:
    session = CrowdSessionFactory(status="completed", ended_at=timezone.now(), external_id="s-1")
    entry = LedgerEntryFactory(worker=session.participant.worker)
    assert periods_of(366) == {}
    Campaign.objects.update(status=Campaign.Status.CLOSED)
    assert periods_of(366) == {}
    admin = UserFactory(admin=True)
    services.void_entry(
        worker=entry.worker, kind=entry.kind, unit=entry.unit, reason="a test", by=admin
    )
    assert periods_of(366) == {"collection.CrowdSession": 1, "collection.Participant": 1}
    assert Participant.objects.get().external_id.startswith("erased-")
    session.refresh_from_db()
    assert session.external_id.startswith("erased-")


def test_the_audit_log_forgets_addresses_and_nothing_else() -> None:
    event = AuditEvent.objects.create(kind="labels", what="/x/", address="192.0.2.7")
    AuditEvent.objects.create(kind="labels", address="192.0.2.8", created_at=after(-400))
    assert periods_of(0) == {"workers.AuditEvent": 1}
    assert [*AuditEvent.objects.order_by("pk").values_list("address", flat=True)] == [
        "192.0.2.7",
        "",
    ]
    event.refresh_from_db()
    assert event.what == "/x/"


def test_sign_ins_and_invitations_are_forgotten() -> None:
    person = UserFactory()
    UserSession.objects.create(user=person, ip="192.0.2.7", session_key="k", user_agent="x")
    Invitation.objects.create(
        digest="1", created_by=person, expires_at=timezone.now(), email="a@example.org"
    )
    assert periods_of(91) == {"usersessions.UserSession": 1, "workers.Invitation": 1}
    assert Invitation.objects.get().email == ""


@override_settings(KEEP_DRAFTS_DAYS=0)
def test_zero_days_keep_for_ever() -> None:
    Draft.objects.create(assignment=AssignmentFactory(status="returned"), fields={"a": 1})
    assert periods_of(9_999) == {}


def test_a_text_that_a_request_stored_late_is_erased_with_the_next_sweep() -> None:
    account = UserFactory()
    vote = VoteFactory(worker=account)
    services.erase_person(account=account, by=UserFactory(admin=True))
    type(vote).objects.filter(pk=vote.pk).update(comment="I am late")
    assert periods_of(0) == {"validation.Vote": 1}


def run(*args: Any) -> str:
    out = StringIO()
    call_command("erase", *args, stdout=out)
    return out.getvalue()


def test_the_command_shows_first_and_erases_with_yes() -> None:
    account = UserFactory(username="anna-karenina", email="anna@example.org")
    VoteFactory(worker=account, comment="I am Anna")
    assert "1 validation.Vote" in run("anna-karenina")
    account.refresh_from_db()
    assert account.erased_at is None
    assert "Erased." in run("anna-karenina", "--yes")
    assert User.objects.get(pk=account.pk).erased_at
    with pytest.raises(CommandError, match="no account"):
        run("anna-karenina")


def test_the_command_refuses_open_pay_until_an_admin_decides() -> None:
    worker = LedgerEntryFactory(amount="0.40").worker
    with pytest.raises(CommandError, match=r"still owed 0.40 USD"):
        run(worker.username, "--yes")
    with pytest.raises(CommandError, match="Name the admin"):
        run(worker.username, "--yes", "--pay", "void")
    admin = UserFactory(username="root", admin=True)
    run(worker.username, "--yes", "--pay", "void", "--by", admin.username)
    assert User.objects.get(pk=worker.pk).erased_at


def test_beat_keeps_the_periods() -> None:
    assert app.conf.beat_schedule["keep-periods"]["task"] == keep_periods_of_data.name
    Draft.objects.create(
        assignment=AssignmentFactory(status="returned"), fields={"a": 1}, saved_at=after(-91)
    )
    keep_periods_of_data()
    assert not Draft.objects.exists()
