"""However money moves, and in whatever state it is: no more leaves than the cap allows."""

import uuid
from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from collection.models import CrowdSession, SessionCredit
from collection.services.campaigns import budget, pay
from tests.factories import (
    CampaignFactory,
    CrowdSessionFactory,
    ParticipantFactory,
    StudyFactory,
    UserFactory,
)
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import LedgerEntry, Payout, PayoutLine, Settlement, User

pytestmark = pytest.mark.django_db
CAP = Decimal("10.00")
ABOVE = Decimal("4.00")
# A refusal of these codes is what a move may meet; any other fails the test.
MET = {
    "", "budget_exhausted", "nothing_to_pay", "entry_settled", "entry_cancelled", "payout_paid",
    "payout_cancelled", "second_approval_missing", "no_second_approval", "own_pay",
}  # fmt: skip


class World:
    """A capped campaign with two people, one of whom comes from a crowd platform."""

    def __init__(self) -> None:
        self.campaign = CampaignFactory(budget_cap=CAP, second_approval_above=ABOVE)
        self.crowd = ParticipantFactory(provider="prolific", external_id=uuid.uuid4().hex[:24])
        self.people: list[User] = [UserFactory(), self.crowd.worker]
        self.curators = [UserFactory(curator=True) for _ in range(2)]
        self.session: CrowdSession | None = None

    def entries(self) -> list[LedgerEntry]:
        return list(LedgerEntry.objects.filter(budget=self.campaign.public_id).order_by("pk"))

    def payouts(self) -> list[Payout]:
        return list(Payout.objects.filter(budget=self.campaign.public_id).order_by("pk"))

    def _accrue(self, worker: User, amount: Decimal) -> None:
        unit = uuid.uuid4()
        if self.session and worker == self.crowd.worker:
            SessionCredit.objects.create(session=self.session, unit=unit)
        workers.accrue(
            worker=worker, kind="twin", unit=str(unit), amount=amount, currency="USD",
            budget=self.campaign.public_id,
        )  # fmt: skip

    @transaction.atomic
    def work(self, pick: int, amount: Decimal) -> None:
        budget.reserve(campaign=self.campaign, cost=lambda _: abs(amount))
        self._accrue(self.people[pick % 2], abs(amount))

    @transaction.atomic
    def withdraw(self, pick: int, amount: Decimal) -> None:
        """As ``validation.services.withdraw_twin`` does with the pay."""
        unpaid = self._twins().filter(settlement=None) | self._twins().filter(
            settlement__state="approved"
        )
        for twin in unpaid.order_by("pk")[:1]:
            workers.one_at_a_time(self.campaign.public_id)
            workers.take_back(worker=twin.worker, kind=twin.kind, unit=twin.unit)

    def revise(self, pick: int, amount: Decimal) -> None:
        """As ``validation.services.revise_twin`` does: also pay that has left is reversed."""
        for twin in self._twins().exclude(settlement__state="void").order_by("-pk")[:1]:
            with budget.within(self.campaign):
                workers.take_back(worker=twin.worker, kind=twin.kind, unit=twin.unit)
                self._accrue(twin.worker, twin.amount)

    def _twins(self) -> "object":
        rows = LedgerEntry.objects.filter(budget=self.campaign.public_id, kind="twin")
        reversed_ = LedgerEntry.objects.filter(kind="adjustment", budget=self.campaign.public_id)
        return rows.exclude(unit__in=reversed_.values("unit"))

    def extra(self, pick: int, amount: Decimal) -> None:
        if not amount:
            return
        pay.write_extra(
            campaign=self.campaign, kind="bonus" if amount > 0 else "adjustment",
            worker=self.people[pick % 2], amount=amount, reason="So.", client_key=uuid.uuid4(),
            by=self.curators[0],
        )  # fmt: skip

    def approve(self, pick: int, amount: Decimal) -> None:
        """Approve everything, or what was written up to one of the entries."""
        entries = self.entries()
        until = entries[pick % len(entries)].created_at if entries and amount < 0 else None
        pay.approve_entries(campaign=self.campaign, by=self.curators[0], until=until)

    def void(self, pick: int, amount: Decimal) -> None:
        for entry in self.entries()[pick % 7 : pick % 7 + 1]:
            pay.void_entry(
                campaign=self.campaign, worker=entry.worker, kind=entry.kind, unit=entry.unit,
                reason="So.", by=self.curators[0],
            )  # fmt: skip

    def second(self, pick: int, amount: Decimal) -> None:
        held = LedgerEntry.objects.filter(budget=self.campaign.public_id)
        for entry in held.awaiting_second_approval():
            workers.approve_extra(
                budget=entry.budget, kind=entry.kind, unit=entry.unit, by=self.curators[pick % 2]
            )
        for payout in self.payouts():
            workers.approve_payout(payout_id=payout.public_id, by=self.curators[pick % 2])

    def export(self, pick: int, amount: Decimal) -> None:
        pay.export_payout(
            campaign=self.campaign, provider=("any", "prolific", "platform")[pick % 3],
            client_key=uuid.uuid4(), by=self.curators[0],
        )  # fmt: skip

    def paid(self, pick: int, amount: Decimal) -> None:
        for payout in self.payouts()[pick % 3 : pick % 3 + 1]:
            pay.mark_paid(payout_id=payout.public_id, by=self.curators[0])

    def cancel(self, pick: int, amount: Decimal) -> None:
        for payout in self.payouts()[pick % 3 : pick % 3 + 1]:
            workers.cancel_payout(payout_id=payout.public_id, by=self.curators[0])

    def session_begins(self, pick: int, amount: Decimal) -> None:
        if self.session is None:
            study = StudyFactory(campaign=self.campaign, provider="prolific")
            self.session = CrowdSessionFactory(study=study, participant=self.crowd)

    def session_ends(self, pick: int, amount: Decimal) -> None:
        if self.session is not None:
            status = ("completed", "returned")[pick % 2]
            CrowdSession.objects.filter(pk=self.session.pk).update(
                status=status, ended_at=timezone.now()
            )
            self.session = None

    def check(self) -> None:
        left = workers.paid_out(self.campaign.public_id)
        assert left <= CAP
        state = budget.state(self.campaign)
        assert left <= state.committed <= CAP, state

    def check_ledger(self) -> None:
        codes = {problem.code for problem in check_ledger(self.campaign).problems}
        # The twins here have no text, so their pay is for no work.
        assert codes <= {"without_work", "taken_back"}, codes


