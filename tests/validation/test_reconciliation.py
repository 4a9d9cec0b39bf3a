"""Whether the ledger is reconciled: everything that can be wrong is broken here, and named."""

import uuid
from collections.abc import Callable
from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from collection import services as collection
from collection.models import Campaign, Twin
from collection.selectors.exercise import order_shown
from collection.services.campaigns import pay
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    ExerciseItemFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
)
from tests.writing import submit, with_word
from validation.models import GoldQuestion, Vote
from validation.selectors.reconciliation import PROBLEMS, check_ledger
from validation.services import withdraw_twin
from workers import services as workers
from workers.models import LedgerEntry, Payout, User


def write(worker: User, campaign: Campaign, word: str) -> Twin:
    held = collection.request_assignment(worker=worker, campaign=campaign)
    return submit(held, **with_word(word))


def vote(twin: Twin, *, gold: bool = False) -> Vote:
    question, bob = twin.questions.get(number=1), UserFactory()
    chosen = None
    if gold:
        chosen = GoldQuestion.objects.create(
            campaign=twin.campaign, question=question, origin="chosen"
        )
    seat = SeatFactory(
        question=question,
        worker=bob,
        opened=True,
        gold=chosen,
        number=None if gold else 90 + question.seats.count(),
        claimed_at=timezone.now(),
        reward=Decimal("0.03"),
        answered_at=timezone.now(),
    )
    cast = Vote.objects.create(
        seat=seat, question=question, worker=bob, option=1, ambiguous=False, is_gold=gold
    )
    workers.accrue(
        worker=bob,
        kind="gold" if gold else "vote",
        unit=str(cast.public_id),
        amount=Decimal("0.03"),
        currency="USD",
        budget=twin.campaign.public_id,
    )
    return cast


@pytest.fixture(scope="module")
def campaign_kept(kept: str) -> int:
    """Twins, votes, an exercise, a withdrawal, extra pay, a void entry and three payouts."""
    campaign, alice, dana = CampaignFactory(slug="winter"), UserFactory(), UserFactory(curator=True)
    ArticleFactory(campaign=campaign)
    twins = [write(alice, campaign, word) for word in ("red", "blue", "green")]
    withdraw_twin(worker=alice, twin_id=twins[2].public_id)
    vote(twins[0]), vote(twins[1], gold=True)
    exercise(campaign)
    same = {"campaign": campaign, "worker": alice, "reason": "Good.", "by": dana}
    pay.write_extra(kind="bonus", **same, amount=Decimal(2), client_key=uuid.uuid4())
    spent = pay.write_extra(kind="adjustment", **same, amount=Decimal(-1), client_key=uuid.uuid4())
    for status in ("paid", "cancelled", "exported"):
        vote(twins[0] if status == "paid" else TwinFactory(campaign=campaign))
        pay.approve_entries(campaign=campaign, by=dana)
        made = pay.export_payout(
            campaign=campaign, provider="any", client_key=uuid.uuid4(), by=dana
        )
        if status == "paid":
            workers.mark_paid(payout_id=made.public_id, by=dana)
        if status == "cancelled":
            workers.cancel_payout(payout_id=made.public_id, by=dana)
    late = pay.write_extra(kind="bonus", **same, amount=Decimal(3), client_key=uuid.uuid4())
    pay.void_entry(
        campaign=campaign, worker=alice, kind="bonus", unit=late.unit, reason="No.", by=dana
    )
    assert spent.amount == -1
    return campaign.pk


@pytest.fixture
def campaign(campaign_kept: int) -> Campaign:
    return Campaign.objects.get(pk=campaign_kept)


def exercise(campaign: Campaign) -> None:
    item, carol = ExerciseItemFactory(campaign=campaign), UserFactory()
    right = order_shown(item, carol).index(item.answer) + 1
    collection.submit_exercise(
        worker=carol, campaign=campaign, number=1, answers={str(item.public_id): right}
    )
    item.retired_at = timezone.now()
    item.save()


def test_what_the_services_do_ties(campaign: Campaign) -> None:
    found = check_ledger()
    assert found.reconciled, found.problems
    assert check_ledger(campaign) == found
    counts = {"twin": 3, "vote": 4, "gold": 1, "training": 1, "bonus": 2, "adjustment": 3}
    assert {kind: found.counts[kind] for kind in counts} == counts
    assert Payout.objects.count() == 3


def sql(statement: str) -> Callable[[], None]:
    """Run *statement* behind every trigger's back."""

    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(statement)
            assert cursor.rowcount > 0, "nothing was broken"
            # The foreign keys are looked at again when the test is over.
            cursor.execute(
                "DELETE FROM workers_settlement WHERE entry_id NOT IN "
                "(SELECT id FROM workers_ledgerentry)"
            )
            cursor.execute("SET LOCAL session_replication_role = origin")

    return run


