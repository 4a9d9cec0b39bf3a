"""A full disk is said as such, in the one shape, and nothing is stored."""

import errno
import hashlib
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from psycopg.errors import DiskFull

from corpora.core.bundle.archive import write_parquet
from corpora.core.bundle.layout import COLUMNS
from corpora.models import ReferenceSet, Release, SplitForm
from tests.api.calls import API, assert_error, client_of
from tests.factories import (
    ArtifactFactory,
    CampaignFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    TwinFactory,
    UserFactory,
)
from tests.frontend.pages import words
from winoplatform.artifacts import store
from winoplatform.errors import disk_full
from winoplatform.processes import private
from winoplatform.runs.attempts import execute
from winoplatform.runs.models import RunStatus

SAID = "The server’s disk is full, so nothing was stored."
ROW = '{"sentence": "The _ is a cup.", "option1": "pot", "option2": "mug", "answer": "1"}'


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no space for artifacts: each write of a draft fails."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("winoplatform.artifacts.folder.os.fsync", fail)


@pytest.mark.parametrize(
    ("error", "is_full"),
    [
        (OSError(errno.ENOSPC, ""), True),
        (OSError(errno.EDQUOT, ""), True),
        (OSError(errno.EIO, ""), False),
        (ValueError(), False),
        (None, False),
    ],
)
def test_which_errors_tell_of_a_full_disk(error: Exception | None, is_full: bool) -> None:
    assert (disk_full(error) is not None) == is_full


def test_the_database_s_full_disk_counts_too() -> None:
    error = OperationalError()
    error.__cause__ = DiskFull()
    refusal = disk_full(error)
    assert refusal is not None
    assert (refusal.code, refusal.status) == ("disk_full", 507)


def test_an_upload_by_the_api_gets_507_and_leaves_nothing(db: None, full: None) -> None:
    client = client_of(UserFactory(curator=True))
    client.raise_request_exception = False
    body = {"name": "tiny", "format": "table", "splits": {"test": ROW}}
    response = client.post(f"{API}reference-sets/", body)
    assert_error(response, 507, "disk_full")
    assert SAID in response.json()["error"]["message"]
    assert not ReferenceSet.objects.exists()


def test_an_upload_by_a_page_says_it_and_leaves_nothing(db: None, full: None) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(curator=True))
    sent = {"file": SimpleUploadedFile("a.txt", b"How to boil water\n\nPut the kettle on.")}
    address = reverse("campaign-articles", args=[CampaignFactory().slug])
    response = client.post(address, sent)
    assert response.status_code == 507
    assert SAID in words(response)


def test_a_file_that_the_web_server_cannot_keep_gets_507(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    target = "django.core.files.uploadhandler.TemporaryFileUploadHandler.receive_data_chunk"
    monkeypatch.setattr(target, fail)
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(curator=True))
    response = client.post(reverse("invite-list"), {"file": SimpleUploadedFile("a.csv", b"a")})
    assert response.status_code == 507


@pytest.fixture
def full_temporary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let temporary files lie on a full disk: the kernel's own."""

    def on_a_full_disk(*_: object, **__: object) -> object:
        return Path("/dev/full").open("r+b", buffering=0)

    monkeypatch.setattr("tempfile.TemporaryFile", on_a_full_disk)


def test_a_part_of_an_export_gets_507(db: None, full_temporary: None) -> None:
    campaign = TwinFactory().campaign
    client = client_of(UserFactory(curator=True))
    client.raise_request_exception = False
    url = f"{API}campaigns/{campaign.slug}/export/questions?format=csv"
    for _ in range(2):  # the turn of the first has ended
        response = client.get(url, headers={"Range": "bytes=0-0"})
        assert_error(response, 507, "disk_full")


@pytest.mark.parametrize("where", ["full", "full_temporary"])
def test_a_split_that_cannot_be_converted_gets_507_and_is_made_later(
    db: None, where: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = BytesIO()
    write_parquet([dict.fromkeys(COLUMNS, "x")], table)
    release = ReleaseFactory(name="v1", finished=True, is_public=True)
    stored = ArtifactFactory(content=table.getvalue())
    ReleaseFileFactory(release=release, name="data/dev.parquet", artifact=stored)
    client = client_of(None)
    client.raise_request_exception = False
    request.getfixturevalue(where)
    response = client.get(f"{API}releases/v1/splits/dev?format=csv")
    assert_error(response, 507, "disk_full")
    assert not SplitForm.objects.exists()
    monkeypatch.undo()
    assert client.get(f"{API}releases/v1/splits/dev?format=csv").status_code == 200


def test_a_command_that_cannot_write_says_it(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = TwinFactory().campaign
    full = partial(Path("/dev/full").open, "wb", buffering=0)
    monkeypatch.setattr(private, "create", lambda *_: full())
    with pytest.raises(CommandError, match="disk is full"):
        call_command("export_campaign", campaign.slug, str(tmp_path / "out"))
    assert list((tmp_path / "out").iterdir()) == []


def test_an_artifact_is_whole_or_absent(db: None, full: None) -> None:
    with pytest.raises(OSError, match="No space"):
        store.put_file(BytesIO(b"many bytes"))
    digest = hashlib.sha256(b"many bytes").hexdigest()
    assert not store.local_path(digest).exists()
    assert not list(store.local_path(digest).parent.glob(f".{digest}*"))


def test_a_release_that_cannot_be_written_says_why(db: None) -> None:
    release = ReleaseFactory()

    def fail(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        execute(Release, release.pk, fail)
    release.refresh_from_db()
    assert release.status == RunStatus.FAILED
    assert release.failure.startswith(SAID)