MOVES: list[Callable[[World, int, Decimal], None]] = [
    World.work, World.withdraw, World.revise, World.extra, World.approve, World.void, World.second,
    World.export, World.paid, World.cancel, World.session_begins, World.session_ends,
]  # fmt: skip
MOVE = st.tuples(st.sampled_from(MOVES), st.integers(0, 20), st.integers(-600, 600))


def refusal(call: Callable[[], None]) -> str:
    try:
        with transaction.atomic():
            call()
    except DomainError as error:
        return error.code
    return ""


def rounds(*moves: tuple[Callable[[World, int, Decimal], None], int, int]) -> object:
    return [(move, pick, cents) for move, pick, cents in moves]


@pytest.mark.long
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(MOVE, min_size=4, max_size=25))
@example(
    rounds(
        (World.extra, 0, 390), (World.approve, 0, 1), (World.export, 0, 1), (World.extra, 0, -500),
        (World.extra, 1, 600), (World.second, 1, 0), (World.approve, 0, 1), (World.export, 0, 1),
        (World.extra, 1, 500), (World.second, 1, 0), (World.approve, 0, 1), (World.export, 0, 1),
    )
)  # fmt: skip
@example(
    rounds(
        (World.session_begins, 0, 0), (World.work, 1, 500), (World.session_ends, 0, 0),
        (World.extra, 1, -500), (World.extra, 0, 600), (World.second, 1, 0), (World.approve, 0, 1),
        (World.export, 0, 1), (World.export, 2, 1),
    )
)  # fmt: skip
@example(
    rounds(
        (World.extra, 0, 390), (World.approve, 0, 1), (World.extra, 0, -390), (World.extra, 1, 600),
        (World.extra, 1, 400), (World.export, 0, 1),
    )
)  # fmt: skip
def test_no_more_leaves_than_the_cap_whatever_is_done(
    moves: list[tuple[Callable[[World, int, Decimal], None], int, int]],
) -> None:
    world = World()
    everything = [(World.approve, 0, 0), (World.second, 1, 0)]
    everything += [(World.export, way, 0) for way in range(3)]
    for move, pick, cents in [*moves, *everything]:
        assert refusal(partial(move, world, pick, Decimal(cents) / 100)) in MET
        world.check()
    world.check_ledger()
    lines = PayoutLine.objects.filter(payout__budget=world.campaign.public_id)
    for payout in world.payouts():
        held = Settlement.objects.filter(payout=payout).values_list("entry", flat=True)
        entries = LedgerEntry.objects.filter(pk__in=held)
        assert (
            payout.status == "cancelled" or entries.total() == lines.filter(payout=payout).total()
        )
        assert not entries.awaiting_second_approval().exists()
