"""The pages of pay: what curators approve and pay out, and what workers read of it."""

import re
import uuid
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, SessionCredit
from collection.services.campaigns import pay
from tests.collection.crowd.people import report
from tests.factories import (
    ConsentFactory,
    CrowdSessionFactory,
    LedgerEntryFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import HTMX, source, words
from validation.models import GoldQuestion
from workers.models import LedgerEntry, Payout, User


@pytest.fixture
def twin(alice: User, campaign: Campaign) -> LedgerEntry:
    return LedgerEntryFactory(
        worker=alice, kind="twin", amount=Decimal("0.40"), budget=campaign.public_id
    )


def page(name: str, *more: object) -> str:
    return reverse(name, args=["kitchen", *more])


def test_an_empty_page_says_when_pay_begins(as_dana: Client, campaign: Campaign) -> None:
    response = as_dana.get(page("campaign-pay"))
    text = words(response)
    assert "No pay entries yet" in text
    assert "No payouts yet" in text
    assert re.search(r'<button class="button" disabled>\s*Create payout', source(response))
    assert "This campaign has no budget cap" in text
    assert "and for the open work of human evaluations and knowledge sets" in text


def test_the_budget_shows_cap_committed_and_left(
    as_dana: Client, campaign: Campaign, twin: LedgerEntry
) -> None:
    Campaign.objects.update(budget_cap=Decimal("2.00"))
    text = words(as_dana.get(page("campaign-pay")))
    assert "Cap $2.00 Left $1.60 2 more twins at $0.58, including votes" in text
    assert "20.0% is committed: $0.40." in text


def test_pay_is_approved_paid_out_and_marked_as_paid(
    as_dana: Client, alice: User, as_alice: Client, twin: LedgerEntry
) -> None:
    assert as_dana.post(page("approve-pay")).status_code == 302
    assert "$0.40 to 1 worker" in words(as_dana.get(page("campaign-pay")))
    sent = {"client_key": str(uuid.uuid4()), "provider": "any"}
    made = as_dana.post(page("new-payout"), sent)
    again = as_dana.post(page("new-payout"), sent)
    payout = Payout.objects.get()
    assert made["Location"] == again["Location"] == reverse("payout", args=[payout.public_id])
    file = reverse("payout-file", args=[payout.public_id, f"payout-{payout.public_id}.csv"])
    first = as_dana.get(file).getvalue()
    assert f"{alice.public_id},0.40,USD,1,," in first.decode()
    assert as_dana.post(reverse("payout-paid", args=[payout.public_id])).status_code == 302
    assert as_dana.get(file).getvalue() == first
    refused = as_dana.post(reverse("cancel-payout", args=[payout.public_id]))
    assert refused.status_code == 409
    assert "is already paid" in words(refused)
    mine = words(as_alice.get(reverse("my-pay")))
    assert "Pending $0.00 In a payout $0.00 Paid $0.40" in mine


def test_a_payout_that_reports_contradict_lists_them_and_asks(
    as_dana: Client, campaign: Campaign, dana: User
) -> None:
    done = CrowdSessionFactory(study__campaign=campaign, status="completed")
    entry = LedgerEntryFactory(worker=done.participant.worker, budget=campaign.public_id)
    SessionCredit.objects.create(session=done, unit=entry.unit)
    pay.approve_entries(campaign=campaign, by=dana)
    key = uuid.uuid4()
    payout = pay.export_payout(campaign=campaign, provider="platform", client_key=key, by=dana)
    report(done, "rejected")
    at, paid = (reverse(name, args=[payout.public_id]) for name in ("payout", "payout-paid"))
    shown = as_dana.get(at)
    assert "Reports that contradict this payout" in words(shown)
    assert "completed rejected" in words(shown)
    assert "I have compared the 1 contradicting report" in words(shown)
    assert "Reports that contradict the pay" in words(as_dana.get(page("campaign-pay")))
    values = {"reports": shown.context["reports"]}
    assert as_dana.post(paid, values).status_code == 409
    assert as_dana.post(paid, values | {"confirmed": "on"}).status_code == 302
    assert "Reports that contradict this payout" in words(as_dana.get(at))


def test_turkers_whom_no_bonus_reaches_are_listed(
    as_dana: Client, campaign: Campaign, dana: User
) -> None:
    left = CrowdSessionFactory(study__campaign=campaign, study__provider="mturk", status="returned")
    LedgerEntryFactory(worker=left.participant.worker, budget=campaign.public_id)
    pay.approve_entries(campaign=campaign, by=dana)
    text = words(as_dana.get(page("campaign-pay")))
    assert f"“any, as CSV”. {left.participant.worker.public_id} $" in text


def test_nothing_to_pay_is_told_on_the_page(as_dana: Client, twin: LedgerEntry) -> None:
    sent = {"client_key": str(uuid.uuid4()), "provider": "any"}
    refused = as_dana.post(page("new-payout"), sent)
    assert refused.status_code == 409
    assert "Approve entries first" in words(refused)


def test_only_platforms_that_the_campaign_knows_are_offered(
    as_dana: Client, campaign: Campaign
) -> None:
    assert 'value="prolific"' not in source(as_dana.get(page("campaign-pay")))
    StudyFactory(campaign=campaign, provider="prolific")
    text = source(as_dana.get(page("campaign-pay")))
    assert 'value="prolific"' in text
    assert 'value="platform"' in text
    assert 'value="mturk"' not in text


def test_approved_pay_that_cannot_go_out_is_shown_with_the_reason(
    as_dana: Client, alice: User, campaign: Campaign
) -> None:
    LedgerEntryFactory(worker=alice, budget=campaign.public_id)
    LedgerEntryFactory(
        worker=alice, kind="adjustment", amount=Decimal("-1.03"), budget=campaign.public_id
    )
    study = StudyFactory(campaign=campaign, provider="prolific")
    session = CrowdSessionFactory(study=study)
    inside = LedgerEntryFactory(
        worker=session.participant.worker, unit=str(uuid.uuid4()), budget=campaign.public_id
    )
    SessionCredit.objects.create(session=session, unit=inside.unit)
    assert "waits" not in words(as_dana.get(page("campaign-pay")))
    as_dana.post(page("approve-pay"))
    text = words(as_dana.get(page("campaign-pay")))
    assert "Not included: 1 worker with a negative balance of −$1.00" in text
    assert "$0.03 approved for 1 worker is on hold: it belongs to an active session" in text


def test_the_page_of_a_person_leads_to_their_pay(
    as_dana: Client, alice: User, twin: LedgerEntry
) -> None:
    found = as_dana.get(reverse("person", args=[alice.public_id]))
    assert "Kitchen $0.40 $0.00 $0.00" in words(found)
    assert f'href="{page("worker-pay", alice.public_id)}"' in source(found)


def test_a_bonus_is_given_with_a_reason_that_its_worker_reads(
    as_dana: Client, alice: User, as_alice: Client, campaign: Campaign
) -> None:
    ConsentFactory(worker=alice)
    sent = {
        "client_key": str(uuid.uuid4()),
        "kind": "bonus",
        "amount": "2.00",
        "reason": "The best <triggers>.",
    }
    for _ in range(2):
        assert as_dana.post(page("give-extra", alice.public_id), sent).status_code == 302
    assert LedgerEntry.objects.get().amount == Decimal("2.00")
    mine = as_alice.get(reverse("my-pay"))
    assert "The best <triggers>." in words(mine)
    assert "<triggers>" not in source(mine)


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": "0"},
        {"amount": "-1"},
        {"amount": "NaN"},
        {"amount": "1e400"},
        {"amount": "1e2"},
        {"amount": "500.01"},
        {"reason": " "},
        {"reason": "a\x00b"},
        {"client_key": "x"},
        {"kind": "gold"},
    ],
)
def test_a_bonus_that_cannot_be_is_told(
    wrong: dict[str, str], as_dana: Client, alice: User, campaign: Campaign
) -> None:
    ConsentFactory(worker=alice)
    sent = {"client_key": str(uuid.uuid4()), "kind": "bonus", "amount": "1", "reason": "Good."}
    response = as_dana.post(page("give-extra", alice.public_id), sent | wrong)
    assert response.status_code == 400
    assert not LedgerEntry.objects.exists()


