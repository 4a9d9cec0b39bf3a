"""Many ask at once for a split that nobody has converted yet: it is converted once."""

import io
import time
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError

from corpora.core.bundle.archive import write_parquet
from corpora.core.bundle.layout import COLUMNS
from corpora.models import ReleaseFile, SplitForm
from corpora.services import split_as, split_forms
from tests.factories import ArtifactFactory, ReleaseFactory, ReleaseFileFactory
from tests.races.threads import at_once
from winoplatform.db import locks
from winoplatform.errors import DomainError


def a_file() -> ReleaseFile:
    table = io.BytesIO()
    write_parquet([dict.fromkeys(COLUMNS, "x")], table)
    artifact = ArtifactFactory(content=table.getvalue())
    release = ReleaseFactory(finished=True)
    return ReleaseFileFactory(release=release, name="data/dev.parquet", artifact=artifact)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The conversions, each of which takes a moment."""
    found: list[str] = []
    make = split_forms._convert

    def slow(file: ReleaseFile, form: str) -> Any:
        found.append(form)
        time.sleep(0.3)
        return make(file, form)

    monkeypatch.setattr(split_forms, "_convert", slow)
    return found


def test_ten_requests_at_once_convert_once(made: list[str]) -> None:
    file = a_file()
    artifacts = at_once(*[partial(split_as, file, "csv")] * 10)
    assert {one.pk for one in artifacts} == {SplitForm.objects.get().artifact_id}
    assert made == ["csv"]


def test_without_the_lock_they_convert_more_often(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def unlocked(name: str) -> Any:
        yield True

    monkeypatch.setattr(locks, "held", unlocked)
    results = at_once(*[partial(split_as, a_file(), "csv")] * 4)
    assert len(made) == 4
    assert sum(isinstance(one, IntegrityError) for one in results) == 3


def test_who_waits_too_long_is_told_to_come_back(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(split_forms, "WAIT_SECONDS", 0.0)
    results = at_once(*[partial(split_as, a_file(), "csv")] * 2)
    [refused] = [one for one in results if isinstance(one, DomainError)]
    assert (refused.code, refused.status) == ("being_made", 503)
