"""Approving, extra pay, payouts, statements, budgets and the check, over HTTP."""

import csv
import io
import uuid
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign
from tests.api.calls import API, assert_error, ok
from tests.factories import (
    CampaignFactory,
    ConsentFactory,
    LedgerEntryFactory,
    SettlementFactory,
    UserFactory,
)
from workers.api.filters import LedgerFilter
from workers.models import LedgerEntry, User

IN_WINTER = f"{API}campaigns/winter/"


@pytest.fixture(autouse=True)
def consent_of_alice(alice: User, campaign: Campaign) -> None:
    """Alice has accepted the guidelines, so the campaign's curators know her."""
    ConsentFactory(worker=alice, guideline__campaign=campaign)


@pytest.fixture
def twin(alice: User, campaign: Campaign) -> LedgerEntry:
    return LedgerEntryFactory(
        worker=alice, kind="twin", amount=Decimal("0.40"), budget=campaign.public_id
    )


def key() -> str:
    return str(uuid.uuid4())


def test_pay_goes_from_accrued_to_paid(
    alice: User, as_alice: APIClient, as_dana: APIClient, twin: LedgerEntry
) -> None:
    assert ok(as_dana.post(f"{IN_WINTER}approve/", {})) == {"approved": 1}
    assert ok(as_dana.post(f"{IN_WINTER}approve/", {})) == {"approved": 0}
    sent = {"client_key": key(), "provider": "any"}
    made = ok(as_dana.post(f"{IN_WINTER}payouts/", sent), 201)
    assert ok(as_dana.post(f"{IN_WINTER}payouts/", sent), 201) == made
    assert (made["status"], made["sum"], made["n_workers"]) == ("exported", "0.40", 1)
    one = f"{API}payouts/{made['id']}/"
    file = as_dana.get(f"{one}files/{made['files'][0]['name']}")
    assert file["Content-Type"].startswith("text/csv")
    [row] = csv.DictReader(io.StringIO(file.getvalue().decode()))
    assert (row["worker"], row["amount"]) == (alice.public_id, "0.40")
    assert ok(as_dana.post(f"{one}paid/"))["status"] == "paid"
    assert_error(as_dana.post(f"{one}cancel/"), 409, "payout_paid")
    assert ok(as_dana.get(one))["status"] == "paid"
    [listed] = ok(as_dana.get(f"{API}payouts/?status=paid&campaign={made['campaign']}"))["results"]
    assert listed["id"] == made["id"]
    [balance] = ok(as_alice.get(f"{API}me/statement/"))["campaigns"]
    assert (balance["paid"], balance["owed"]) == ("0.40", "0.00")


def test_one_workers_pay_is_approved_alone(
    alice: User, as_dana: APIClient, twin: LedgerEntry, campaign: Campaign
) -> None:
    LedgerEntryFactory(budget=campaign.public_id)
    asked = {"worker": alice.public_id, "until": "2100-01-01T00:00:00Z"}
    assert ok(as_dana.post(f"{IN_WINTER}approve/", asked)) == {"approved": 1}
    details = assert_error(as_dana.post(f"{IN_WINTER}approve/", {"worker": "w-0"}), 400, "invalid")
    assert set(details["fields"]) == {"worker"}


@pytest.mark.parametrize(("path", "amount"), [("bonuses", "2.00"), ("adjustments", "-2.00")])
def test_extra_pay_is_owed_once_for_a_key(
    path: str, amount: str, alice: User, as_dana: APIClient, campaign: Campaign
) -> None:
    sent = {"client_key": key(), "worker": alice.public_id, "amount": amount, "reason": "Why."}
    first = ok(as_dana.post(f"{IN_WINTER}{path}/", sent), 201)
    assert ok(as_dana.post(f"{IN_WINTER}{path}/", sent), 201) == first
    assert (first["amount"], first["note"], first["state"]) == (amount, "Why.", "accrued")
    assert LedgerEntry.objects.count() == 1
    other = sent | {"reason": "Another."}
    assert_error(as_dana.post(f"{IN_WINTER}{path}/", other), 409, "client_key_used")


