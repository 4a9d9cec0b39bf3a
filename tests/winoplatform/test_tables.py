"""A command on a database without the tables: it makes them, or says what to run."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from collection.models import Campaign
from tests.data_dir import ROOT
from tests.old_databases import OldDatabase
from tests.races.processes import database_url
from winoplatform.db import tables
from winoplatform.db.tables import TablesCommand

# They read no row, or bring the database up to date themselves, whosever it is.
NEED_NO_TABLES = {
    "aflite",
    "serve",
    "demo",
    "verify",
    "paper_kit",
    "migrate",
    "index_published",
    "restore",
}
OURS = {
    "winoplatform",
    "workers",
    "collection",
    "validation",
    "corpora",
    "panels",
    "publishing",
    "filtering",
    "knowledge",
    "evaluation",
}


@pytest.fixture
def empty(old_database: OldDatabase) -> Iterator[None]:
    with old_database([]):
        yield


@pytest.fixture
def of_an_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "owns_database", lambda: False)


def test_every_command_that_reads_rows_provides_the_tables_first() -> None:
    ours = {name: app for name, app in get_commands().items() if app in OURS}
    without = {
        n for n, a in ours.items() if not isinstance(load_command_class(a, n), TablesCommand)
    }
    assert without == NEED_NO_TABLES


@pytest.mark.long
def test_on_an_empty_database_of_an_operator_a_command_says_what_to_run(empty: None) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "create_campaign", "kitchen"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url(is_owner=True)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: The database “")
    assert "so its tables are missing or out of date. Run this once" in done.stderr
    assert done.stderr.rstrip().endswith("python manage.py migrate")
    assert "Traceback" not in done.stderr


def test_a_database_of_an_earlier_version_lacks_migrations_too(
    old_database: OldDatabase, of_an_operator: None
) -> None:
    with old_database([("workers", "0001_initial")]):
        missing = tables.missing_migrations()
        assert "workers.0001_initial" not in missing
        with pytest.raises(CommandError, match=rf"lacks {len(missing)} migrations .*{missing[0]}"):
            call_command("import_winogrande", "none.jsonl")


@pytest.mark.parametrize(
    ("is_ours", "way_out"), [(True, "Move that folder away"), (False, "Set DATABASE_URL")]
)
def test_a_database_of_another_version_is_refused_with_the_way_out(
    empty: None, is_ours: bool, way_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "owns_database", lambda: is_ours)
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    recorder.record_applied("workers", "0003_standing")
    with pytest.raises(CommandError, match=rf"1 migrations are unknown here.*{way_out}"):
        call_command("create_campaign", "kitchen")


def test_the_platforms_own_database_gets_what_it_lacks(
    empty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    monkeypatch.setattr(tables, "owns_database", lambda: True)
    monkeypatch.setattr(tables, "call_command", lambda name, **_: calls.append(name))
    tables.provide_tables()
    assert calls == ["migrate"]


@pytest.mark.parametrize("is_ours", [True, False])
def test_a_database_that_is_up_to_date_is_left_alone(
    is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "owns_database", lambda: is_ours)
    monkeypatch.setattr(tables, "migrate", lambda: pytest.fail("nothing is missing"))
    call_command("create_campaign", "kitchen")
    assert Campaign.objects.get().slug == "kitchen"
