"""A backup holds all that an installation had; a restore gives it back, and what was open ends."""

import json
import stat
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from corpora.models import DrawTable
from tests import old_databases
from tests.access.planted import planted_world
from tests.factories import (
    CampaignFactory,
    EncodingFactory,
    LedgerEntryFactory,
    SeatFactory,
    SnapshotFactory,
    UserFactory,
)
from tests.filtering.stages import contents
from tests.kept import artifacts_in
from validation.models import Seat
from winoplatform.artifacts import store, upkeep
from winoplatform.backups import folder as folders
from winoplatform.backups import making, programs, restoring
from winoplatform.runs import attempts
from workers import services
from workers.models import ApiToken, LedgerEntry, User

pytestmark = pytest.mark.django_db(transaction=True)
Elsewhere = Callable[[], AbstractContextManager[None]]
DIGESTS = """
SELECT md5(coalesce(string_agg(line, chr(10) ORDER BY line), ''))
FROM (SELECT (to_jsonb(t) - 'leased_until')::text AS line FROM {table} t) AS lines
"""
NOT_IN_BACKUPS = {"django_session", "usersessions_usersession", "workers_apitoken"}


@pytest.fixture
def elsewhere(django_db_blocker: DjangoDbBlocker, tmp_path: Path) -> Elsewhere:
    """Another installation: an empty database, and an artifact folder of its own."""

    @contextmanager
    def other() -> Iterator[None]:
        with (
            old_databases.empty_database(django_db_blocker),
            artifacts_in(str(tmp_path / "elsewhere")),
        ):
            yield

    return other


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def backup(target: Path, *options: str) -> str:
    said = StringIO()
    call_command("backup", str(target), *options, stdout=said)
    return said.getvalue()


def restore(target: Path, *options: str) -> str:
    said = StringIO()
    call_command("restore", str(target), *options, stdout=said)
    return said.getvalue()


def only(target: Path) -> Path:
    [name] = folders.BackupFolder(target).names()
    return target / name


def digests() -> dict[str, str]:
    """A digest of each table's rows, without the ends of leases."""
    tables = set(connection.introspection.table_names()) - NOT_IN_BACKUPS
    with connection.cursor() as cursor:
        found = {}
        for table in sorted(tables):
            cursor.execute(DIGESTS.format(table=table))
            [found[table]] = cursor.fetchone()
    return found


def claimed(model: type[models.Model]) -> int:
    return model._base_manager.filter(leased_until__gt=timezone.now()).count()


def test_a_restored_installation_has_every_row_and_file_and_nothing_is_open(
    target: Path, elsewhere: Elsewhere
) -> None:
    """With open seats, drafts, a run under way, and draws that are only committed to."""
    world = planted_world(releases=["one"])
    [release] = world.releases
    SeatFactory(worker=UserFactory())
    run = EncodingFactory()
    assert attempts.claim(type(run), run.pk) is not None
    assert claimed(Seat)
    assert claimed(type(run))
    assert DrawTable.objects.exists()
    assert backup(target).split(":")[1].startswith(" the database and ")
    before, files = digests(), contents(release)
    with elsewhere():
        assert "The ledger is reconciled." in restore(target)
        assert digests() == before
        assert contents(release) == files
        run.refresh_from_db()
        assert (claimed(Seat), claimed(type(run)), run.status) == (0, 0, "running")
        again = attempts.claim(type(run), run.pk)
        assert again is not None
        assert again.attempt == 2
        assert not ApiToken.objects.exists()
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM django_session, usersessions_usersession")
            assert cursor.fetchone() == (0,)
            cursor.execute(
                "SELECT has_table_privilege(%s, 'workers_ledgerentry', 'UPDATE')",
                [settings.DATABASE_ROLE],
            )
            assert cursor.fetchone() == (False,)
        with pytest.raises(CommandError, match="is not empty"):
            restore(target)


@pytest.mark.long
def test_a_second_backup_copies_what_is_new_and_old_ones_go_with_their_files(target: Path) -> None:
    first = SnapshotFactory(finished=True)
    assert backup(target).endswith("the database and 1 artifacts, 1 of them new.\n")
    older(target)
    other = store.put_bytes(b"another")
    SnapshotFactory(finished=True, questions=other)
    assert backup(target).endswith("the database and 2 artifacts, 1 of them new.\n")
    older(target, "2020-02-01T00-00-00Z")
    first.delete()
    assert "2 older backups deleted." in backup(target, "--keep-days", "30")
    assert [path.name for path in target.glob("artifacts/*/*")] == [other.sha256]
    assert only(target).name > "2026"


def older(target: Path, name: str = "2020-01-01T00-00-00Z") -> str:
    """Give the newest backup an older name, since it is named by its second."""
    (target / folders.BackupFolder(target).names()[-1]).rename(target / name)
    return name


