"""How long migrations keep others waiting: a limit for locks, and all rows only where stated."""

import re
import subprocess
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.core.management.commands import migrate as django_migrate
from django.db import connection, transaction

from tests.data_dir import ROOT
from tests.old_databases import OldDatabase, latest, migrate
from tests.races.processes import database_url
from tests.winoplatform.test_upgrade import LAST
from winoplatform.db import locks
from winoplatform.management.commands import migrate as own_migrate

UPGRADES = (ROOT / "docs" / "operations.md").read_text().partition("## Upgrades")[2]
STATED = UPGRADES.partition("\n## ")[0]
REWRITTEN = STATED.partition("Rewritten by PostgreSQL")[2].partition("\n")[0]
MIGRATION = re.compile(r"^(\w+)/migrations/(\d{4}_\w+)\.py$", re.M)
FUNCTION = re.compile(r"\$\$.*?\$\$", re.S)
ALL_ROWS = re.compile(r"RunPython|^\s*\"?(UPDATE|INSERT INTO) \w+", re.M)
NOTE_REWRITES = """
CREATE TABLE rewritten (name text);
CREATE FUNCTION note_rewrite() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO rewritten VALUES (pg_event_trigger_table_rewrite_oid()::regclass::text);
END $$;
CREATE EVENT TRIGGER note_rewrite ON table_rewrite EXECUTE FUNCTION note_rewrite();
"""


@pytest.fixture
def table_in_use(transactional_db: None) -> Any:
    with psycopg.connect(database_url(is_owner=True)) as session:
        session.execute("LOCK TABLE workers_invitation IN ACCESS SHARE MODE")
        yield session


def lock_the_table(*_: object, **__: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE workers_invitation IN ACCESS EXCLUSIVE MODE")


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_migration_does_not_wait_long_for_a_table_in_use(
    table_in_use: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(django_migrate.Command, "handle", lock_the_table)
    monkeypatch.setattr(own_migrate, "LOCK_SECONDS", 1)
    with pytest.raises(CommandError, match="a table that another session uses: a backup"):
        call_command("migrate")
    table_in_use.rollback()
    call_command("migrate")


@pytest.mark.django_db(transaction=True)
def test_the_limit_ends_with_the_block() -> None:
    def limit() -> str:
        with connection.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            return str(cursor.fetchone()[0])

    with locks.at_most(7):
        assert limit() == "7s"
    assert limit() == "0"


def of_last_version() -> set[tuple[str, str]]:
    command = ["git", "ls-tree", "-r", "--name-only", LAST]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip(f"there is no history with {LAST}")
    return set(MIGRATION.findall(listed.stdout))


def statements(app: str, name: str) -> str:
    """Return a migration without the texts of functions."""
    return FUNCTION.sub("", (ROOT / app / "migrations" / f"{name}.py").read_text())


@pytest.mark.rowless
def test_migrations_that_change_all_rows_are_stated() -> None:
    files = "\n".join(str(p.relative_to(ROOT)) for p in ROOT.glob("*/migrations/0*.py"))
    new = set(MIGRATION.findall(files)) - of_last_version()
    changing = {f"{app}.{name[:4]}" for app, name in new if ALL_ROWS.search(statements(app, name))}
    assert changing == set(re.findall(r"`(\w+\.\d{4})`", STATED))


@pytest.mark.long
def test_tables_that_an_upgrade_rewrites_are_stated(old_database: OldDatabase) -> None:
    """PostgreSQL itself says which, also of tables without rows."""
    newest: dict[str, str] = {}
    for app, name in sorted(of_last_version()):
        newest[app] = name
    with old_database([*newest.items()]), connection.cursor() as cursor:
        cursor.execute(NOTE_REWRITES)
        migrate(latest())
        cursor.execute("SELECT DISTINCT name FROM rewritten")
        rewritten = {name for (name,) in cursor.fetchall()}
    assert rewritten == set(re.findall(r"`(\w+)`", REWRITTEN))
