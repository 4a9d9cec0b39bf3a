"""Fixtures of the tests with a real worker and a real broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobs.worker import Worker, wait_until


def pytest_collection_modifyitems(items: list[pytest.TwinItem]) -> None:
    for item in items:
        if "jobs" in item.path.parts:
            item.add_marker(pytest.mark.race)
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture
def artifacts_folder(tmp_path: Path) -> str:
    """Where a worker whose ``VAR_DIR`` is the test's folder has its own."""
    return str(tmp_path / "artifacts")


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    """A worker that shares this test's artifacts; when it has ended nothing of it may be left."""
    worker = Worker(tmp_path)
    yield worker
    worker.end()
    wait_until(lambda: not worker.left_behind(), what="no process is left behind")