ENTRY = "workers_ledgerentry"
BREAKS: list[tuple[str, str]] = [
    ("unpaid", f"DELETE FROM {ENTRY} WHERE kind = 'twin' AND unit = (SELECT public_id::text "
     "FROM collection_twin WHERE withdrawn_at IS NULL AND assignment_id IS NOT NULL LIMIT 1)"),
    ("unpaid", f"DELETE FROM {ENTRY} WHERE kind = 'gold'"),
    ("unpaid", f"DELETE FROM {ENTRY} WHERE kind = 'training'"),
    ("unpaid", f"UPDATE {ENTRY} SET kind = 'vote' WHERE kind = 'gold'"),
    ("pay_differs", f"UPDATE {ENTRY} SET amount = amount + 0.01 WHERE kind = 'gold'"),
    ("pay_differs", f"UPDATE {ENTRY} SET amount = 0 WHERE kind = 'training'"),
    ("pay_differs", "UPDATE collection_assignment SET reward = 0.41"),
    ("pay_differs", f"UPDATE {ENTRY} SET currency = 'EUR' WHERE kind = 'gold'"),
    ("without_work", f"UPDATE {ENTRY} SET unit = 'nothing' WHERE kind = 'gold'"),
    ("without_work", "UPDATE validation_vote SET worker_id = (SELECT min(id) FROM workers_user) "
     "WHERE is_gold"),
    ("without_work", f"INSERT INTO {ENTRY} (worker_id, kind, unit, amount, currency, budget, note, "
     "created_at) SELECT worker_id, 'vote', unit, amount, currency, budget, '', now() "
     f"FROM {ENTRY} WHERE kind = 'gold'"),
    ("still_owed", f"DELETE FROM {ENTRY} WHERE kind = 'adjustment' AND unit IN "
     "(SELECT public_id::text FROM collection_twin)"),
    ("taken_back", "UPDATE collection_twin SET withdrawn_at = NULL"),
    ("cancels_nothing", f"DELETE FROM {ENTRY} WHERE kind = 'twin' AND unit IN "
     f"(SELECT unit FROM {ENTRY} WHERE kind = 'adjustment')"),
    ("cancels_otherwise", f"UPDATE {ENTRY} SET amount = -0.39 WHERE amount = -0.40"),
    ("void_alone", "DELETE FROM workers_settlement WHERE state = 'void' AND entry_id = (SELECT "
     "min(entry_id) FROM workers_settlement WHERE state = 'void')"),
    ("void_alone", "UPDATE workers_settlement SET state = 'void', payout_id = NULL "
     "WHERE state = 'exported'"),
    ("currency_differs", f"UPDATE {ENTRY} SET currency = 'EUR' WHERE kind = 'bonus'"),
    ("without_campaign", f"UPDATE {ENTRY} SET budget = gen_random_uuid() WHERE kind = 'bonus'"),
    ("settlement_differs", "UPDATE workers_payout SET status = 'exported', ended_at = NULL, "
     "ended_by_id = NULL WHERE status = 'paid'"),
    ("settlement_differs", "UPDATE workers_settlement SET state = 'paid' WHERE state = 'exported'"),
    ("line_differs", "UPDATE workers_payoutline SET amount = amount + 0.01"),
    ("line_differs", "UPDATE workers_payoutline SET n_entries = n_entries + 1"),
    ("line_differs", "DELETE FROM workers_payoutline"),
    ("line_differs", "UPDATE workers_settlement SET state = 'approved', payout_id = NULL "
     "WHERE state = 'paid'"),
    ("beyond_cap", "UPDATE collection_campaign SET budget_cap = 0.01"),
    ("second_approval_missing", f"UPDATE {ENTRY} SET needs_second_approval = true "
     "WHERE kind = 'bonus'"),
    ("second_approval_missing", "UPDATE workers_payout SET needs_second_approval = true"),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "statement"), BREAKS, ids=[f"{c}{n}" for n, (c, _) in enumerate(BREAKS)]
)
def test_whatever_is_broken_is_named(code: str, statement: str, campaign: Campaign) -> None:
    sql(statement)()
    found = check_ledger()
    assert code in {problem.code for problem in found.problems}, found.problems
    problem = next(problem for problem in found.problems if problem.code == code)
    assert problem.sentence
    assert problem.examples[0].worker or problem.examples[0].kind == "payout"
    assert problem.count >= len(problem.examples) > 0


def test_every_problem_has_been_broken() -> None:
    assert {code for code, _ in BREAKS} == set(PROBLEMS)


def test_another_campaigns_problem_is_not_this_ones(campaign: Campaign) -> None:
    sql(f"DELETE FROM {ENTRY} WHERE kind = 'gold'")()
    assert check_ledger(CampaignFactory()).reconciled
    assert not check_ledger(campaign).reconciled


def test_no_more_than_twenty_examples_of_a_kind_are_told(campaign: Campaign) -> None:
    for _ in range(25):
        held = AssignmentFactory(campaign=campaign, worker=UserFactory())
        TwinFactory(campaign=campaign, assignment=held, author=held.worker)
    [problem] = check_ledger().problems
    assert (problem.code, problem.count, len(problem.examples)) == ("unpaid", 25, 20)


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("check_ledger", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_says_that_the_ledger_is_reconciled(campaign: Campaign) -> None:
    assert "The ledger is reconciled." in run()
    assert "The ledger is reconciled." in run("--campaign", "winter")


def test_the_command_fails_and_lists_what_does_not_tie(campaign: Campaign) -> None:
    gold = LedgerEntry.objects.get(kind="gold")
    sql(f"DELETE FROM {ENTRY} WHERE kind = 'gold'")()
    out = StringIO()
    with pytest.raises(CommandError, match="is not reconciled"):
        call_command("check_ledger", stdout=out)
    assert "unpaid: 1. Work without an entry." in out.getvalue()
    assert gold.unit in out.getvalue()
    with pytest.raises(CommandError, match="no campaign"):
        run("--campaign", "summer")
