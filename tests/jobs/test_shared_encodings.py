"""Two real workers on one encoding, one of which dies."""

from typing import Any

import pytest
from django.db import transaction

from corpora.models import Snapshot
from filtering import services
from filtering.models import Encoding
from tests.filtering.stages import TINY, assert_done, frozen, snapshot_of
from tests.jobs.worker import Worker, dispatch_until, held, wait_until

SHARDS = 8


@transaction.atomic  # no worker takes it up before its shards are small
def new(snapshot: Snapshot) -> Any:
    encoding = services.encode(snapshot=snapshot, by=None, encoder=TINY)
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
    alone = new(snapshot)
    dispatch_until(lambda: has_ended(alone), what="one has encoded alone")
    with held():
        together = new(snapshot)
        wait_until(lambda: together.steps.count() == 2, what="both have encoded a shard")
        doomed.kill_all()
    dispatch_until(lambda: has_ended(together), what="it has ended")
    assert_done(together)
    assert together.matrix == alone.matrix
    assert together.steps.count() == SHARDS
