"""Sessions of the three providers under any order of events: their places and their pay."""

import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from collection.core.session_reports import LEFT, REWARDED, Report
from collection.crowd import PROVIDERS, Arrival
from collection.models import CrowdSession, SessionCredit
from collection.selectors.crowd import contradicted, contradicted_in, places_taken, reports_key
from collection.selectors.crowd import without_assignment as turkers_without
from collection.selectors.pay import entries_for
from collection.services import crowd
from collection.services.campaigns import pay
from tests.collection.crowd.people import report
from tests.factories import CampaignFactory, LedgerEntryFactory, StudyFactory, UserFactory
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import LedgerEntry, Payout, Settlement

pytestmark = pytest.mark.django_db
Status = CrowdSession.Status
PLACES, UNITS = 2, 2
WHO = st.tuples(st.sampled_from(sorted(PROVIDERS)), st.integers(0, 2))
NTH = st.integers(0, 20)
WAYS = ["any", "prolific", "mturk", "platform", "platform"]
EVENTS = st.one_of(
    st.tuples(st.just("arrive"), WHO),
    st.tuples(st.just("unit"), NTH),
    st.tuples(st.just("unit"), NTH),
    st.tuples(st.just("exercise"), NTH),
    st.tuples(st.just("stop"), NTH),
    st.tuples(st.just("report"), st.tuples(NTH, st.sampled_from(Report), st.integers(0, 3))),
    st.tuples(st.just("void"), NTH),
    st.tuples(st.just("export"), st.sampled_from(WAYS)),
    st.tuples(st.just("settle"), st.tuples(NTH, st.booleans(), st.booleans())),
)


def code_of(call: Any, **values: Any) -> str:
    try:
        call(**values)
    except DomainError as refused:
        return refused.code
    return ""


