"""A worker that is killed while it sends a copy: the next one ends it, complete and once."""

import signal
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import psutil
import pytest

from corpora.models import Release
from publishing import services
from publishing.models import Publication
from tests.jobs.worker import Worker, dispatch_until, wait_until
from tests.publishing.copies import public_files, small_release, sums
from tests.publishing.hub import Hub
from tests.publishing.stand_in import TOKEN, Asked, Reply, serving

pytestmark = pytest.mark.long


class DeadlyHub(Hub):
    """Kills who sends the request of a number, before it takes effect or after."""

    deaths = fatal = 0
    is_before = False

    def kill_at(self, number: int, *, is_before: bool, kill: Callable[[], None]) -> None:
        self.fatal, self.is_before, self.kill = len(self.log) + number, is_before, kill

    def answer(self, asked: Asked) -> Reply:
        if len(self.log) != self.fatal:
            return super().answer(asked)
        reply = Reply(500) if self.is_before else super().answer(asked)
        self.kill()
        self.deaths += 1
        return reply


@pytest.fixture
def hub(settings: Any) -> Iterator[DeadlyHub]:
    with serving(DeadlyHub()) as service:
        settings.HF_ENDPOINT, settings.HUB_TOKEN = service.url, TOKEN
        yield service


@pytest.fixture
def sender(folder: Path, hub: DeadlyHub, transactional_db: None) -> Iterator[Worker]:
    """A worker that knows the stand-in."""
    worker = Worker(folder, {"HF_ENDPOINT": hub.url, "HUB_TOKEN": TOKEN})
    worker.start()
    yield worker
    worker.end()
    wait_until(lambda: not worker.left_behind(), what="no process is left behind")


def published(release: Release, name: str) -> Publication:
    """Ask for a copy, and wait for its end."""
    run = services.publish_release(release=release, to=f"hub:{name}", by=None)

    def has_ended() -> bool:
        run.refresh_from_db()
        return run.has_ended

    dispatch_until(has_ended, what="the copy has ended")
    return run


def kill_child(worker: Worker) -> None:
    """Kill the process that sends, and return when it is gone."""
    child: psutil.Process = worker.child()
    child.send_signal(signal.SIGKILL)
    child.wait(10)


@pytest.mark.timeout(1500)
def test_a_worker_killed_at_any_request_leaves_a_copy_that_ends_complete_once(
    sender: Worker, hub: DeadlyHub
) -> None:
    release = small_release()
    published(release, "our-group/unbroken")
    n = len(hub.log)
    assert n > 10
    for deaths, (number, is_before) in enumerate(product(range(1, n + 1), (True, False)), 1):
        name = f"our-group/twins-{number}-{is_before}".lower()
        hub.storage.clear()
        hub.kill_at(number, is_before=is_before, kill=partial(kill_child, sender))
        run = published(release, name)
        assert (run.status, run.attempt, hub.deaths) == ("done", 2, deaths), run.failure
        repository = hub.repositories[name]
        assert sums(hub.files(name)) == public_files(release)
        assert len(repository.commits) == 2  # that of the Hub itself is the first
        assert repository.tags == {f"v{release.version}": run.revision}
        steps = run.steps.values_list("what", flat=True)
        assert len(steps) == len(set(steps)) == len(public_files(release)) + 2
    assert sender.is_alive()
