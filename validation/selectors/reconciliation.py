"""Reconciliation of the ledger, to the cent: each piece of work has an entry, each entry its work.

One SQL statement reads one consistent snapshot of the database, so concurrent work is either in it
with its pay, or not at all.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, F, TextField, Value
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from winoplatform.db.copying import text_of
from workers.models import LedgerEntry, PromisedPay
from workers.models.promised_pay import promising, rows_of

EXAMPLES = 20  # of each kind of problem
# Of entries that are for no work of their own.
OTHERS = (LedgerEntry.Kind.BONUS, LedgerEntry.Kind.ADJUSTMENT)
KINDS = [kind.value for kind in LedgerEntry.Kind if kind not in OTHERS]
PROBLEMS: Mapping[str, Any] = {
    "unpaid": _("Work without an entry."),
    "pay_differs": _("Work whose entry differs from the promised reward."),
    "without_work": _("An entry for work that does not exist."),
    "still_owed": _("A withdrawn twin whose pay was not reversed."),
    "taken_back": _("Pay that was reversed, although its work stands and the entry is not void."),
    "cancels_nothing": _("A reversal of an entry that does not exist."),
    "cancels_otherwise": _("A reversal that is not the opposite of its entry."),
    "void_alone": _("A void entry without the void entry that cancels it."),
    "currency_differs": _("An entry whose currency is not its campaign’s."),
    "without_campaign": _("An entry without a campaign."),
    "settlement_differs": _("An entry whose state differs from its payout’s."),
    "line_differs": _("A payout line that is not the sum of its entries."),
    "beyond_cap": _("Payouts that together exceed the campaign’s budget."),
    "second_approval_missing": _("Large pay that has left without a second curator’s approval."),
}

STATEMENT = """
WITH campaign AS (
    SELECT id, public_id, currency, budget_cap FROM collection_campaign
    WHERE %(budget)s::uuid IS NULL OR public_id = %(budget)s
), entry AS (
    SELECT e.*, s.state, s.payout_id FROM workers_ledgerentry e
    LEFT JOIN workers_settlement s ON s.entry_id = e.id
    WHERE %(budget)s::uuid IS NULL OR e.budget = %(budget)s
), work AS (
    SELECT 'training' AS kind, q.public_id::text AS unit, q.worker_id, c.public_id AS budget,
           c.currency, q.reward AS promised, NULL::timestamptz AS withdrawn_at
    FROM workers_qualification q JOIN campaign c ON c.public_id = q.scope
    WHERE q.reward <> 0
    UNION ALL
    {work}
), tied AS (
    SELECT w.kind, w.unit, w.worker_id, w.budget, w.currency, w.promised, w.withdrawn_at,
           e.id AS entry_id, e.amount, e.currency AS paid_in, e.budget AS paid_by
    FROM work w
    LEFT JOIN entry e ON e.worker_id = w.worker_id AND e.kind = w.kind AND e.unit = w.unit
), cancel AS (
    SELECT a.*, o.id AS of_id, o.kind AS of_kind, o.amount AS of_amount, o.currency AS of_currency,
           o.budget AS of_budget, o.state AS of_state
    FROM entry a LEFT JOIN entry o ON o.worker_id = a.worker_id AND (
        (o.kind <> 'adjustment' AND o.unit = a.unit)
        OR (o.kind = 'adjustment' AND a.unit = 'void:' || o.unit)
    )
    WHERE a.kind = 'adjustment' AND a.unit NOT LIKE 'adjustment:%%'
), taken AS (
    SELECT payout_id, worker_id, sum(amount) AS amount, count(*) AS n
    FROM entry WHERE payout_id IS NOT NULL GROUP BY payout_id, worker_id
), line AS (
    SELECT l.payout_id, l.worker_id, l.amount, l.n_entries AS n
    FROM workers_payoutline l JOIN workers_payout p ON p.id = l.payout_id
    WHERE p.status <> 'cancelled' AND (%(budget)s::uuid IS NULL OR p.budget = %(budget)s)
), problem (code, budget, worker_id, kind, unit, expected, found) AS (
    SELECT 'unpaid', budget, worker_id, kind, unit, promised, NULL::numeric FROM tied
    WHERE entry_id IS NULL
    UNION ALL
    SELECT 'pay_differs', budget, worker_id, kind, unit, promised, amount FROM tied
    WHERE entry_id IS NOT NULL
      AND (amount <> promised OR paid_in <> currency OR paid_by <> budget)
    UNION ALL
    SELECT 'without_work', e.budget, e.worker_id, e.kind, e.unit, NULL, e.amount FROM entry e
    WHERE e.kind = ANY(%(kinds)s)
      AND NOT EXISTS (SELECT FROM tied t WHERE t.entry_id = e.id)
    UNION ALL
    SELECT 'still_owed', t.budget, t.worker_id, t.kind, t.unit, 0, t.amount FROM tied t
    WHERE t.withdrawn_at IS NOT NULL AND t.amount <> 0
      AND NOT EXISTS (SELECT FROM cancel c WHERE c.of_id = t.entry_id)
    UNION ALL
    SELECT 'taken_back', c.budget, c.worker_id, c.of_kind, c.unit, c.of_amount, 0 FROM cancel c
    WHERE c.of_id IS NOT NULL AND c.of_state IS DISTINCT FROM 'void' AND NOT EXISTS (
        SELECT FROM tied t WHERE t.entry_id = c.of_id AND t.withdrawn_at IS NOT NULL
    )
    UNION ALL
    SELECT 'cancels_nothing', budget, worker_id, kind, unit, NULL, amount FROM cancel
    WHERE of_id IS NULL
    UNION ALL
    SELECT 'cancels_otherwise', budget, worker_id, kind, unit, -of_amount, amount FROM cancel
    WHERE amount <> -of_amount OR currency <> of_currency OR budget <> of_budget
    UNION ALL
    SELECT 'void_alone', e.budget, e.worker_id, e.kind, e.unit, NULL, e.amount FROM entry e
    WHERE e.state = 'void' AND NOT EXISTS (
        SELECT FROM cancel c WHERE c.id = e.id AND c.of_state = 'void'
        UNION ALL
        SELECT FROM cancel c WHERE c.of_id = e.id AND c.state = 'void'
    )
    UNION ALL
    SELECT CASE WHEN c.id IS NULL THEN 'without_campaign' ELSE 'currency_differs' END,
           e.budget, e.worker_id, e.kind, e.unit, NULL, e.amount
    FROM entry e LEFT JOIN campaign c ON c.public_id = e.budget
    WHERE c.id IS NULL OR c.currency <> e.currency
    UNION ALL
    SELECT 'settlement_differs', e.budget, e.worker_id, e.kind, e.unit, NULL, e.amount
    FROM entry e JOIN workers_payout p ON p.id = e.payout_id
    WHERE p.status <> e.state OR p.budget <> e.budget OR p.currency <> e.currency
    UNION ALL
    SELECT 'line_differs', p.budget, coalesce(l.worker_id, t.worker_id), 'payout',
           p.public_id::text, t.amount, l.amount
    FROM line l FULL JOIN taken t ON t.payout_id = l.payout_id AND t.worker_id = l.worker_id
    JOIN workers_payout p ON p.id = coalesce(l.payout_id, t.payout_id)
    WHERE l.amount IS DISTINCT FROM t.amount OR l.n IS DISTINCT FROM t.n
    UNION ALL
    SELECT 'beyond_cap', c.public_id, NULL, 'payout', '', c.budget_cap, sum(l.amount)
    FROM campaign c JOIN workers_payout p ON p.budget = c.public_id
    JOIN line l ON l.payout_id = p.id
    GROUP BY c.public_id, c.budget_cap HAVING sum(l.amount) > c.budget_cap
    UNION ALL
    SELECT 'second_approval_missing', e.budget, e.worker_id, e.kind, e.unit, NULL, e.amount
    FROM entry e WHERE e.needs_second_approval AND e.payout_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM workers_secondapproval a WHERE a.entry_id = e.id)
    UNION ALL
    SELECT 'second_approval_missing', p.budget, NULL, 'payout', p.public_id::text, NULL, NULL
    FROM workers_payout p JOIN campaign c ON c.public_id = p.budget
    WHERE p.needs_second_approval AND p.status = 'paid'
      AND NOT EXISTS (SELECT FROM workers_secondapproval a WHERE a.payout_id = p.id)
), numbered AS (
    SELECT problem.*, count(*) OVER (PARTITION BY code) AS n,
           row_number() OVER (PARTITION BY code ORDER BY budget, unit) AS place
    FROM problem
)
SELECT 'checked', NULL::uuid, NULL::text, kind::text, NULL::text, sum(amount), NULL::numeric,
       count(*) FROM entry GROUP BY kind
