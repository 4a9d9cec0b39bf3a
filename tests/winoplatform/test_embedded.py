"""The embedded servers under real commands that start, join, crash and are killed."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import environ
import psutil
import pytest

from tests.data_dir import ROOT
from winoplatform.embedded import ServiceError, hold_postgres
from winoplatform.embedded.postgres import Postgres

COMMON = """
import os, signal, sys, time
from pathlib import Path
import psutil, psycopg
from winoplatform.embedded import hold_postgres, hold_redis, release_all
folder = Path(sys.argv[1])
def ask(sql, url=None):
    with psycopg.connect(url or hold_postgres(folder), autocommit=True) as connection:
        found = connection.execute(sql)
        return found.fetchone()[0] if found.description else None
def crash():
    pid = int((folder / "pid").read_text())
    os.kill(pid, signal.SIGKILL)
    while psutil.pid_exists(pid):
        time.sleep(0.01)
"""
HOLD = "print(hold_postgres(folder), flush=True); sys.stdin.read()"


class Command:
    """A command of its own that ends when it is told to, or when this process ends."""

    def __init__(self, folder: Path, code: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMON + code, str(folder)],
            cwd=ROOT,
            env=os.environ | {"WINO_EMBEDDED_QUICK": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def end(self) -> str:
        said, _ = self.process.communicate(timeout=30)
        assert self.process.returncode == 0
        return said


def run(folder: Path, code: str) -> list[str]:
    return Command(folder, code).end().split()


def processes(folder: Path, *, having: str = "") -> list[psutil.Process]:
    """Return the living processes that name *folder* in their command line."""
    found = []
    for process in psutil.process_iter():
        try:
            line = " ".join(process.cmdline())
        except psutil.Error:
            continue
        if str(folder) in line and having in line:
            found.append(process)
    return found


def servers(folder: Path) -> list[psutil.Process]:
    return [found for found in processes(folder) if "keeper" not in " ".join(found.cmdline())]


def none_is_left(folder: Path, *, within: float = 1.0) -> bool:
    deadline = time.monotonic() + within
    while processes(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not processes(folder)


@contextmanager
def new_folder() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="wino-test-"))
    made.chmod(0o711)
    yield made / "var"
    end_all(made)
    shutil.rmtree(made)


def end_all(folder: Path) -> None:
    """End what a failed test has left."""
    for process in processes(folder):
        process.kill()


@pytest.fixture
def empty() -> Iterator[Path]:
    """A folder that no server has seen."""
    with new_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def used() -> Iterator[Path]:
    with new_folder() as folder:
        yield folder


@pytest.fixture
def folder(used: Path) -> Iterator[Path]:
    """A folder in which PostgreSQL may have run before, which saves creating its data."""
    yield used
    end_all(used)


@pytest.mark.long
def test_commands_at_once_share_one_server_and_leave_none_behind(empty: Path) -> None:
    commands = [Command(empty, HOLD) for _ in range(4)]
    assert len({command.line() for command in commands}) == 1
    assert len(processes(empty, having="bin/postgres -D")) == 1
    for command in commands:
        command.process.stdin.close()
        command.process.stdin = None
    for command in commands:
        command.end()
    assert none_is_left(empty)


@pytest.mark.long
def test_starts_and_stops_do_not_race(folder: Path) -> None:
    code = "for _ in range(4): print(ask('SELECT 1'), flush=True); release_all()"
    commands = [Command(folder, code) for _ in range(3)]
    assert [command.end().split() for command in commands] == [["1"] * 4] * 3
    assert none_is_left(folder)


@pytest.mark.long
def test_a_killed_holder_does_not_keep_the_server_from_the_last_clean_exit(folder: Path) -> None:
    killed, last = Command(folder, HOLD), Command(folder, HOLD)
    assert killed.line() == last.line()
    for keeper in processes(folder, having="keeper.py"):
        keeper.kill()  # so that nothing but the clean exit can stop the server
    killed.kill()
    last.end()
    assert none_is_left(folder)


@pytest.mark.long
def test_the_server_ends_when_all_its_holders_are_killed(folder: Path) -> None:
    commands = [Command(folder, HOLD) for _ in range(2)]
    assert all(command.line() for command in commands)
    for command in commands:
        command.kill()
    assert none_is_left(folder, within=10)


@pytest.mark.long
def test_the_next_command_takes_over_a_server_whose_holders_and_keeper_were_killed(
    folder: Path,
) -> None:
    first = Command(folder, HOLD)
    assert first.line()
    for keeper in processes(folder, having="keeper.py"):
        keeper.kill()
    first.kill()
    (server,) = servers(folder)
    assert run(folder, "hold_postgres(folder); print((folder / 'pid').read_text())") == [
        str(server.pid)
    ]
    assert none_is_left(folder)


@pytest.mark.long
def test_a_forked_child_does_not_stop_the_server_of_its_parent(folder: Path) -> None:
    code = """