class World:
    """One campaign with a small study for each provider, and what must be true of it."""

    def __init__(self) -> None:
        self.campaign, self.dana = CampaignFactory(), UserFactory(curator=True)
        same = {"campaign": self.campaign, "places": PLACES, "units": UNITS}
        self.studies = {name: StudyFactory(provider=name, **same) for name in PROVIDERS}
        self.prefix, self.clock = uuid.uuid4().hex[:22].upper(), 1000

    def sessions(self) -> list[CrowdSession]:
        mine = CrowdSession.objects.filter(study__campaign=self.campaign)
        return list(mine.select_related("study__campaign", "participant__worker").order_by("pk"))

    def nth(self, number: int) -> CrowdSession | None:
        sessions = self.sessions()
        return sessions[number % len(sessions)] if sessions else None

    def arrive(self, which: tuple[str, int]) -> None:
        """Whoever is new gets in exactly while a place is free."""
        provider, number = which
        study, who = self.studies[provider], f"{self.prefix}0{number}"
        is_known = study.sessions.filter(participant__external_id=who).exists()
        free = sum(map(self.holds, self.of(study))) < PLACES
        arrival = Arrival(participant=who, session=f"S{who}")
        code = code_of(crowd.arrive, study=study, arrival=arrival)
        assert code == ("" if is_known or free else "study_full")

    def unit(self, number: int) -> None:
        session = self.nth(number)
        if session is None or session.status != Status.ACTIVE:
            return
        entry = self.owe(session, "twin")
        crowd.credit_unit(
            worker=entry.worker, campaign=self.campaign, skill="write", unit=uuid.UUID(entry.unit)
        )

    def exercise(self, number: int) -> None:
        session = self.nth(number)
        if session is not None and session.status == Status.ACTIVE:
            self.owe(session, "training")

    def owe(self, session: CrowdSession, kind: str) -> LedgerEntry:
        return LedgerEntryFactory(
            worker=session.participant.worker,
            kind=kind,
            amount=Decimal("0.40"),
            budget=self.campaign.public_id,
        )

    def stop(self, number: int) -> None:
        session = self.nth(number)
        if session is not None:
            crowd.stop_session(worker=session.participant.worker, session_id=session.public_id)

    def report(self, said: tuple[int, Report, int]) -> None:
        """Reports come in any order: one in four was sent before the newest."""
        number, what, age = said
        session = self.nth(number)
        if session is not None:
            self.clock += 1
            before, was = session.reported_at, session.status
            sent_at = self.clock - 2 * (age == 3)
            report(session, what, sent_at=sent_at)
            is_news = before is None or sent_at >= before.timestamp()
            assert (session.reported == what) or not is_news
            if was == Status.ACTIVE and is_news and what in LEFT:
                assert session.status == what

    def void(self, number: int) -> None:
        entries = LedgerEntry.objects.filter(budget=self.campaign.public_id, amount__gt=0)
        open_ones = list(entries.exclude(settlement__state__in=["exported", "paid", "void"]))
        if open_ones:
            entry = open_ones[number % len(open_ones)]
            values = {"worker": entry.worker, "kind": entry.kind, "unit": entry.unit}
            pay.void_entry(campaign=self.campaign, reason="x", by=self.dana, **values)

    def export(self, provider: str) -> None:
        pay.approve_entries(campaign=self.campaign, by=self.dana)
        values = {"provider": provider, "client_key": uuid.uuid4(), "by": self.dana}
        assert code_of(pay.export_payout, campaign=self.campaign, **values) in (
            "",
            "nothing_to_pay",
        )

    def settle(self, which: tuple[int, bool, bool]) -> None:
        """Mark a payout as paid, or cancel it; only what was looked at is paid."""
        number, is_paid, is_confirmed = which
        open_ones = list(Payout.objects.filter(budget=self.campaign.public_id, status="exported"))
        if not open_ones:
            return
        payout = open_ones[number % len(open_ones)]
        one = {"payout_id": payout.public_id, "by": self.dana}
        if not is_paid:
            workers.cancel_payout(**one)
            return
        doubtful = [session for session in self.sessions() if self.is_doubtful(session, payout)]
        assert list(contradicted_in(payout)) == doubtful
        reports = reports_key(doubtful) if is_confirmed else ""
        code = code_of(pay.mark_paid, reports=reports, **one)
        assert code == ("reports_contradict" if doubtful and not is_confirmed else "")

    def of(self, study: Any) -> list[CrowdSession]:
        return [session for session in self.sessions() if session.study == study]

    def paid(self, session: CrowdSession) -> Decimal:
        return session.participant.worker.ledger.filter(budget=self.campaign.public_id).total()

    def holds(self, session: CrowdSession) -> bool:
        stands = session.status == Status.COMPLETED and session.reported not in LEFT
        return session.status == Status.ACTIVE or stands or self.paid(session) > 0

    def is_doubtful(self, session: CrowdSession, payout: Payout | None = None) -> bool:
        """Whether the report contradicts what the ledger, or one payout, pays for the session."""
        units = [str(unit) for unit in session.credits.values_list("unit", flat=True)]
        by_reward = session.status == Status.COMPLETED
        unpaid = by_reward and session.reported in (*LEFT, Report.PARTIALLY_APPROVED)
        refused = session.reported == Report.REJECTED
        double = refused or (not by_reward and session.reported in REWARDED)
        if payout is None:
            return (unpaid or double) and self.paid(session) > 0
        here = LedgerEntry.objects.filter(settlement__payout=payout)
        here = here.filter(worker=session.participant.worker)
        if payout.provider == Payout.Provider.PLATFORM:
            return unpaid and here.filter(unit__in=units).exists()
        return double and here.exists()

    def check(self) -> None:
        for study in self.studies.values():
            assert places_taken(study) == sum(map(self.holds, self.of(study)))
        doubtful = [session for session in self.sessions() if self.is_doubtful(session)]
        assert list(contradicted(self.campaign)) == doubtful
        self.check_pay()

    def check_pay(self) -> None:
        """Each entry has one payer, or waits for an active session; a turker's is listed."""
        now, entries = timezone.now(), LedgerEntry.objects.filter(budget=self.campaign.public_id)
        able = {
            way: set(entries_for(self.campaign, way, now).values_list("pk", flat=True))
            for way in set(WAYS)
        }
        active = SessionCredit.objects.filter(session__status=Status.ACTIVE)
        waiting = entries.filter(
            unit__in=[str(unit) for unit in active.values_list("unit", flat=True)]
        )
        parts = [able["any"], able["platform"], set(waiting.values_list("pk", flat=True))]
        assert sum(map(len, parts)) == entries.count() == len(set.union(*parts))
        for kind in ("any", "prolific", "mturk"):
            taken = Settlement.objects.filter(payout__provider=kind, entry__in=able["platform"])
            assert not taken.exists()
        listed = {worker.pk for worker, _ in turkers_without(self.campaign, now)}
        turkers = {s.participant.worker for s in self.of(self.studies["mturk"])}
        approved = entries.filter(settlement__state="approved", pk__in=able["any"] - able["mturk"])
        assert listed == {t.pk for t in turkers if approved.filter(worker=t).total() > 0}


@pytest.mark.long  # its rules have quick tests in tests/collection
@pytest.mark.timeout(1200)
@settings(max_examples=settings.default.max_examples // 4)
@given(events=st.lists(EVENTS, min_size=8, max_size=20))
def test_no_place_is_lost_and_nobody_is_paid_twice_or_unseen(events: list[tuple[str, Any]]) -> None:
    world = World()
    for number in range(2):
        for provider in PROVIDERS:
            world.arrive((provider, number))
    for number, (name, values) in enumerate(events, start=1):
        getattr(world, name)(values)
        if number % 4 == 0 or number == len(events):
            world.check()
