"""Files that are no longer needed are deleted; files needed now or soon never are."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.apps import apps
from django.core.files.base import File
from django.core.files.storage import storages
from django.db import OperationalError, connection, models, transaction
from django.utils import timezone
from django.utils.functional import Promise

from tests import factories
from tests.corpora.sets import imported
from winoplatform.artifacts import store, upkeep
from winoplatform.artifacts.folder import AtomicFileStorage
from winoplatform.celery import app
from winoplatform.models import Artifact


def later() -> Any:
    return timezone.now() + upkeep.KEPT_UNREFERENCED


def is_stored(artifact: Artifact) -> bool:
    """Whether row and file are there: both, or neither."""
    has_row = Artifact.objects.filter(pk=artifact.pk).exists()
    assert storages["artifacts"].exists(artifact.storage_name) == has_row
    return has_row


def test_what_its_one_owner_lets_go_is_deleted_at_once() -> None:
    artifact, other = store.put_bytes(b"a state"), store.put_bytes(b"another")
    upkeep.drop([artifact.sha256, "0" * 64])
    assert [is_stored(artifact), is_stored(other)] == [False, True]
    assert is_stored(store.put_bytes(b"a state"))


def test_what_two_have_stored_is_not_dropped_by_one_of_them() -> None:
    """The other may be about to refer to it; an hour later it would have."""
    artifact = store.put_bytes(b"a state")
    store.put_bytes(b"a state")
    upkeep.drop([artifact.sha256])
    assert is_stored(artifact)
    upkeep.sweep(now=later())
    assert not is_stored(artifact)


def test_what_is_still_referred_to_is_not_dropped() -> None:
    epoch = factories.TuningEpochFactory()
    upkeep.drop([epoch.state_id])
    assert is_stored(epoch.state)


def test_what_is_referred_to_in_the_last_moment_keeps_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if the row that refers to it were stored after Django has looked for one."""
    epoch = factories.TuningEpochFactory()
    unseen = Artifact.objects.filter(pk=epoch.state_id)
    monkeypatch.setattr(Artifact, "delete", lambda self: unseen._raw_delete("default"))
    upkeep.drop([epoch.state_id])
    assert is_stored(epoch.state)


def test_what_nothing_refers_to_is_swept_an_hour_after_it_was_last_stored() -> None:
    artifact = store.put_bytes(b"left behind")
    half = upkeep.KEPT_UNREFERENCED / 2
    assert upkeep.sweep(now=timezone.now() + half) == 0
    Artifact.objects.update(put_at=timezone.now() - timedelta(days=1))
    store.put_bytes(b"left behind")
    assert upkeep.sweep(now=timezone.now() + half) == 0
    assert is_stored(artifact)
    assert upkeep.sweep(now=later()) == 1
    assert not is_stored(artifact)


FINISHED: list[Callable[[], Any]] = [
    lambda: factories.EncodingFactory(finished=True),
    lambda: factories.TuningEpochFactory(),
    lambda: factories.PhaseFactory(),
    lambda: factories.AssessmentFactory(finished=True, places=factories.ArtifactFactory()),
    lambda: factories.ReleaseFileFactory(),
    lambda: factories.ReleaseFileFactory().forms.create(
        form="csv", artifact=factories.ArtifactFactory()
    ),
    lambda: factories.ReleaseReportFactory(),
    lambda: factories.EvaluationFactory(finished=True),
    lambda: factories.EvaluationFactory(
        method="predictions", system_name="other", upload=factories.ArtifactFactory()
    ),
    lambda: factories.FineTuningFactory(finished=True).steps.create(
        number=1,
        attempt=1,
        seconds=1.0,
        epoch=1,
        batch=1,
        is_epoch_end=True,
        loss=0.7,
        dev_accuracy=0.5,
        dev_metrics={},
        probabilities=factories.ArtifactFactory(),
        state=factories.ArtifactFactory(),
    ),
    lambda: factories.SweepFactory(finished=True),
    lambda: factories.KnowledgeEvaluationFactory(finished=True),
    lambda: factories.KnowledgeReleaseFileFactory(release__frozen=factories.ArtifactFactory()),
    imported,
    lambda: factories.EncodingFactory(finished=True).steps.create(
        number=1, attempt=1, seconds=1.0, vectors=factories.ArtifactFactory()
    ),
    lambda: factories.SentenceEncodingFactory(finished=True).steps.create(
        number=1, attempt=1, seconds=1.0, vectors=factories.ArtifactFactory()
    ),
]