def test_extra_pay_beyond_the_budget_is_refused(
    alice: User, as_dana: APIClient, campaign: Campaign
) -> None:
    Campaign.objects.update(budget_cap=1)
    sent = {"client_key": key(), "worker": alice.public_id, "amount": "1.01", "reason": "Why."}
    assert_error(as_dana.post(f"{IN_WINTER}bonuses/", sent), 409, "budget_exhausted")


def test_an_entry_is_voided_by_its_unit(
    alice: User, as_dana: APIClient, twin: LedgerEntry, campaign: Campaign
) -> None:
    sent = {"worker": alice.public_id, "kind": "twin", "unit": twin.unit, "reason": "A test."}
    cancel = ok(as_dana.post(f"{IN_WINTER}void/", sent), 201)
    assert (cancel["amount"], cancel["state"]) == ("-0.40", "void")
    assert_error(as_dana.post(f"{IN_WINTER}void/", sent | {"unit": "x"}), 404, "not_found")
    elsewhere = LedgerEntryFactory(worker=alice)
    other = sent | {"kind": "vote", "unit": elsewhere.unit}
    assert_error(as_dana.post(f"{IN_WINTER}void/", other), 404, "not_found")


def test_what_is_exported_is_not_voided(alice: User, as_dana: APIClient, twin: LedgerEntry) -> None:
    ok(as_dana.post(f"{IN_WINTER}approve/", {}))
    ok(as_dana.post(f"{IN_WINTER}payouts/", {"client_key": key(), "provider": "any"}), 201)
    sent = {"worker": alice.public_id, "kind": "twin", "unit": twin.unit, "reason": "A test."}
    assert_error(as_dana.post(f"{IN_WINTER}void/", sent), 409, "entry_settled")


def test_the_budget_and_a_preview_are_told(as_dana: APIClient, twin: LedgerEntry) -> None:
    Campaign.objects.update(budget_cap=Decimal("2.00"))
    state = ok(as_dana.get(f"{IN_WINTER}budget/"))
    told = {
        "cap": "2.00",
        "owed": "0.40",
        "overpaid": "0.00",
        "promised": "0.00",
        "committed": "0.40",
    }
    assert state == {
        "currency": "USD", **told, "left": "1.60", "twin": "0.58", "twins_left": 2,
    }  # fmt: skip
    cost = ok(as_dana.get(f"{IN_WINTER}cost/?twins=10&people=1"))
    assert (cost["total"], cost["per_twin"]) == ("6.30", "0.63")
    for query in ("", "twins=-1", "twins=x", f"twins={'9' * 400}", "twins=1&extra_share=2"):
        assert_error(as_dana.get(f"{IN_WINTER}cost/?{query}"), 400, "invalid")


def test_hourly_rates_are_told_with_their_n(as_dana: APIClient, campaign: Campaign) -> None:
    rates = ok(as_dana.get(f"{IN_WINTER}hourly-rates/"))
    assert rates["writing"] == {
        "median": None, "low": None, "high": None, "n_workers": 0, "n_units": 0, "below": [],
    }  # fmt: skip


def test_the_check_names_what_does_not_tie(
    alice: User, as_dana: APIClient, twin: LedgerEntry
) -> None:
    found = ok(as_dana.get(f"{API}ledger/check/?campaign=winter"))
    assert (found["reconciled"], found["counts"]) == (False, {"twin": 1})
    [problem] = found["problems"]
    assert problem["code"] == "without_work"
    assert problem["examples"][0]["worker"] == alice.public_id
    assert_error(as_dana.get(f"{API}ledger/check/"), 400, "invalid")  # admins check all of them
    assert_error(as_dana.get(f"{API}ledger/check/?campaign=summer"), 404, "not_found")