url = hold_postgres(folder)
for leave in (sys.exit, os._exit, lambda _: release_all()):
    if child := os.fork():
        os.waitpid(child, 0)
        print(ask("SELECT 1", url), flush=True)
    else:
        leave(0)
        os._exit(0)
"""
    assert run(folder, code) == ["1"] * 3
    assert none_is_left(folder)


@pytest.mark.long
def test_a_child_that_outlives_its_parent_keeps_the_server_and_stops_it(folder: Path) -> None:
    code = """
url, parent = hold_postgres(folder), os.getpid()
if not os.fork():
    while os.getppid() == parent:
        time.sleep(0.01)
    print(ask("SELECT 1", url))
"""
    assert run(folder, code) == ["1"]  # reads to the end of the child's output
    assert none_is_left(folder)


@pytest.mark.long
def test_a_crashed_server_starts_again_at_the_next_hold_with_its_data(folder: Path) -> None:
    code = """
ask("DROP TABLE IF EXISTS kept")
ask("CREATE TABLE kept AS SELECT 7 AS n")
crash()
print(ask("SELECT n FROM kept"))
"""
    assert run(folder, code) == ["7"]
    assert none_is_left(folder)


@pytest.mark.long
def test_a_foreign_process_with_the_number_of_a_crashed_server_is_left_alone(folder: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as bystander:
        run(folder, "hold_postgres(folder)")
        (folder / "pid").write_text(f"{bystander.pid}\n")
        (folder / "data" / "postmaster.pid").write_text(f"{bystander.pid}\n")
        assert run(folder, "print(ask('SELECT 1'))") == ["1"]
        assert bystander.poll() is None
        bystander.kill()


@pytest.mark.long
def test_ctrl_c_leaves_the_server_to_a_holder_that_still_works(folder: Path) -> None:
    code = """
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
try:
    print(hold_postgres(folder), flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.3)
    print(ask("SELECT 'in peace'"))
"""
    command = Command(folder, code)
    assert command.line()
    os.killpg(command.process.pid, signal.SIGINT)
    assert command.end().strip() == "in peace"
    assert none_is_left(folder)


@pytest.mark.long
@pytest.mark.parametrize("path", ["deep/" * 30, "a name, with 'odd' \"letters\" (é)"])
def test_a_folder_where_no_socket_can_lie_works(empty: Path, path: str) -> None:
    url = Postgres(empty / path).url()
    assert "host=/tmp/wino-" in url
    assert run(empty / path, "print(ask('SELECT 1'))") == ["1"]
    assert none_is_left(empty)
    assert not Path(url.split("host=")[1].split("&")[0]).exists()


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="Only root runs the server as another user.")
def test_root_opens_the_way_for_the_server_and_no_more(empty: Path) -> None:
    empty.parent.chmod(0o700)
    assert run(empty, "print(ask('SELECT 1'))") == ["1"]
    assert empty.parent.stat().st_mode & 0o777 == 0o701
    assert (empty / "data").stat().st_mode & 0o777 == 0o700


@pytest.mark.long
def test_trigrams_know_letters_beyond_ascii(folder: Path) -> None:
    code = """