def test_an_entry_is_voided_from_its_workers_page(
    as_dana: Client, alice: User, twin: LedgerEntry
) -> None:
    assert "Void …" in words(as_dana.get(page("worker-pay", alice.public_id)))
    sent = {"kind": "twin", "unit": twin.unit, "reason": "A test."}
    for _ in range(2):
        assert as_dana.post(page("void-entry", alice.public_id), sent).status_code == 302
    text = words(as_dana.get(page("worker-pay", alice.public_id)))
    assert "Void …" not in text
    assert alice.ledger.total() == 0
    totals = as_dana.get(page("campaign-pay")).context["totals"]
    void = totals[list(LedgerEntry.State).index(LedgerEntry.State.VOID)]
    assert (void.count, totals[-1].count) == (2, 0)
    for broken in ({**sent, "unit": "none"}, {**sent, "unit": "\x00"}, {**sent, "reason": ""}):
        assert as_dana.post(page("void-entry", alice.public_id), broken).status_code in (400, 404)


def test_a_worker_is_found_by_the_pseudonym(
    as_dana: Client, alice: User, campaign: Campaign
) -> None:
    ConsentFactory(worker=alice, guideline__campaign=campaign)
    found = as_dana.get(page("campaign-pay"), {"worker": alice.public_id})
    assert found["Location"] == page("worker-pay", alice.public_id)
    for name in ("w-none", "\x00", "%", "<b>"):
        response = as_dana.get(page("campaign-pay"), {"worker": name})
        assert response.status_code == 200
    assert "There is no worker w-none." in words(
        as_dana.get(page("campaign-pay"), {"worker": "w-none"})
    )