def test_a_statement_is_ones_own_and_of_the_time_asked_for(
    alice: User, as_alice: APIClient, as_carol: APIClient, as_dana: APIClient, twin: LedgerEntry
) -> None:
    SettlementFactory(entry=LedgerEntryFactory(worker=alice, budget=twin.budget))
    [mine] = ok(as_alice.get(f"{API}me/statement/?campaign={twin.budget}"))["campaigns"]
    assert ok(as_alice.get(f"{API}me/statement/?campaign=winter"))["campaigns"] == [mine]
    assert ok(as_alice.get(f"{API}me/statement/?campaign=summer"))["campaigns"] == []
    assert (mine["accrued"], mine["approved"], mine["owed"]) == ("0.40", "0.03", "0.43")
    assert ok(as_carol.get(f"{API}me/statement/"))["campaigns"] == []
    theirs = ok(as_dana.get(f"{API}workers/{alice.public_id}/statement/"))
    assert (theirs["worker"], theirs["campaigns"]) == (alice.public_id, [mine])
    lines = as_dana.get(f"{API}workers/{alice.public_id}/statement.csv").getvalue().decode()
    assert len(lines.splitlines()) == 3
    assert ok(as_alice.get(f"{API}me/statement/?until=2001-01-01T00:00:00Z"))["campaigns"] == []
    for query in ("since=x", "campaign=%00", "until=0000-00-00"):
        assert_error(as_alice.get(f"{API}me/statement/?{query}"), 400, "invalid")


@pytest.mark.parametrize(
    "wrong",
    [
        {"amount": "NaN"}, {"amount": "1e30"}, {"amount": "0"}, {"amount": "-1"},
        {"amount": 10**400}, {"client_key": "x"}, {"worker": "w-\x00"}, {"worker": None},
        {"reason": " "}, {"reason": "\udfff"}, {"reason": "x" * 301},
    ],
)  # fmt: skip
def test_a_bonus_that_cannot_be_is_refused_and_nothing_is_owed(
    wrong: dict[str, Any], alice: User, as_dana: APIClient, campaign: Campaign
) -> None:
    sent = {"client_key": key(), "worker": alice.public_id, "amount": "1.00", "reason": "Why."}
    assert_error(as_dana.post(f"{IN_WINTER}bonuses/", sent | wrong), 400, "invalid")
    assert not LedgerEntry.objects.exists()


@pytest.mark.parametrize("amount", ["1e2", 1.5, "500.01", " 1 "])
@pytest.mark.parametrize("path", ["bonuses", "adjustments"])
def test_extra_pay_has_one_format_and_a_limit(
    path: str, amount: Any, alice: User, as_dana: APIClient, campaign: Campaign
) -> None:
    sent = {"client_key": key(), "worker": alice.public_id, "amount": amount, "reason": "Why."}
    details = assert_error(as_dana.post(f"{IN_WINTER}{path}/", sent), 400, "invalid")
    assert set(details["fields"]) == {"amount"}


@pytest.mark.parametrize(
    "name",
    ["reward_twin", "reward_vote", "reward_exercise", "budget_cap", "hourly_floor",
     "second_approval_above"],
)  # fmt: skip
def test_settings_take_amounts_in_the_same_format(
    name: str, as_dana: APIClient, campaign: Campaign
) -> None:
    for wrong in ("1e2", " 1", "-1", "0.001", 0.5):
        details = assert_error(as_dana.patch(IN_WINTER, {name: wrong}), 400, "invalid")
        assert set(details["fields"]) == {name}
    assert ok(as_dana.patch(IN_WINTER, {name: "7.5"}))[name] == "7.50"


@pytest.mark.parametrize("name", ["reward_twin", "reward_vote", "reward_exercise"])
def test_a_rate_keeps_to_the_limit_of_an_entry(
    name: str, as_dana: APIClient, campaign: Campaign
) -> None:
    details = assert_error(as_dana.patch(IN_WINTER, {name: "500.01"}), 400, "invalid")
    assert set(details["fields"]) == {name}