UNION ALL
SELECT 'checked', NULL, NULL, 'payout', NULL, sum(amount), NULL, count(*) FROM line
UNION ALL
SELECT code, budget, u.public_id, kind, unit, expected, found, n
FROM numbered LEFT JOIN workers_user u ON u.id = worker_id WHERE place <= %(examples)s
"""


@dataclass(frozen=True, slots=True)
class Example:
    """One mismatch; unknown fields are None."""

    campaign: str
    worker: str
    kind: str
    unit: str
    expected: Decimal | None
    found: Decimal | None


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of mismatch, with its count and first examples."""

    code: str
    count: int
    examples: tuple[Example, ...]

    @property
    def sentence(self) -> str:
        return str(PROBLEMS[self.code])


@dataclass(frozen=True, slots=True)
class LedgerCheck:
    """Counts of checked entries by kind (``payout``: lines of payouts), and problems."""

    counts: Mapping[str, int]
    problems: tuple[Problem, ...]

    @property
    def reconciled(self) -> bool:
        return not self.problems

    @property
    def entries(self) -> int:
        return sum(count for kind, count in self.counts.items() if kind != "payout")


def check_ledger(campaign: Campaign | None = None) -> LedgerCheck:
    """Check that work and entries agree now, in one campaign or in all."""
    budget = campaign.public_id if campaign else None
    values = {"budget": budget, "examples": EXAMPLES, "kinds": KINDS}
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT.replace("{work}", _work(campaign)), values)
        rows = cursor.fetchall()
    counts = {kind: n for code, _b, _w, kind, _u, _e, _f, n in rows if code == "checked" and n}
    wrong = {code: n for code, *_rest, n in rows if code in PROBLEMS}
    problems = tuple(
        Problem(code, wrong[code], tuple(_example(row) for row in rows if row[0] == code))
        for code in PROBLEMS
        if code in wrong
    )
    return LedgerCheck(counts, problems)


def _work(campaign: Campaign | None) -> str:
    """Return the SELECT of all work that is done and was promised pay."""
    selects = (text_of(_done(kind, campaign)) for kind in promising())
    return "\nUNION ALL\n".join(f"({select})" for select in selects).replace("%", "%%")


def _done(kind: type[PromisedPay], campaign: Campaign | None) -> Any:
    """Return the work of one kind that is done, with the columns of ``work``."""
    rows = rows_of(kind).done().order_by()
    if campaign is not None:
        rows = rows.in_campaign(campaign)
    return rows.values_list(
        Cast(Value(kind.KIND) if isinstance(kind.KIND, str) else kind.KIND, TextField()),
        Cast(kind.UNIT, TextField()),
        kind.DOER,
        f"{kind.CAMPAIGN}__public_id",
        f"{kind.CAMPAIGN}__currency",
        "reward",
        F(kind.WITHDRAWN_AT) if kind.WITHDRAWN_AT else Value(None, output_field=DateTimeField()),
    )


def _example(row: tuple[Any, ...]) -> Example:
    _code, budget, worker, kind, unit, expected, found, _n = row
    return Example(str(budget or ""), worker or "", kind or "", unit or "", expected, found)
