"""Processes whose clocks are wrong: the database's decides which leases have ended."""

import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from collection.models import Assignment, Campaign
from filtering.models import Encoding
from tests.factories import (
    ArticleFactory,
    AssignmentFactory,
    CampaignFactory,
    EncodingFactory,
    SeatFactory,
    UserFactory,
)
from tests.races import clocks
from tests.races.clocks import AHEAD, BEHIND
from tests.races.processes import process_pool
from tests.races.threads import at_once
from validation.models import Seat
from validation.services.validating import statements
from winoplatform.runs.models import RunStatus

Asked = Callable[..., Any]
LEFT = 30  # seconds of a lease that is alive


@pytest.fixture(scope="module")
def asked(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Asked]:
    """Let another process, whose clock is so many seconds ahead, do something."""
    with django_db_blocker.unblock():
        pool = process_pool(1)
    with pool:
        yield lambda *call: pool.submit(clocks.by_clock, *call).result()


def database_now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def seconds_from_now(moment: datetime | None) -> float:
    assert moment is not None
    return (moment - database_now()).total_seconds()


def in_seconds(seconds: float) -> datetime:
    return database_now() + timedelta(seconds=seconds)


def carried(*, left: float = LEFT) -> Encoding:
    """A run in the hands of a worker."""
    lease = {"status": RunStatus.RUNNING, "attempt": 1, "leased_until": in_seconds(left)}
    run: Encoding = EncodingFactory(**lease, started_at=database_now())
    return run


@pytest.mark.long
def test_a_worker_whose_clock_is_ahead_takes_no_run_that_is_executed(asked: Asked) -> None:
    alive = carried()
    assert not asked(AHEAD, clocks.take_run, alive.pk)
    alive.refresh_from_db()
    assert alive.attempt == 1


@pytest.mark.long
@pytest.mark.parametrize("offset", [AHEAD, pytest.param(BEHIND, marks=pytest.mark.long)])
def test_a_worker_whose_clock_is_wrong_helps_with_the_shards_of_live_runs_only(
    asked: Asked, offset: int
) -> None:
    assert asked(offset, clocks.help_with, carried().pk)
    assert not asked(offset, clocks.help_with, carried(left=-1).pk)


def test_a_validator_at_a_server_whose_clock_is_ahead_gets_no_seat_that_is_held(
    asked: Asked,
) -> None:
    seat = SeatFactory(worker=UserFactory(), leased_until=in_seconds(LEFT))
    validator = UserFactory()
    assert asked(AHEAD, clocks.take_seat, validator.pk, seat.campaign_id) == "queue_empty"
    assert Seat.objects.get(pk=seat.pk).worker_id == seat.worker_id


def test_a_validator_votes_at_a_server_whose_clock_is_ahead(asked: Asked) -> None:
    seat = SeatFactory(worker=UserFactory(), leased_until=in_seconds(LEFT))
    assert asked(AHEAD, clocks.vote, seat.worker_id, seat.pk) == "done, done"


def test_a_validator_does_not_vote_late_at_a_server_whose_clock_is_behind(asked: Asked) -> None:
    seat = SeatFactory(worker=UserFactory(), leased_until=in_seconds(-1))
    Campaign.objects.update(status="paused")  # else a late answer counts while the seat is free
    said = asked(BEHIND, clocks.vote, seat.worker_id, seat.pk)
    assert said == "lease_expired, lease_expired"


def test_a_writer_at_a_server_whose_clock_is_ahead_gets_no_article_that_is_held(
    asked: Asked,
) -> None:
    campaign = CampaignFactory(article_uses_max=1)
    article = ArticleFactory(campaign=campaign)
    AssignmentFactory(campaign=campaign, article=article, leased_until=in_seconds(LEFT))
    said = asked(AHEAD, clocks.take_article, UserFactory().pk, campaign.pk)
    assert said == "articles_used_up"


@pytest.mark.parametrize("offset", [AHEAD, BEHIND])
def test_what_a_wrong_clock_takes_it_holds_for_the_time_of_a_lease(
    asked: Asked, offset: int
) -> None:
    run = EncodingFactory()
    seat = SeatFactory()
    ArticleFactory(campaign=seat.campaign)
    who = UserFactory().pk
    assert asked(offset, clocks.take_run, run.pk)
    assert asked(offset, clocks.take_seat, who, seat.campaign_id) == "done"
    assert asked(offset, clocks.take_article, who, seat.campaign_id) == "done"
    run.refresh_from_db()
    held = Seat.objects.get(worker=who), Assignment.objects.get(worker=who)
    minutes = seat.campaign.vote_minutes, seat.campaign.assignment_minutes
    leases = [(run.leased_until, settings.RUN_LEASE_SECONDS)]
    leases += [(row.leased_until, 60 * n) for row, n in zip(held, minutes, strict=True)]
    assert all(length - 20 < seconds_from_now(end) <= length for end, length in leases)


def test_a_claim_that_waited_for_another_tab_reads_the_time_after_its_wait() -> None:
    bob, campaign, locked = UserFactory(), CampaignFactory(), threading.Event()

    def first_tab() -> datetime:
        with transaction.atomic():
            statements.lock_worker(bob, campaign)
            locked.set()
            time.sleep(0.2)  # the other one waits by now
            return database_now()

    def second_tab() -> datetime:
        locked.wait()
        with transaction.atomic():
            return statements.lock_worker(bob, campaign)[1]

    released, read = at_once(first_tab, second_tab)
    assert read > released


@pytest.mark.long
def test_a_dead_workers_run_is_taken_up_in_time_by_one_whose_clock_is_behind(asked: Asked) -> None:
    assert asked(BEHIND, clocks.take_run, carried(left=-1).pk)