def test_a_preview_reckons_by_the_campaigns_rates(as_dana: Client, campaign: Campaign) -> None:
    asked = {"twins": "100", "people": "4", "extra_percent": "0"}
    text = words(as_dana.get(page("campaign-pay"), asked))
    assert "twins 100 $0.40 $40.00" in text
    assert "votes 600 $0.03 $18.00" in text
    assert "training and test 4 $0.50 $2.00" in text
    assert "Total $0.60 per twin $60.00" in text
    for odd in ("-1", "x", "9" * 30, "\x00"):
        assert as_dana.get(page("campaign-pay"), {**asked, "twins": odd}).status_code == 200


def test_a_preview_asks_for_extra_votes_only_where_the_campaign_has_some(
    as_dana: Client, campaign: Campaign
) -> None:
    assert "Extra votes" not in words(as_dana.get(page("campaign-pay")))
    Campaign.objects.update(extra_votes_max=2)
    asked = {"twins": "100", "people": "0", "extra_percent": "10"}
    text = words(as_dana.get(page("campaign-pay"), asked))
    assert "Extra votes, in %" in text
    assert "extra votes, expected 40 $0.03" in text


def test_a_preview_counts_no_control_questions_where_all_are_retired(
    as_dana: Client, campaign: Campaign
) -> None:
    Campaign.objects.update(gold_share=Decimal("0.05"))
    expected = "control questions, expected 32 $0.03"
    asked = {"twins": "100", "people": "0", "extra_percent": "0"}
    assert expected in words(as_dana.get(page("campaign-pay"), asked))
    gold = GoldQuestion.objects.create(
        campaign=campaign,
        question=TwinFactory(campaign=campaign).questions.get(number=1),
        origin="chosen",
    )
    assert expected in words(as_dana.get(page("campaign-pay"), asked))
    GoldQuestion.objects.filter(pk=gold.pk).update(retired_at=timezone.now())
    assert "control questions, expected" not in words(as_dana.get(page("campaign-pay"), asked))


