"""Fixtures of the tests with a real worker and a real broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobs.worker import Worker, wait_until


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "jobs" in item.path.parts:
            item.add_marker(pytest.mark.race)
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ``VAR_DIR`` of the workers."""
    return tmp_path_factory.mktemp("jobs")


@pytest.fixture
def artifacts_folder(folder: Path) -> str:
    """The tests have their artifacts where the workers have theirs."""
    return str(folder / "artifacts")


@pytest.fixture(scope="package")
def worker_process(folder: Path) -> Iterator[Worker]:
    """A worker for all tests here; at the end nothing of it may be left.

    It ends before tests of other folders, whose runs it would execute in its own folder.
    """
    worker_process = Worker(folder)
    yield worker_process
    worker_process.end()
    wait_until(lambda: not worker_process.left_behind(), what="no process is left behind")


@pytest.fixture
def worker(worker_process: Worker, transactional_db: None) -> Worker:
    """A living worker without beat: to start one takes seconds, so only its death needs another."""
    if not worker_process.is_alive():
        worker_process.start()
    return worker_process


@pytest.fixture
def doomed(folder: Path) -> Iterator[Worker]:
    worker = Worker(folder)
    worker.start()
    yield worker
    worker.end()
    wait_until(lambda: not worker.left_behind(), what="no process is left behind")
