"""Processes that may open more sessions than the database has left are refused at start."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from psycopg.sql import SQL, Identifier

from tests.data_dir import ROOT
from tests.races.processes import database_url
from winoplatform.db import budget
from winoplatform.processes import broker

ROLE = f"wino_budget_{os.getpid()}"
WEB = (
    "import winoplatform.wsgi; from django.db import connection as c; cursor = c.cursor();"
    "print(cursor.execute('SHOW application_name').fetchone()[0])"
)
WORKER = ("-m", "celery", "-A", "winoplatform", "worker", "--concurrency", "2")
pytestmark = pytest.mark.django_db(transaction=True)
Others = Callable[..., None]


@pytest.fixture
def others() -> Iterator[Others]:
    """Open sessions of another machine's processes, which state so many sessions together."""
    with ExitStack() as stack:

        def opened(stated: int, *, database: str = "") -> None:
            address = database_url(is_owner=True)
            for number, sessions in enumerate((stated // 2, stated - stated // 2)):
                name = f"wino {sessions} elsewhere:{number}"
                known = {"dbname": database} if database else {}
                # Two sessions of a process count once.
                for _ in range(2):
                    session = psycopg.connect(address, application_name=name, **known)
                    stack.enter_context(session)

        yield opened


@pytest.mark.parametrize("limit", ["setting", "database"])
def test_a_process_starts_if_what_all_state_and_a_rest_for_commands_fit(
    limit: str, others: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "DATABASE_CONNECTIONS", 50 if limit == "setting" else 0)
    others(10, database="postgres")  # another installation's, on the same server
    others(30)
    with limited_to(50 if limit == "database" else -1):
        budget.refuse_excess(20 - budget.SPARE)
        with pytest.raises(SystemExit, match=r"permits 50 .* may open 30 .* needs 13, and 8 are"):
            budget.refuse_excess(21 - budget.SPARE)


def limited_to(sessions: int) -> ExitStack:
    """Let the database permit so many sessions in a block; -1: any."""
    alter = SQL("ALTER DATABASE {} CONNECTION LIMIT {}")

    def set_limit(sessions: int) -> None:
        with connection.cursor() as cursor:
            name = Identifier(connection.settings_dict["NAME"])
            cursor.execute(alter.format(name, sessions))

    set_limit(sessions)
    stack = ExitStack()
    stack.callback(set_limit, -1)
    return stack


def test_what_the_server_permits_is_for_all_databases_together(others: Others) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('max_connections')::int")
        [permitted] = cursor.fetchone()
    others(permitted // 4, database="postgres")
    budget.refuse_excess(1)  # other tests may have processes on this server
    with pytest.raises(SystemExit, match=r"PostgreSQL \(max_connections"):
        budget.refuse_excess(permitted - permitted // 4)


@pytest.fixture
def of_a_small_role() -> Iterator[str]:
    """Return the address of the database for a role with twenty sessions."""
    if not settings.DATABASE_ROLE:
        pytest.skip("DATABASE_URL names one role for everything")
    name = Identifier(ROLE)
    with connection.cursor() as cursor:
        create = SQL("CREATE ROLE {} LOGIN CONNECTION LIMIT 20 IN ROLE {}")
        cursor.execute(create.format(name, Identifier(settings.DATABASE_ROLE)))
    yield re.sub("//[^@]*@", f"//{ROLE}@", database_url(is_owner=True))
    with connection.cursor() as cursor:
        cursor.execute(SQL("DROP ROLE {}").format(name))


def started(*command: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    known = os.environ | {"REDIS_URL": broker.url(), "DATABASE_POOL_SIZE": "12"} | environment
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=known, capture_output=True, text=True, timeout=300
    )


@pytest.mark.long
@pytest.mark.parametrize(("command", "needed"), [(("-c", WEB), 13), (WORKER, 16)])
def test_a_role_with_too_few_sessions_is_named_at_start(
    command: tuple[str, ...], needed: int, of_a_small_role: str
) -> None:
    more = ("--concurrency", str(needed // budget.OF_A_WORKER)) if command == WORKER else ()
    size = {"DATABASE_POOL_SIZE": str(needed)}
    done = started(*command, *more, DATABASE_URL=of_a_small_role, **size)
    assert done.returncode == 1, done.stderr
    assert f"the role {ROLE} permits 20 sessions of the database." in done.stderr
    assert f"this one needs {needed}" in done.stderr


@pytest.mark.long
def test_a_process_that_fits_states_what_it_may_open(of_a_small_role: str) -> None:
    done = started("-c", WEB, DATABASE_URL=of_a_small_role)
    assert re.fullmatch(r"wino 12 \S+:\d+\n", done.stdout), done.stderr
