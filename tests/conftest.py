"""Fixtures that every room's tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.storage import storages
from pytest_django.fixtures import SettingsWrapper


@pytest.fixture(autouse=True)
def own_artifacts(settings: SettingsWrapper, tmp_path: Path) -> Iterator[None]:
    """Give each test an artifact folder of its own."""
    backends = {name: dict(backend) for name, backend in settings.STORAGES.items()}
    backends["artifacts"]["OPTIONS"] = {"location": str(tmp_path / "artifacts")}
    settings.STORAGES = backends
    yield
    storages._storages.clear()


@pytest.fixture(autouse=True)
def quick_passwords(settings: SettingsWrapper) -> None:
    """Hash passwords quickly; nothing here is a secret."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