def test_whether_the_sums_tie_is_told_with_what_does_not(
    as_dana: Client, alice: User, campaign: Campaign
) -> None:
    text = words(as_dana.get(page("pay-check")))
    assert "The ledger is consistent" in text
    assert "each piece of work that was done here for pay has exactly one" in text
    LedgerEntryFactory(worker=alice, budget=campaign.public_id)
    text = words(as_dana.get(page("pay-check"), headers=HTMX))
    assert "The ledger is not consistent." in text
    assert "An entry for work that does not exist." in text
    assert alice.public_id in text


def test_a_gold_question_is_a_validated_question_to_its_validator(
    alice: User, as_alice: Client, campaign: Campaign
) -> None:
    LedgerEntryFactory(worker=alice, kind="gold", budget=campaign.public_id)
    for path in (reverse("my-pay"), reverse("my-work"), reverse("my-pay-file")):
        response = as_alice.get(path)
        text = response.getvalue().decode() if response.streaming else source(response)
        assert "gold" not in text.lower()
    assert "question validated" in source(as_alice.get(reverse("my-pay")))


def test_a_statement_is_of_the_days_and_the_campaign_asked_for(
    alice: User, as_alice: Client, campaign: Campaign, twin: LedgerEntry
) -> None:
    LedgerEntryFactory(worker=alice)
    LedgerEntryFactory()
    lines = as_alice.get(reverse("my-pay-file")).getvalue().decode().splitlines()
    assert len(lines) == 3
    [_, line] = (
        as_alice.get(reverse("my-pay-file"), {"campaign": "kitchen"})
        .getvalue()
        .decode()
        .splitlines()
    )
    assert f"twin,{twin.unit},Kitchen,0.40,USD,accrued," in line
    for days in ({"until": "2001-01-01"}, {"since": "9999-12-31"}, {"since": "0001-01-01"}):
        assert as_alice.get(reverse("my-pay"), days).status_code == 200
    assert "No pay matches." in words(as_alice.get(reverse("my-pay"), {"until": "2001-01-01"}))
    for odd in ({"campaign": "\x00"}, {"since": "x"}, {"until": "9999-12-31"}, {"pay": "x"}):
        assert as_alice.get(reverse("my-pay"), odd).status_code == 200


@pytest.mark.parametrize("name", ["campaign-pay", "pay-check", "my-pay", "worker-pay"])
def test_pages_of_pay_ask_as_much_for_many_entries_as_for_few(
    name: str, campaign: Campaign, alice: User, dana: User, browse: Callable[[User], Client]
) -> None:
    client = browse(alice if name == "my-pay" else dana)
    args = {"my-pay": [], "worker-pay": ["kitchen", alice.public_id]}.get(name, ["kitchen"])

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(reverse(name, args=args)).status_code == 200
        return len(captured)

    LedgerEntryFactory.create_batch(2, worker=alice, budget=campaign.public_id)
    few = queries()
    LedgerEntryFactory.create_batch(20, worker=alice, budget=campaign.public_id, by=UserFactory())
    assert queries() == few <= 16


def test_a_used_up_budget_is_told_where_work_is_listed(
    as_alice: Client, campaign: Campaign
) -> None:
    assert "can pay for" not in words(as_alice.get("/"))
    Campaign.objects.update(budget_cap=Decimal("0.57"))
    assert "All articles that this campaign can pay for" in words(as_alice.get("/"))
    refused = as_alice.get(reverse("author", args=["kitchen"]))
    assert "All work that this campaign can pay for" in words(refused)