@pytest.mark.long
def test_what_any_row_refers_to_is_never_swept() -> None:
    for make in FINISHED:
        make()
    columns = [
        (model, field.attname)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, models.ForeignKey) and field.related_model is Artifact
    ]
    needed = {
        name
        for model, column in columns
        for name in model._base_manager.exclude(**{column: None}).values_list(column, flat=True)
    }
    assert all(model._base_manager.exclude(**{column: None}).exists() for model, column in columns)
    upkeep.sweep(now=later())
    assert {artifact.pk for artifact in Artifact.objects.all() if is_stored(artifact)} == needed


def test_who_stores_a_content_again_while_it_is_swept_has_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sweep comes at the worst moment: just when it is looked whether the file is there."""
    store.put_bytes(b"left behind")
    Artifact.objects.update(put_at=timezone.now() - timedelta(days=1))
    storage, swept = storages["artifacts"], []
    exists = storage.exists

    def looking(name: str) -> bool:
        found = exists(name)
        swept.append(upkeep.sweep(now=timezone.now()))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(storage, "exists", looking)
        artifact = store.put_bytes(b"left behind")
    assert swept == [0]
    assert is_stored(artifact)


class RefusedError(Exception):
    """As of a storage that is no folder."""


@pytest.mark.long
@pytest.mark.parametrize("error", [PermissionError, RefusedError])
def test_a_store_that_refuses_costs_no_run_its_end_and_is_asked_again(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    artifact, other = store.put_bytes(b"a state"), store.put_bytes(b"another")
    delete = storages["artifacts"].delete

    def refuse(name: str) -> None:
        if name != other.storage_name:
            raise error(name)
        delete(name)

    with monkeypatch.context() as patch:
        patch.setattr(storages["artifacts"], "delete", refuse)
        upkeep.drop([artifact.sha256])
        assert is_stored(artifact)
        assert upkeep.sweep(now=later()) == 1
        assert [is_stored(artifact), is_stored(other)] == [True, False]
    assert upkeep.sweep(now=later()) == 1


def test_an_error_of_the_database_is_not_taken_for_one_of_the_store(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(artifact: Artifact) -> None:
        raise OperationalError

    artifact = store.put_bytes(b"a state")
    monkeypatch.setattr(Artifact, "delete", fail)
    with pytest.raises(OperationalError):
        upkeep.drop([artifact.sha256])


def test_within_a_transaction_nothing_is_deleted() -> None:
    """Rolled back, it would bring back the row and not the file."""
    artifact = store.put_bytes(b"a state")
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        upkeep.drop([artifact.sha256])
    Artifact.objects.update(put_at=timezone.now() - timedelta(days=1))
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        upkeep.sweep(now=later())
    assert is_stored(artifact)


def age(path: Path) -> None:
    hours_ago = (timezone.now() - 2 * upkeep.KEPT_UNREFERENCED).timestamp()
    os.utime(path, (hours_ago, hours_ago))


def test_a_file_without_a_row_is_left_for_the_database_that_is_yet_to_be_restored() -> None:
    artifact = store.put_bytes(b"of a run")
    Artifact.objects.all().delete()
    path = store.local_path(artifact.sha256)
    age(path)
    assert upkeep.sweep(now=timezone.now()) == 0
    assert path.exists()


DIES_WRITING = """
import os, signal, sys
import django
django.setup()
from winoplatform.artifacts.folder import AtomicFileStorage

