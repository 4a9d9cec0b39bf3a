"""One stores a content again while the same content is deleted: it stays stored."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.storage import storages
from django.utils import timezone

from tests.races.threads import at_once
from winoplatform.artifacts import store, upkeep
from winoplatform.models import Artifact, ArtifactQuerySet

DATA = b"a state"
LINGERS_SECONDS = 0.3  # enough for a put that nothing holds up


def drop(name: str) -> None:
    upkeep.drop([name])


def sweep(name: str) -> None:
    upkeep.sweep(now=timezone.now() + upkeep.KEPT_UNREFERENCED)


@pytest.fixture
def lingering(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], threading.Event]:
    """Let a method of something wait before it begins; return what says that it is about to."""

    def linger(owner: Any, method: str) -> threading.Event:
        reached, real = threading.Event(), getattr(owner, method)

        def slow(*args: Any) -> Any:
            reached.set()
            time.sleep(LINGERS_SECONDS)
            return real(*args)

        monkeypatch.setattr(owner, method, slow)
        return reached

    return linger


def put_while(delete: Callable[[str], None], name: str, reached: threading.Event) -> bool:
    """Store the content when it is about to be deleted; return whether row and file are there."""

    def put() -> Artifact:
        assert reached.wait(10)
        return store.put_bytes(DATA)

    deleted, artifact = at_once(lambda: delete(name), put)
    assert deleted is None
    assert isinstance(artifact, Artifact), artifact
    there = storages["artifacts"].exists(artifact.storage_name)
    return there and Artifact.objects.filter(pk=name).exists()


@pytest.mark.parametrize("delete", [drop, sweep])
def test_what_is_stored_while_it_is_deleted_is_there(
    delete: Callable[[str], None], lingering: Callable[[Any, str], threading.Event]
) -> None:
    artifact = store.put_bytes(DATA)
    assert put_while(delete, artifact.pk, lingering(Artifact, "delete"))


@pytest.mark.parametrize("delete", [drop, sweep])
def test_control_without_the_lock_it_is_lost(
    delete: Callable[[str], None],
    lingering: Callable[[Any, str], threading.Event],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    artifact, lock = store.put_bytes(DATA), ArtifactQuerySet.select_for_update

    def none_on_deleting(rows: ArtifactQuerySet, **how: Any) -> ArtifactQuerySet:
        return rows if how.get("skip_locked") else lock(rows, **how)

    monkeypatch.setattr(ArtifactQuerySet, "select_for_update", none_on_deleting)
    assert not put_while(delete, artifact.pk, lingering(Artifact, "delete"))