def test_large_pay_waits_for_a_second_curator(
    alice: User, as_dana: APIClient, as_alice: APIClient, campaign: Campaign
) -> None:
    ok(as_dana.patch(IN_WINTER, {"second_approval_above": "50.00"}))
    as_erin = APIClient()
    as_erin.force_authenticate(UserFactory(curator=True))
    sent = {"client_key": key(), "worker": alice.public_id, "amount": "60", "reason": "Why."}
    made = ok(as_dana.post(f"{IN_WINTER}bonuses/", sent), 201)
    assert made["awaits_second_approval"]
    ok(as_dana.post(f"{IN_WINTER}approve/", {}))
    [waits] = ok(as_dana.get(f"{API}ledger/?awaits_second_approval=true"))["results"]
    assert waits["unit"] == made["unit"]
    assert ok(as_dana.get(f"{API}ledger/?awaits_second_approval=false"))["results"] == []
    asked = {"client_key": key(), "provider": "any"}
    assert_error(as_dana.post(f"{IN_WINTER}payouts/", asked), 409, "nothing_to_pay")
    one = {"kind": "bonus", "unit": made["unit"]}
    assert_error(as_dana.post(f"{IN_WINTER}second-approvals/", one), 403, "own_pay")
    assert_error(as_alice.post(f"{IN_WINTER}second-approvals/", one), 403, "permission_denied")
    done = ok(as_erin.post(f"{IN_WINTER}second-approvals/", one))
    assert not done["awaits_second_approval"]
    payout = ok(as_dana.post(f"{IN_WINTER}payouts/", asked), 201)
    assert payout["awaits_second_approval"]
    at = f"{API}payouts/{payout['id']}/"
    assert payout["files"] == []
    file = f"{at}files/payout-{payout['id']}.csv"
    assert_error(as_dana.get(file), 409, "second_approval_missing")
    assert_error(as_dana.post(f"{at}paid/"), 409, "second_approval_missing")
    assert_error(as_dana.post(f"{at}second-approval/"), 403, "own_pay")
    [listed] = ok(as_dana.get(f"{API}payouts/?awaits_second_approval=true"))["results"]
    assert listed["id"] == payout["id"]
    assert ok(as_erin.post(f"{at}second-approval/"))["second_approval_by"]
    assert as_dana.get(file).status_code == 200
    assert ok(as_dana.post(f"{at}paid/"))["status"] == "paid"


def test_a_curator_cannot_raise_the_sum_alone(as_dana: APIClient, campaign: Campaign) -> None:
    ok(as_dana.patch(IN_WINTER, {"second_approval_above": "50.00"}))
    for more in ("50.01", None):
        sent = {"second_approval_above": more}
        assert_error(as_dana.patch(IN_WINTER, sent), 409, "second_approval_kept")


def test_four_of_the_largest_amounts_are_no_server_error(
    alice: User, as_dana: APIClient, campaign: Campaign
) -> None:
    for amount in ["9999999999.99"] * 4 + ["500.00"] * 4:
        sent = {"client_key": key(), "worker": alice.public_id, "amount": amount, "reason": "Why."}
        as_dana.post(f"{IN_WINTER}bonuses/", sent)
    ok(as_dana.post(f"{IN_WINTER}approve/", {}))
    made = ok(as_dana.post(f"{IN_WINTER}payouts/", {"client_key": key(), "provider": "any"}), 201)
    assert made["sum"] == "2000.00"


def test_workers_see_their_own_pay_and_members_that_of_their_campaigns(
    alice: User, as_alice: APIClient, as_carol: APIClient, as_dana: APIClient
) -> None:
    budget = CampaignFactory().public_id
    entry = LedgerEntryFactory(worker=alice, kind="twin", amount=Decimal("0.40"), budget=budget)
    [row] = ok(as_alice.get(f"{API}ledger/"))["results"]
    assert (row["amount"], row["currency"], row["unit"]) == ("0.40", "USD", entry.unit)
    assert row["worker"] == alice.public_id
    assert ok(as_carol.get(f"{API}ledger/"))["results"] == []
    LedgerEntryFactory()  # of a campaign of others
    assert len(ok(as_dana.get(f"{API}ledger/"))["results"]) == 1