def test_large_pay_waits_on_the_page_for_another_curator(
    as_dana: Client, alice: User, campaign: Campaign, browse: Callable[[User], Client]
) -> None:
    Campaign.objects.update(second_approval_above=Decimal("50.00"))
    as_erin = browse(UserFactory(curator=True))
    ConsentFactory(worker=alice)
    sent = {"client_key": str(uuid.uuid4()), "kind": "bonus", "amount": "60", "reason": "So."}
    given = as_dana.post(page("give-extra", alice.public_id), sent, follow=True)
    assert "Another curator has to approve it before it is paid." in words(given)
    assert "waits for a second curator" in words(given)
    assert "Waiting for a second curator" in words(as_dana.get(page("campaign-pay")))
    assert "You wrote this; another curator approves it." in words(
        as_dana.get(page("campaign-pay"))
    )
    one = {"kind": "bonus", "unit": LedgerEntry.objects.get().unit}
    assert as_dana.post(page("approve-extra"), one).status_code == 403
    assert one["unit"] in source(as_erin.get(page("campaign-pay")))
    assert as_erin.post(page("approve-extra"), one).status_code == 302
    assert "Waiting for a second curator" not in words(as_dana.get(page("campaign-pay")))
    assert "approved by" in words(as_dana.get(page("worker-pay", alice.public_id)))
    as_dana.post(page("approve-pay"))
    made = as_dana.post(page("new-payout"), {"client_key": str(uuid.uuid4()), "provider": "any"})
    shown = words(as_dana.get(made["Location"]))
    assert "You created this payout, so you cannot approve it." in shown
    assert "Amounts per worker (CSV)" not in shown
    assert "Mark as paid" not in shown
    assert "Review" in words(as_erin.get(page("campaign-pay")))
    payout = Payout.objects.get()
    file = reverse("payout-file", args=[payout.public_id, f"payout-{payout.public_id}.csv"])
    assert as_dana.get(file).status_code == 409
    assert "Approve $60.00" in words(as_erin.get(made["Location"]))
    at = reverse("approve-payout", args=[payout.public_id])
    assert as_dana.post(at).status_code == 403
    assert as_erin.post(at).status_code == 302
    assert "Amounts per worker (CSV)" in words(as_dana.get(made["Location"]))
    assert as_dana.get(file).status_code == 200


def test_a_cancelled_payout_that_nobody_approved_shows_no_files(
    as_dana: Client, twin: LedgerEntry
) -> None:
    Campaign.objects.update(second_approval_above=Decimal("0.00"))
    as_dana.post(page("approve-pay"))
    as_dana.post(page("new-payout"), {"client_key": str(uuid.uuid4()), "provider": "any"})
    payout = Payout.objects.get()
    assert payout.needs_second_approval
    one = as_dana.post(reverse("cancel-payout", args=[payout.public_id]), follow=True)
    assert "Amounts per worker (CSV)" not in words(one)
    assert "Waiting for a second curator" not in words(one)
    file = reverse("payout-file", args=[payout.public_id, f"payout-{payout.public_id}.csv"])
    assert as_dana.get(file).status_code == 409


def test_a_download_marks_nothing_as_paid(as_dana: Client, twin: LedgerEntry) -> None:
    as_dana.post(page("approve-pay"))
    made = as_dana.post(page("new-payout"), {"client_key": str(uuid.uuid4()), "provider": "any"})
    payout = Payout.objects.get()
    file = reverse("payout-file", args=[payout.public_id, f"payout-{payout.public_id}.csv"])
    assert as_dana.get(file).getvalue()
    payout.refresh_from_db()
    assert (payout.status, payout.ended_by) == ("exported", None)
    assert "not paid yet" in words(as_dana.get(made["Location"]))


def test_what_is_overpaid_is_told_and_pay_waits_for_its_deductions(
    as_dana: Client, alice: User, campaign: Campaign, twin: LedgerEntry
) -> None:
    Campaign.objects.update(budget_cap=Decimal("2.00"))
    as_dana.post(page("approve-pay"))
    sent = {"kind": "adjustment", "amount": "-1.00", "reason": "So."}
    as_dana.post(page("give-extra", alice.public_id), sent | {"client_key": str(uuid.uuid4())})
    text = words(as_dana.get(page("campaign-pay")))
    assert "Overpaid $0.60" in text
    assert "Not included: $0.40 of 1 worker with a deduction that is not approved yet." in text
