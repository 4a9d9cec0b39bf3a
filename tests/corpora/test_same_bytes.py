"""A release has the same bytes from the command, over REST and from its page."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from corpora.core.bundle.layout import SUMS
from corpora.models import Release
from tests.corpora.test_unfiltered_releases import unfiltered
from tests.filtering.stages import frozen, snapshot_of

NAME = "same-1"


@pytest.fixture
def release() -> Release:
    """Released publicly, so that no account is needed."""
    snapshot = snapshot_of(frozen(pairs=40, unpaired=4), dev_share="0.20", test_share="0.20")
    unfiltered(snapshot, name=NAME)
    Release.objects.update(is_public=True)
    return Release.objects.get()


def by_command(folder: Path) -> dict[str, bytes]:
    call_command("export_release", NAME, str(folder))
    call_command("export_release", NAME, str(folder / f"{NAME}.zip"))
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def downloaded(address: str) -> bytes:
    return b"".join(Client().get(address).streaming_content)


def test_command_rest_and_page_give_the_same_bytes(release: Release, tmp_path: Path) -> None:
    files = by_command(tmp_path)
    assert set(files) == {one.name for one in release.files.filter(restricted=False)}
    assert {f"{NAME}.zip", "data/dev.parquet", "provenance/votes.jsonl"} < set(files)
    over_rest = f"/api/v1/releases/{release.public_id}/files/"
    for name, content in files.items():
        assert downloaded(f"{over_rest}{name}") == content, name
        assert downloaded(reverse("release-file", args=[NAME, name])) == content, name


def test_the_zip_has_the_bytes_of_the_single_files(release: Release, tmp_path: Path) -> None:
    files = by_command(tmp_path)
    archive = zipfile.ZipFile(io.BytesIO(files.pop(f"{NAME}.zip")))
    assert {one: archive.read(one) for one in archive.namelist()} == {
        f"{NAME}/{name}": content for name, content in files.items()
    }
    listed = dict(line.split("  ")[::-1] for line in files.pop(SUMS).decode().splitlines())
    assert listed == {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