def test_the_summary_adds_up_by_kind_and_currency(alice: User, as_alice: APIClient) -> None:
    LedgerEntryFactory.create_batch(3, worker=alice)
    LedgerEntryFactory(worker=alice, currency="EUR")
    LedgerEntryFactory()
    assert ok(as_alice.get(f"{API}ledger/summary/")) == [
        {"kind": "vote", "state": "accrued", "currency": "EUR", "count": 1, "sum": "0.03"},
        {"kind": "vote", "state": "accrued", "currency": "USD", "count": 3, "sum": "0.09"},
    ]


def test_the_ledger_is_filtered_by_kind_and_campaign(
    alice: User, as_alice: APIClient, campaign: Campaign
) -> None:
    vote = LedgerEntryFactory(worker=alice)
    twin = LedgerEntryFactory(worker=alice, kind="twin")
    [row] = ok(as_alice.get(f"{API}ledger/?kind=twin"))["results"]
    assert row["unit"] == twin.unit
    [row] = ok(as_alice.get(f"{API}ledger/?campaign={vote.budget}"))["results"]
    assert row["unit"] == vote.unit
    named = LedgerEntryFactory(worker=alice, budget=campaign.public_id)
    [row] = ok(as_alice.get(f"{API}ledger/?campaign=winter"))["results"]
    assert row["unit"] == named.unit
    assert ok(as_alice.get(f"{API}ledger/?campaign=summer"))["results"] == []


def test_a_gold_question_is_a_vote_to_its_validator_and_gold_to_curators(
    alice: User, as_alice: APIClient, as_dana: APIClient
) -> None:
    LedgerEntryFactory(worker=alice)
    gold = LedgerEntryFactory(worker=alice, kind="gold", budget=CampaignFactory().public_id)
    for query in ("", "?kind=vote"):
        rows = ok(as_alice.get(f"{API}ledger/{query}"))["results"]
        assert [row["kind"] for row in rows] == ["vote", "vote"]
    [row] = ok(as_alice.get(f"{API}ledger/summary/"))
    assert (row["kind"], row["count"], row["sum"]) == ("vote", 2, "0.06")
    assert "gold" not in as_alice.get(f"{API}me/statement.csv").getvalue().decode()
    [row] = ok(as_dana.get(f"{API}ledger/?kind=gold"))["results"]
    assert (row["kind"], row["unit"]) == ("gold", gold.unit)


def test_entries_say_how_far_they_have_come_and_why(alice: User, as_alice: APIClient) -> None:
    entry = LedgerEntryFactory(worker=alice, note="The best triggers.")
    SettlementFactory(entry=entry)
    LedgerEntryFactory(worker=alice)
    [row] = ok(as_alice.get(f"{API}ledger/?state=approved"))["results"]
    assert (row["state"], row["note"]) == ("approved", "The best triggers.")
    [row] = ok(as_alice.get(f"{API}ledger/?state=accrued"))["results"]
    assert (row["state"], row["note"]) == ("accrued", "")


def test_a_malformed_filter_is_refused(as_alice: APIClient) -> None:
    # As after the API's description was read in this process: the field of all kinds is kept.
    assert "gold" in dict(LedgerFilter.base_filters["kind"].field.choices)
    for query in ("kind=gold", "kind=king", "state=x", "campaign=%00", "worker=%00"):
        details = assert_error(as_alice.get(f"{API}ledger/?{query}"), 400, "invalid")
        assert set(details["fields"]) == {query.partition("=")[0]}


def test_pages_follow_one_another_without_gap_or_repeat(alice: User, as_alice: APIClient) -> None:
    LedgerEntryFactory.create_batch(5, worker=alice)
    url, seen = f"{API}ledger/?page_size=2", []
    while url:
        page = ok(as_alice.get(url))
        seen += [row["unit"] for row in page["results"]]
        url = page["next"]
    assert len(seen) == len(set(seen)) == 5


def test_a_cursor_that_no_page_gave_out_is_not_found(as_alice: APIClient) -> None:
    # base64 of "p=x", "p=-1", "p=" and a number beyond any key; then no base64 at all.
    for cursor in ("cD14", "cD0tMQ==", "cD0=", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OQ==", "é"):
        assert_error(as_alice.get(f"{API}ledger/?cursor={cursor}"), 404, "not_found")
