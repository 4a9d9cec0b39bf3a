"""Panels about small sets, and people who answer them."""

from collections.abc import Callable
from typing import Any

from collection.models import Campaign, Twin
from corpora import services as corpora
from corpora.models import Snapshot
from panels import services
from panels.models import Enrolment, Panel, PanelSeat
from tests.corpora.sets import imported
from tests.factories import CampaignFactory, TwinFactory, VerdictFactory
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from workers.models import User


def validated_twins(campaign: Campaign, n: int = 2, **fields: Any) -> list[Twin]:
    twins = TwinFactory.create_batch(n, campaign=campaign, **fields)
    for twin in twins:
        for question in twin.questions.all():
            VerdictFactory(question=question)
    return twins


def snapshot_of(campaign: Campaign) -> Snapshot:
    snapshot = corpora.take_snapshot(campaign=campaign, by=None)
    execute_here(snapshot)
    snapshot.refresh_from_db()
    assert snapshot.status == "done", snapshot.failure
    return snapshot


def of_twins(n: int = 2, **asked: Any) -> Panel:
    """People on a snapshot of *n* twins."""
    campaign = CampaignFactory()
    validated_twins(campaign, n)
    return services.start_human_evaluation(snapshot=snapshot_of(campaign), by=None, **asked)


def of_a_set(name: str = "tiny", **asked: Any) -> Panel:
    """People on a reference set of three pairs."""
    campaign = asked.pop("campaign", None) or CampaignFactory()
    data = asked.pop("data", None) or imported(name)
    return services.start_human_evaluation(reference_set=data, campaign=campaign, by=None, **asked)


def claim(worker: User, evaluation: Panel) -> PanelSeat:
    return services.claim_seat(worker=worker, panel=evaluation)


def enrol(worker: User, panel: Panel) -> Enrolment:
    return services.enrol(worker=worker, panel=panel)


def vote(seat: PanelSeat, shown: int = 1) -> PanelSeat:
    assert seat.worker is not None
    return services.cast_vote(worker=seat.worker, seat_id=seat.public_id, shown_option=shown)


def vote_for(seat: PanelSeat, option: int) -> PanelSeat:
    """Vote for an option as numbered in the item."""
    return vote(seat, seat.order.index(option) + 1)


def answer_all(
    evaluation: Panel,
    workers: list[User],
    choose: Callable[[PanelSeat], int] = lambda seat: seat.item.item.answer or 1,
) -> int:
    """Let each worker answer until nothing is left for any of them; return the votes cast."""
    n = 0
    for worker in workers:
        while (seat := next_for(worker, evaluation)) is not None:
            vote_for(seat, choose(seat))
            n += 1
    return n


def next_for(worker: User, evaluation: Panel) -> PanelSeat | None:
    """Claim a seat; None where nothing is left for the worker."""
    try:
        return claim(worker, evaluation)
    except DomainError as refused:
        if refused.code != "queue_empty":
            raise
        return None
