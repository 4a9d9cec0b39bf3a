"""Platforms' reports that contradict how sessions are paid are shown and asked about."""

import csv
import io
from decimal import Decimal

import pytest
from django.utils import timezone

from collection.exports.sessions import sessions_csv
from collection.models import Campaign, CrowdSession
from collection.selectors.crowd import (
    contradicted,
    contradicted_in,
    reports_key,
    without_assignment,
)
from collection.services.campaigns import pay
from tests.collection.crowd.people import report
from tests.collection.test_payouts import earn, export, paid, session, text_of
from winoplatform.errors import DomainError
from workers.models import Payout, User


def refusal(payout: Payout, reports: str = "") -> str:
    try:
        pay.mark_paid(payout_id=payout.public_id, by=payout.created_by, reports=reports)
    except DomainError as refused:
        return refused.code
    return ""


@pytest.mark.long
@pytest.mark.parametrize("provider", ["prolific", "mturk", "generic"])
@pytest.mark.parametrize("what", ["returned", "timed_out", "rejected", "partially_approved"])
def test_the_platforms_payout_asks_about_who_left_after_completion(
    provider: str, what: str, campaign: Campaign
) -> None:
    done = session(campaign, provider, status="completed")
    earn(done)
    payout = export(campaign, "platform")
    report(done, what)
    assert list(contradicted_in(payout)) == list(contradicted(campaign)) == [done]
    assert refusal(payout) == "reports_contradict"
    assert refusal(payout, reports_key([done])) == ""
    payout.refresh_from_db()
    assert payout.status == Payout.Status.PAID
    assert list(contradicted_in(payout)) == [done]


def test_a_report_after_the_look_is_asked_about_again(campaign: Campaign) -> None:
    done = session(campaign, status="completed")
    earn(done)
    payout = export(campaign, "platform")
    report(done, "timed_out")
    looked_at = reports_key([done])
    report(done, "rejected")
    assert refusal(payout, looked_at) == "reports_contradict"
    report(done, "approved")
    assert refusal(payout) == ""


@pytest.mark.long
@pytest.mark.parametrize("status", ["failed", "returned", "timed_out"])
@pytest.mark.parametrize("what", ["awaiting_review", "approved", "rejected"])
def test_a_bonus_asks_about_whom_the_platform_pays_or_refuses(
    status: str, what: str, campaign: Campaign
) -> None:
    left = session(campaign, status=status)
    earn(left)
    CrowdSession.objects.update(ended_at=timezone.now())
    report(left, what)
    payout = export(campaign, "prolific")
    assert list(contradicted_in(payout)) == [left]
    assert refusal(payout) == "reports_contradict"


def test_reports_as_expected_ask_nothing(campaign: Campaign) -> None:
    done = session(campaign, status="completed")
    left = session(campaign, status="returned", external="0" * 24)
    earn(done)
    earn(left)
    report(done, "approved")
    report(left, "returned")
    for provider in ("platform", "any"):
        assert refusal(export(campaign, provider)) == ""


def test_a_bonus_in_place_of_voided_pay_is_not_asked_about(campaign: Campaign, dana: User) -> None:
    done = session(campaign, status="completed")
    entry = earn(done)
    report(done, "returned")
    pay.void_entry(
        campaign=campaign, worker=entry.worker, kind="twin", unit=entry.unit, reason="x", by=dana
    )
    earn(campaign, "0.40", entry.worker)
    assert refusal(export(campaign, "any")) == ""


def test_a_cancelled_payout_asks_nothing(campaign: Campaign) -> None:
    done = session(campaign, status="completed")
    earn(done)
    payout = export(campaign, "platform")
    report(done, "returned")
    pay.workers.cancel_payout(payout_id=payout.public_id, by=payout.created_by)
    assert refusal(payout) == "payout_cancelled"


def test_the_file_of_sessions_has_the_last_report(campaign: Campaign) -> None:
    done = session(campaign, status="completed")
    report(done, "timed_out", sent_at=1000)
    text = b"".join(sessions_csv(done.study).streaming_content).decode()
    [row] = csv.DictReader(io.StringIO(text))
    assert (row["status"], row["reported"]) == ("completed", "timed_out")
    assert row["reported_at"].startswith("1970-01-01T00:16:40")


def test_turkers_without_a_submitted_assignment_are_listed_and_paid_otherwise(
    campaign: Campaign,
) -> None:
    left = session(campaign, "mturk", status="returned")
    unsent = session(campaign, "mturk", status="completed", external="A9B9C9D9E9")
    sent = session(campaign, "mturk", status="completed", external="A7B7C7D7E7")
    report(unsent, "returned")
    workers = [each.participant.worker for each in (left, unsent, sent)]
    for worker in workers:
        earn(campaign, "0.50", worker)
    assert list(paid(export(campaign, "mturk"))) == [workers[2].public_id]
    listed = without_assignment(campaign, timezone.now())
    assert listed == [(worker, Decimal("0.50")) for worker in workers[:2]]
    assert set(paid(export(campaign, "any"))) == {worker.public_id for worker in workers[:2]}
    assert without_assignment(campaign, timezone.now()) == []


def test_mturks_file_names_an_assignment_that_was_submitted(campaign: Campaign) -> None:
    sent = session(campaign, "mturk", status="completed", external_id="SUBMITTED")
    same = {"participant": sent.participant}
    unsent = session(campaign, "mturk", status="completed", external_id="ABANDONED", **same)
    report(unsent, "timed_out", sent_at=1000)
    earn(campaign, "0.43", sent.participant.worker)
    assert "SUBMITTED" in text_of(export(campaign, "mturk"), 1)
