"""Files with labels are their owner's alone, whatever the umask."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from tests.factories import CampaignFactory
from validation.exports.campaigns import write_campaign
from winoplatform.artifacts.store import AtomicFileStorage
from winoplatform.processes import private


@pytest.fixture(autouse=True)
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def readable_by_others(folder: Path) -> list[str]:
    mask = stat.S_IRWXG | stat.S_IRWXO
    return [str(path) for path in (folder, *folder.rglob("*")) if path.stat().st_mode & mask]


def test_artifacts_are_private(tmp_path: Path) -> None:
    AtomicFileStorage(location=str(tmp_path / "new")).save("ab/cd", ContentFile(b"labels"))
    assert readable_by_others(tmp_path / "new") == []


def test_exports_of_a_campaign_are_private(tmp_path: Path) -> None:
    assert list(write_campaign(CampaignFactory(), "csv", tmp_path / "export"))
    assert readable_by_others(tmp_path / "export") == []


def test_a_file_that_was_open_to_all_becomes_private(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("labels")
    with private.create(path) as file:
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == private.FILE_MODE