@pytest.mark.long
def test_a_backup_that_was_killed_is_none_and_the_next_one_removes_it(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SnapshotFactory(finished=True)
    with monkeypatch.context() as patch:
        patch.setattr(folders.BackupFolder, "complete", interrupt)
        with pytest.raises(KeyboardInterrupt):
            backup(target)
    [half] = target.glob("2*")
    assert (half / folders.DATABASE).exists()
    with pytest.raises(CommandError, match="no complete backup"):
        restore(target)
    with pytest.raises(CommandError, match="no complete backup"):
        restore(target, "--name", half.name)
    half = half.rename(target / "2020-01-01T00-00-00Z")
    [whole] = target.glob("artifacts/*/*")
    draft = whole.with_name(f".{whole.name}.000000000000")
    draft.touch()
    backup(target)
    assert not half.exists()
    assert not draft.exists()
    assert only(target).exists()


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.long
@pytest.mark.parametrize(
    ("owner", "step"),
    [(restoring, "_restore_artifact"), (programs, "_copy"), (restoring, "_end_leases")],
)
def test_a_restore_that_was_killed_has_left_an_empty_database_and_is_repeated(
    owner: Any, step: str, target: Path, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = SnapshotFactory(finished=True)
    backup(target)
    with elsewhere():
        with monkeypatch.context() as patch:
            patch.setattr(owner, step, interrupt)
            with pytest.raises(KeyboardInterrupt):
                restore(target)
        connection.close()
        restoring.refuse_tables()
        restore(target)
        snapshot.refresh_from_db()
        assert store.is_intact(snapshot.questions_id)


@pytest.mark.long
def test_what_is_damaged_is_not_restored(target: Path, elsewhere: Elsewhere) -> None:
    snapshot = SnapshotFactory(finished=True)
    backup(target)
    damage(folders.BackupFolder(target).artifact(snapshot.questions_id))
    with elsewhere(), pytest.raises(CommandError, match=f"{snapshot.questions_id} is missing or"):
        restore(target)
    damage(only(target) / folders.DATABASE)
    with elsewhere(), pytest.raises(CommandError, match=r"database of the backup .* is damaged"):
        restore(target)
    (only(target) / folders.MANIFEST).write_text("{")
    with elsewhere(), pytest.raises(CommandError, match=r"manifest of the backup .* is damaged"):
        restore(target)


def damage(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(bytes([data[0] ^ 1]) + data[1:])


def test_an_artifact_that_the_store_lacks_is_named_and_the_rest_is_backed_up(target: Path) -> None:
    snapshot, other = SnapshotFactory(finished=True), store.put_bytes(b"whole")
    SnapshotFactory(finished=True, questions=other)
    damage(store.local_path(snapshot.questions_id))
    with pytest.raises(CommandError, match=f"lacks 1 artifacts, .*{snapshot.questions_id}"):
        backup(target)
    manifest = json.loads((only(target) / folders.MANIFEST).read_bytes())
    assert manifest["missing"] == [snapshot.questions_id]
    assert manifest["artifacts"] == {other.sha256: 5}


@pytest.mark.long
def test_who_was_erased_after_a_backup_is_erased_again_with_it(
    target: Path, elsewhere: Elsewhere
) -> None:
    erased, owed, stays = (UserFactory(email=f"{n}@example.org") for n in ("a", "b", "c"))
    budget = CampaignFactory().public_id
    entry = LedgerEntryFactory(worker=owed, kind=LedgerEntry.Kind.BONUS, budget=budget)
    backup(target)
    earlier = older(target)
    admin = UserFactory(admin=True)
    for account in (erased, owed):
        services.erase_person(account=account, by=admin, pay=services.VOID)
    backup(target)
    with elsewhere():
        said = restore(target, "--name", earlier)
        names = User.objects.order_by("pk").values_list("email", flat=True)
        assert [*names] == ["", owed.email, stays.email]
        assert User.objects.get(pk=erased.pk).erased_at is not None
        assert f"{User.objects.get(pk=owed.pk).public_id} was erased after this backup" in said
        assert LedgerEntry.objects.get() == entry


def test_nothing_is_deleted_from_the_store_while_a_backup_copies(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    artifact = store.put_bytes(b"dropped meanwhile")
    copy = making._copy_artifacts

    def drop_and_copy(*given: Any) -> Any:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(drop, artifact.sha256).result()
        assert store.is_intact(artifact.sha256)
        return copy(*given)

    monkeypatch.setattr(making, "_copy_artifacts", drop_and_copy)
    backup(target)
    upkeep.drop([artifact.sha256])
    assert not store.is_intact(artifact.sha256)


def drop(sha256: str) -> None:
    upkeep.drop([sha256])
    connection.close()


@pytest.mark.long
def test_secrets_are_in_a_backup_only_when_asked_for(target: Path) -> None:
    backup(target)
    files = [path for path in target.rglob("*") if path.is_file()]
    assert not [path for path in files if settings.SECRET_KEY.encode() in path.read_bytes()]
    older(target)
    backup(target, "--with-secrets")
    [path] = target.rglob(folders.SECRETS)
    assert settings.SECRET_KEY in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_with_other_files_is_refused(target: Path) -> None:
    target.mkdir()
    (target / "thesis.tex").touch()
    with pytest.raises(CommandError, match="has other files"):
        backup(target)


def test_two_backups_do_not_write_into_a_folder_at_once(target: Path) -> None:
    folder = folders.BackupFolder(target)
    folder.provide()
    with folder.alone(), pytest.raises(CommandError, match="Another backup is being made"):
        backup(target)
