"""Fixtures that every room's tests share."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import storages
from django.db import connection

from frontend.selectors import judging


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Close the pool first: a pool that is open keeps pointing at the real database."""
    connection.close()
    connection.close_pool()


@pytest.fixture(autouse=True)
def own_artifacts(settings: Any, tmp_path: Path) -> Iterator[None]:
    """Give each test an artifact folder of its own."""
    backends = {name: dict(backend) for name, backend in settings.STORAGES.items()}
    backends["artifacts"]["OPTIONS"] = {"location": str(tmp_path / "artifacts")}
    settings.STORAGES = backends
    yield
    storages._storages.clear()


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the judges' day have begun half a day ago, also where a test runs over midnight."""
    monkeypatch.setattr(judging, "midnight", lambda now: now - timedelta(hours=12))


@pytest.fixture(autouse=True)
def quick_passwords(settings: Any) -> None:
    """Hash passwords quickly; nothing here is a secret."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
