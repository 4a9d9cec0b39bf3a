"""Fixtures that every room's tests share."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.core.files.storage import storages
from django.db import connection

from frontend.selectors import judging
from tests import shortcuts

shortcuts.take()
_folders = count()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Close the pool first: a pool that is open keeps pointing at the real database."""
    connection.close()
    connection.close_pool()


@pytest.fixture
def artifacts_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a test's artifacts lie; it is made for those few tests only that store some."""
    return str(tmp_path_factory.getbasetemp() / f"artifacts-{next(_folders)}")


@pytest.fixture(autouse=True)
def own_artifacts(settings: Any, artifacts_folder: str) -> Iterator[None]:
    """Give each test an artifact folder of its own."""
    backends = {name: dict(backend) for name, backend in settings.STORAGES.items()}
    backends["artifacts"]["OPTIONS"] = {"location": artifacts_folder}
    settings.STORAGES = backends
    yield
    storages._storages.clear()


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the judges' day have begun half a day ago, also where a test runs over midnight."""
    monkeypatch.setattr(judging, "midnight", lambda now: now - timedelta(hours=12))
