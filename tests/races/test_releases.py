"""Two releases of a campaign are built at once: each is whole, or fails and decides nothing."""

from contextlib import contextmanager
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from corpora import services
from corpora.building import build
from corpora.models import BlindSentence, Release, Snapshot
from corpora.selectors import read_index
from tests.filtering.stages import frozen, snapshot_of
from tests.races.threads import at_once
from winoplatform.runs.kinds import execute_here


def two_requests(**fields: str) -> list[Release]:
    """Requests for releases of the same twins, of which some are blind and not decided."""
    snapshot: Snapshot = snapshot_of(frozen(pairs=12), dev_share="0.2", test_share="0.4")
    return [
        services.build_release(snapshot=snapshot, name=name, by=None, **fields)
        for name in ("one", "two")
    ]


def built(requests: list[Release]) -> list[Release]:
    at_once(*[partial(execute_here, one) for one in requests])
    for one in requests:
        one.refresh_from_db()
    return requests


def blind(release: Release) -> set[str]:
    return {row["question"] for row in read_index(release) if row["split"] == "test"}


def test_two_builds_at_once_follow_each_other() -> None:
    made = built(two_requests())
    assert [one.status for one in made] == ["done", "done"]
    assert sorted(one.version for one in made) == ["1.0.0", "1.0.1"]
    first, second = sorted(made, key=lambda one: one.version)
    assert (first.previous, second.previous) == (None, first)
    assert blind(first) == blind(second) != set()
    assert set(BlindSentence.objects.values_list("release", flat=True)) == {first.pk}


def test_of_two_builds_with_one_version_the_second_fails_with_a_sentence() -> None:
    made = built(two_requests(version="1.0.0"))
    done, failed = sorted(made, key=lambda one: one.status)
    assert (done.status, failed.status) == ("done", "failed")
    assert failed.failure.startswith("Version 1.0.0 is too low, since a version is used once")
    assert not failed.files.exists()
    assert set(BlindSentence.objects.values_list("release", flat=True)) == {done.pk}


def test_without_the_lock_one_of_two_builds_breaks_the_constraint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: both plan before either decides, so the second decides again."""
    finish, planned = build._finish, Barrier(2)

    @contextmanager
    def nobody(name: str, **_: Any) -> Any:
        yield True

    def finish_together(*args: Any) -> None:
        planned.wait(60)
        finish(*args)

    monkeypatch.setattr(build.locks, "held", nobody)
    monkeypatch.setattr(build, "_finish", finish_together)
    made = built(two_requests())
    assert sorted(one.status for one in made) != ["done", "done"]
    assert [one.version for one in made] == ["1.0.0", "1.0.0"]
    assert len(set(BlindSentence.objects.values_list("release", flat=True))) == 1
