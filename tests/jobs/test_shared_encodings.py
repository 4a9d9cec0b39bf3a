"""Two real workers on one encoding, one of which dies."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from corpora.models import Snapshot
from filtering import services
from filtering.models import Encoding
from tests.filtering.stages import TINY, assert_done, frozen, snapshot_of
from tests.jobs.worker import Worker, dispatch_until, wait_until

SHARDS = 20


@pytest.fixture
def doomed(folder: Path) -> Iterator[Worker]:
    worker = Worker(folder)
    worker.start()
    yield worker
    worker.end()
    wait_until(lambda: not worker.left_behind(), what="no process is left behind")


def at_work() -> int:
    """Workers that hold a shard at this moment."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_database ON oid = database "
            "WHERE locktype = 'advisory' AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])


@transaction.atomic  # no worker takes it up before its shards are small
def new(snapshot: Snapshot, pooling: str = "") -> Any:
    encoding = services.encode(snapshot=snapshot, by=None, encoder=TINY, pooling=pooling)
    Encoding.objects.filter(pk=encoding.pk).update(shard_size=2)
    return encoding


def has_ended(encoding: Encoding) -> bool:
    encoding.refresh_from_db()
    return encoding.has_ended


@pytest.mark.long
def test_two_workers_share_an_encoding_and_one_finishes_it_when_the_other_dies(
    worker: Worker, doomed: Worker
) -> None:
    snapshot = snapshot_of(frozen(pairs=SHARDS))
    # One for each worker, so that both have imported torch before it comes to sharing.
    alone, other = new(snapshot), new(snapshot, pooling="cls")
    dispatch_until(lambda: has_ended(alone) and has_ended(other), what="each has encoded alone")
    together = new(snapshot)
    wait_until(lambda: at_work() == 2, what="both encode")
    doomed.kill_all()
    assert together.steps.count() < SHARDS
    dispatch_until(lambda: has_ended(together), what="it has ended")
    assert_done(together)
    assert together.matrix == alone.matrix
    assert together.steps.count() == SHARDS