ask("CREATE EXTENSION pg_trgm")
print(ask("SELECT similarity('Žižka', 'žižka')"), ask("SELECT cardinality(show_trgm('ŽŽ'))"))
"""
    assert run(folder, code) == ["1.0", "3"]


def test_the_url_is_understood_by_django_environ(folder: Path) -> None:
    found = environ.Env.db_url_config(Postgres(folder).url())
    assert (found["NAME"], found["USER"]) == ("winoplatform", "postgres")
    assert found["OPTIONS"] == {"host": str(folder / "data"), "port": 5432}


def test_a_folder_that_holds_something_else_is_refused_with_the_way_out(empty: Path) -> None:
    (empty / "data").mkdir(parents=True)
    (empty / "data" / "diary.txt").write_text("mine")
    with pytest.raises(ServiceError, match=r"(?s)not a PostgreSQL cluster.*DATABASE_URL"):
        hold_postgres(empty)
    assert (empty / "data" / "diary.txt").read_text() == "mine"


def test_a_file_in_the_place_of_the_folder_is_refused_with_the_way_out(empty: Path) -> None:
    empty.write_text("")
    with pytest.raises(ServiceError, match=r"(?s)exists.*DATABASE_URL"):
        hold_postgres(empty)


def test_a_start_that_fails_shows_the_end_of_the_log_and_leaves_nothing(empty: Path) -> None:
    (empty / "data").mkdir(parents=True)
    (empty / "data" / "PG_VERSION").write_text("9\n")
    with pytest.raises(ServiceError, match=r"(?s)DATABASE_URL.*server\.log.*postgresql\.conf"):
        hold_postgres(empty)
    assert none_is_left(empty)


def test_redis_serves_both_clients_and_keeps_its_address_through_a_crash(empty: Path) -> None:
    code = """
import kombu, redis
url = hold_redis(folder)
kombu.Connection(url).ensure_connection(max_retries=1)
crash()
print(hold_redis(folder) == url and redis.Redis.from_url(url).ping())
try:
    redis.Redis.from_url("redis://" + url.partition("@")[2]).ping()
except redis.AuthenticationError:
    print("guarded")
"""
    assert run(empty, code) == ["True", "guarded"]
    assert none_is_left(empty)


@pytest.mark.long
def test_commands_at_once_share_one_redis_and_leave_none_behind(empty: Path) -> None:
    code = "print(hold_redis(folder), flush=True); sys.stdin.read()"
    first, second = Command(empty, code), Command(empty, code)
    assert first.line() == second.line() != ""
    first.kill()
    second.end()
    assert none_is_left(empty)


@pytest.mark.long
def test_who_holds_the_server_already_waits_for_nobody(folder: Path) -> None:
    code = """
import fcntl
from winoplatform.embedded import shared
shared.MUTEX_SECONDS = 0.2
url = hold_postgres(folder)
with open(folder / "mutex") as mutex:
    fcntl.flock(mutex, fcntl.LOCK_EX)
    print(hold_postgres(folder) == url)
"""
    assert run(folder, code) == ["True"]


@pytest.mark.long
def test_a_server_that_another_command_started_again_is_found(folder: Path) -> None:
    code = """
hold_postgres(folder)
print("held", flush=True)
sys.stdin.readline()
print(ask("SELECT 1"))
"""
    first = Command(folder, code)
    assert first.line() == "held"
    assert run(folder, "hold_postgres(folder); crash(); print(ask('SELECT 2'))") == ["2"]
    first.process.stdin.write("\n")
    first.process.stdin.flush()
    assert first.end().split() == ["1"]


@pytest.mark.long
def test_the_brokers_client_outlives_its_redis(empty: Path) -> None:
    code = """
from django.conf import settings
settings.configure(VAR_DIR=folder, REDIS_URL="")
from winoplatform.processes import broker
print(broker.client().ping())
os.kill(int((folder / "redis" / "pid").read_text()), signal.SIGKILL)
time.sleep(0.2)
print(broker.client().ping())
"""
    assert run(empty, code) == ["True", "True"]
    assert none_is_left(empty)
