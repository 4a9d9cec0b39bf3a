"""ledger/: who is owed what."""

from decimal import Decimal

from rest_framework.test import APIClient

from tests.api.calls import API, assert_error, ok
from tests.factories import CampaignFactory, LedgerEntryFactory, SettlementFactory
from workers.api.filters import LedgerFilter
from workers.models import User


def test_workers_see_their_own_pay_and_curators_everybodys(
    alice: User, as_alice: APIClient, as_carol: APIClient, as_dana: APIClient
) -> None:
    entry = LedgerEntryFactory(worker=alice, kind="twin", amount=Decimal("0.40"))
    [row] = ok(as_alice.get(f"{API}ledger/"))["results"]
    assert (row["amount"], row["currency"], row["unit"]) == ("0.40", "USD", entry.unit)
    assert row["worker"] == alice.public_id
    assert ok(as_carol.get(f"{API}ledger/"))["results"] == []
    assert len(ok(as_dana.get(f"{API}ledger/"))["results"]) == 1


def test_the_summary_adds_up_by_kind_and_currency(alice: User, as_alice: APIClient) -> None:
    LedgerEntryFactory.create_batch(3, worker=alice)
    LedgerEntryFactory(worker=alice, currency="EUR")
    LedgerEntryFactory()
    assert ok(as_alice.get(f"{API}ledger/summary/")) == [
        {"kind": "vote", "state": "accrued", "currency": "EUR", "count": 1, "sum": "0.03"},
        {"kind": "vote", "state": "accrued", "currency": "USD", "count": 3, "sum": "0.09"},
    ]


def test_the_ledger_is_filtered_by_kind_and_campaign(alice: User, as_alice: APIClient) -> None:
    vote = LedgerEntryFactory(worker=alice)
    twin = LedgerEntryFactory(worker=alice, kind="twin")
    [row] = ok(as_alice.get(f"{API}ledger/?kind=twin"))["results"]
    assert row["unit"] == twin.unit
    [row] = ok(as_alice.get(f"{API}ledger/?campaign={vote.budget}"))["results"]
    assert row["unit"] == vote.unit
    named = LedgerEntryFactory(worker=alice, budget=CampaignFactory(slug="winter").public_id)
    [row] = ok(as_alice.get(f"{API}ledger/?campaign=winter"))["results"]
    assert row["unit"] == named.unit
    assert ok(as_alice.get(f"{API}ledger/?campaign=summer"))["results"] == []


def test_a_gold_question_is_a_vote_to_its_validator_and_gold_to_curators(
    alice: User, as_alice: APIClient, as_dana: APIClient
) -> None:
    LedgerEntryFactory(worker=alice)
    gold = LedgerEntryFactory(worker=alice, kind="gold")
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
