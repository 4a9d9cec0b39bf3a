"""Withdrawal of consent beside claims, votes and submissions: nobody holds work afterwards."""

from functools import partial
from typing import Any

import pytest

from collection import services
from collection.models import Assignment, Campaign, Consent
from collection.services.joining import withdrawal
from panels.models import Panel, PanelSeat
from panels.services import claim_seat as claim_panel_seat
from panels.services import seats as panel_seats
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    ConsentFactory,
    GuidelineFactory,
    PanelSeatFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
)
from tests.races.threads import Meeting, at_once
from tests.races.validating import vote
from tests.writing import submit
from validation import services as validation
from validation.models import Seat, Vote
from validation.services.validating import statements, votes
from workers.models import User


@pytest.fixture
def campaign() -> Campaign:
    campaign = CampaignFactory()
    GuidelineFactory(campaign=campaign)
    return campaign


@pytest.fixture
def bob(campaign: Campaign) -> User:
    bob = UserFactory()
    for skill in ("write", "validate"):
        ConsentFactory(worker=bob, guideline=campaign.guideline, skill=skill)
    return bob


def withdrawn_before(call: Any, bob: User, campaign: Campaign, patch: pytest.MonkeyPatch) -> Any:
    """Make a call that waits while consent is withdrawn; return what it answers."""
    meeting = Meeting()
    patch.setattr(withdrawal, "end_sessions_of", lambda **_: meeting.hold())
    withdraw = partial(services.withdraw_consent, worker=bob, campaign=campaign)
    return at_once(withdraw, partial(meeting.then, call))[1]


def unguarded(prepared: Any, patch: pytest.MonkeyPatch) -> None:
    """Let a claim's statement ask for a consent of nobody."""
    sql, values = prepared.statement
    places = [n for n, value in enumerate(values) if getattr(value, "name", "") == "worker"]
    assert 'withdrawn_at" IS NOT NULL' in sql
    cut = sql.replace('withdrawn_at" IS NOT NULL', 'withdrawn_at" IS NOT NULL AND FALSE')
    assert places
    patch.setattr(prepared, "statement", prepared.statement._replace(sql=cut))


def test_a_claim_that_waits_for_a_withdrawal_gets_nothing(
    bob: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    SeatFactory(campaign=campaign, question__twin=TwinFactory(campaign=campaign))
    claim = partial(validation.claim_seat, worker=bob, campaign=campaign)
    answer = withdrawn_before(claim, bob, campaign, monkeypatch)
    assert answer.code == "queue_empty"
    assert not Seat.objects.filter(worker=bob).exists()


def test_control_without_the_second_check_the_claim_gets_a_seat(
    bob: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    SeatFactory(campaign=campaign, question__twin=TwinFactory(campaign=campaign))
    unguarded(statements.claims(statements.HEAD), monkeypatch)
    claim = partial(validation.claim_seat, worker=bob, campaign=campaign)
    answer = withdrawn_before(claim, bob, campaign, monkeypatch)
    assert isinstance(answer, Seat)
    assert not Consent.objects.active().filter(worker=bob).exists()


def queue_of(campaign: Campaign) -> Panel:
    panel: Panel = PanelSeatFactory(item__panel__campaign=campaign).panel
    return panel


def test_a_claim_in_a_panel_gets_nothing_either(
    bob: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = partial(claim_panel_seat, worker=bob, panel=queue_of(campaign))
    answer = withdrawn_before(claim, bob, campaign, monkeypatch)
    assert hasattr(answer, "code"), answer
    assert not PanelSeat.objects.filter(worker=bob).exists()


def test_control_without_the_second_check_a_panel_gives_a_seat(
    bob: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = queue_of(campaign)
    unguarded(panel_seats.claiming(panel.mode), monkeypatch)
    claim = partial(claim_panel_seat, worker=bob, panel=panel)
    assert isinstance(withdrawn_before(claim, bob, campaign, monkeypatch), PanelSeat)


def test_a_request_for_an_article_that_waits_for_a_withdrawal_is_refused(
    bob: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    ArticleFactory(campaign=campaign)
    ask = partial(services.request_assignment, worker=bob, campaign=campaign)
    assert withdrawn_before(ask, bob, campaign, monkeypatch).code == "guideline_not_accepted"
    assert not Assignment.objects.filter(worker=bob).exists()


def test_a_vote_that_waits_for_a_withdrawal_is_refused(
    bob: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = SeatFactory(campaign=campaign, worker=bob, opened=True)
    answer = withdrawn_before(partial(vote, seat), bob, campaign, monkeypatch)
    assert answer.code == "lease_expired"
    assert not Vote.objects.filter(worker=bob).exists()


def test_a_vote_that_comes_first_counts_and_is_paid(
    bob: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, meeting = SeatFactory(campaign=campaign, worker=bob, opened=True), Meeting()
    monkeypatch.setattr(votes, "hold_again", meeting.hold)
    withdraw = partial(services.withdraw_consent, worker=bob, campaign=campaign)
    voted, consents = at_once(partial(vote, seat), partial(meeting.then, withdraw))
    assert isinstance(voted, Vote)
    assert consents[0].withdrawn_at
    assert bob.ledger.count() == 1


def test_a_submission_and_a_withdrawal_at_once_leave_no_article_in_hand(
    bob: User, campaign: Campaign
) -> None:
    for _ in range(6):
        held = AssignmentFactory(campaign=campaign, worker=bob)
        withdraw = partial(services.withdraw_consent, worker=bob, campaign=campaign)
        results = at_once(partial(submit, held), withdraw)
        assert not [r for r in results if isinstance(r, Exception) and not hasattr(r, "code")]
        held.refresh_from_db()
        paid = held.twins.count()
        assert held.status == (Assignment.Status.SUBMITTED if paid else Assignment.Status.RETURNED)
        services.accept_guideline(worker=bob, campaign=campaign, version=1)


def test_many_acceptances_and_withdrawals_at_once_leave_one_state(
    bob: User, campaign: Campaign
) -> None:
    accept = partial(services.accept_guideline, worker=bob, campaign=campaign, version=1)
    withdraw = partial(services.withdraw_consent, worker=bob, campaign=campaign)
    results = at_once(*[accept, withdraw] * 4)
    assert not [result for result in results if isinstance(result, Exception)]
    active = Consent.objects.active().filter(worker=bob, skill="write")
    assert active.count() <= 1