class Content:
    def chunks(self):
        yield b"half of a state"
        os.kill(os.getpid(), signal.SIGKILL)

AtomicFileStorage(location=sys.argv[1]).save(sys.argv[2], Content())
"""


@pytest.mark.long
def test_the_draft_of_a_writer_that_was_killed_is_swept_an_hour_later(
    artifacts_folder: str,
) -> None:
    name = Artifact(sha256="ab" * 32).storage_name
    died = subprocess.run([sys.executable, "-c", DIES_WRITING, artifacts_folder, name], check=False)
    assert died.returncode == -signal.SIGKILL
    [draft] = Path(artifacts_folder, "ab").iterdir()
    assert upkeep.sweep(now=timezone.now()) == 0
    assert draft.exists()
    age(draft)
    assert upkeep.sweep(now=timezone.now()) == 1
    assert not draft.exists()


def test_files_that_the_store_has_not_made_are_not_swept(artifacts_folder: str) -> None:
    names = ("README", "ab/.nfs01", f"ab/{'ab' * 32}.safetensors")
    others = [Path(artifacts_folder, name) for name in names]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("Somebody's own.")
        age(path)
    assert upkeep.sweep(now=timezone.now()) == 0
    assert all(path.exists() for path in others)


def test_a_store_that_is_no_folder_is_swept_too(settings: Any) -> None:
    backend = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "artifacts": backend}
    artifact = store.put_bytes(b"left behind")
    assert upkeep.sweep(now=later()) == 1
    assert not is_stored(artifact)


def test_killed_between_the_file_and_the_row_it_leaves_what_the_next_one_repairs() -> None:
    artifact = store.put_bytes(b"left behind")
    storages["artifacts"].delete(artifact.storage_name)
    assert is_stored(store.put_bytes(b"left behind"))
    storages["artifacts"].delete(artifact.storage_name)
    assert upkeep.sweep(now=later()) == 1


def test_beat_sweeps() -> None:
    artifact = store.put_bytes(b"left behind")
    Artifact.objects.update(put_at=timezone.now() - timedelta(days=1))
    app.loader.import_default_modules()
    app.tasks[app.conf.beat_schedule["sweep-artifacts"]["task"]]()
    assert not is_stored(artifact)


def test_an_artifact_comes_back_as_it_went_in() -> None:
    artifact = store.put_bytes(b"twins\n")

    with store.open_artifact(artifact) as file:
        assert file.read() == b"twins\n"
    assert artifact.size == 6


def test_the_same_content_is_stored_once() -> None:
    first, second = store.put_bytes(b"same"), store.put_bytes(b"same")

    assert first == second
    assert Artifact.objects.count() == 1


def test_an_array_opens_as_a_read_only_memory_map() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)

    loaded = store.load_array(store.put_array(array))

    assert isinstance(loaded, np.memmap)
    assert not loaded.flags.writeable
    np.testing.assert_array_equal(loaded, array)


class Broken(io.BytesIO):
    """A file that fails in the middle of being read."""

    def read(self, size: int | None = -1) -> bytes:
        if self.tell() >= 100:
            raise OSError("the disk is gone")
        return super().read(100)


def test_a_write_that_fails_midway_leaves_nothing(tmp_path: Path) -> None:
    storage = AtomicFileStorage(location=str(tmp_path))

    with pytest.raises(OSError, match="the disk is gone"):
        storage.save("ab/whole", File(Broken(b"x" * 1000)))

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.race
@pytest.mark.django_db(transaction=True)
def test_many_writers_of_the_same_content_make_one_artifact() -> None:
    def write(_: Any) -> str:
        try:
            return store.put_bytes(b"y" * 100_000).sha256
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        names = set(pool.map(write, range(24)))

    assert len(names) == 1
    assert Artifact.objects.count() == 1


def test_what_is_said_of_an_artifact_can_be_translated() -> None:
    said = [field.help_text for field in Artifact._meta.fields if field.help_text]
    assert said
    assert all(isinstance(text, Promise) for text in said)
