"""How sessions of the database are configured, and what becomes of requests whose session fails."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import (
    Error,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from psycopg.errors import (
    AdminShutdown,
    CannotConnectNow,
    IdleInTransactionSessionTimeout,
    InvalidPassword,
    LockNotAvailable,
)
from psycopg_pool import PoolTimeout

from frontend.home import views as home
from frontend.middleware import Pools
from tests.api.calls import API, assert_error, client_of
from tests.data_dir import ROOT
from tests.factories import UserFactory
from tests.frontend.pages import words
from tests.races.processes import database_url
from winoplatform.db import connections
from winoplatform.db.copying import streamed
from winoplatform.errors import DomainError
from winoplatform.processes import pools
from winoplatform.processes.pools import Pool
from workers.api.views import Me
from workers.models import User

SETTINGS = ("plan_cache_mode", "statement_timeout", "idle_in_transaction_session_timeout")
COUNTED = "COPY (SELECT n, pg_sleep(0.05) FROM generate_series(1, 4) n) TO STDOUT"


@pytest.fixture
def opened(db: None) -> Iterator[Callable[..., BaseDatabaseWrapper]]:
    """Open sessions beside the pool, with these options of an operator."""
    sessions = []

    def opened(options: str = "") -> BaseDatabaseWrapper:
        session = connection.copy()
        own = {"options": options} if options else {}
        session.settings_dict["OPTIONS"] = own | {"prepare_threshold": 5}
        sessions.append(session)
        return session

    yield opened
    for session in sessions:
        session.close()


def shown(session: BaseDatabaseWrapper, *names: str) -> list[str]:
    with session.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'current_setting({name!r})' for name in names)}")
        return list(cursor.fetchone())


def test_only_a_web_process_limits_its_statements(
    opened: Callable[..., BaseDatabaseWrapper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SESSION_SETTINGS", dict(connections.SESSION_SETTINGS))
    assert shown(opened(), *SETTINGS) == ["force_generic_plan", "0", "0"]
    connections.limit()
    assert shown(opened(), *SETTINGS) == ["force_generic_plan", "30s", "1min"]


@pytest.mark.long
def test_the_web_application_is_limited(db: None) -> None:
    code = (
        "import winoplatform.wsgi; from django.db import connection as c; cursor = c.cursor();"
        "print(cursor.execute('SHOW statement_timeout').fetchone()[0])"
    )
    environment = os.environ | {"DATABASE_URL": database_url(), "DATABASE_STATEMENT_SECONDS": "7"}
    said = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env=environment)
    assert said.split() == [b"7s"]


def test_what_an_operator_has_set_stands(
    opened: Callable[..., BaseDatabaseWrapper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SESSION_SETTINGS", dict(connections.SESSION_SETTINGS))
    connections.limit()
    own = opened("-c statement_timeout=5s -c work_mem=8MB")
    assert shown(own, *SETTINGS, "work_mem") == ["force_generic_plan", "5s", "1min", "8MB"]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_session_that_a_restart_has_ended_is_given_to_nobody() -> None:
    connection.close_pool()  # other tests have left sessions in it, some in use
    assert User.objects.count() == 0
    address = database_url(is_owner=True)
    connection.close()
    with psycopg.connect(address) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    assert User.objects.count() == 0


def fail(error: Exception, cause: BaseException | None) -> Callable[..., None]:
    def failing(*_: object, **__: object) -> None:
        raise error from cause

    return failing


AWAY = [
    (OperationalError, AdminShutdown()),
    (OperationalError, CannotConnectNow()),
    (OperationalError, PoolTimeout()),
    (OperationalError, psycopg.OperationalError("the connection is lost")),
    (InterfaceError, psycopg.InterfaceError("the connection is closed")),
    (psycopg.OperationalError, None),  # of a server-side cursor
]
SLOW = [
    (OperationalError, LockNotAvailable()),
    (InternalError, IdleInTransactionSessionTimeout()),
]
OURS = [(OperationalError, InvalidPassword())]


@pytest.mark.parametrize(("kind", "cause"), [*AWAY, *SLOW, *OURS])
def test_a_session_that_fails_is_told_in_the_one_shape(
    db: None, kind: type[Error], cause: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(UserFactory())
    client.raise_request_exception = False
    monkeypatch.setattr(Me, "get", fail(kind("failed"), cause))
    response = client.get(f"{API}me/")
    if (kind, cause) in OURS:
        assert_error(response, 500, "server_error")
        return
    details = assert_error(
        response, 503, "busy_try_again" if (kind, cause) in SLOW else "database_away"
    )
    assert response["Retry-After"] == str(details["retry_after"])


def test_a_page_says_that_the_database_is_away_and_needs_none_for_it(
    db: None, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory())
    monkeypatch.setattr(home.work, "open_work", fail(OperationalError(), AdminShutdown()))
    with django_assert_max_num_queries(2):
        response = client.get("/")
    assert (response.status_code, response["Retry-After"]) == (503, "2")
    assert "The database could not be reached just now." in words(response)


def test_what_fails_before_a_view_of_the_interface_has_the_one_shape_too(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = fail(OperationalError(), AdminShutdown())
    monkeypatch.setattr("frontend.middleware.ReaderTimeZone.__call__", lost)
    response = Client(raise_request_exception=False).get(f"{API}me/")
    assert_error(response, 503, "database_away")


def sleep(*_: object) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT id FROM workers_user FOR UPDATE")
        cursor.execute("SET LOCAL statement_timeout = 10")
        cursor.execute("SELECT pg_sleep(5)")


@pytest.mark.django_db(transaction=True)
def test_a_statement_that_takes_too_long_is_refused_and_its_locks_are_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client()
    client.force_login(UserFactory())
    monkeypatch.setattr(home.work, "open_work", sleep)
    response = client.get("/")
    assert response.status_code == 503
    assert "This took too long and was stopped." in words(response)
    with psycopg.connect(database_url()) as other:
        assert other.execute("SELECT id FROM workers_user FOR UPDATE NOWAIT").fetchall()


def test_an_export_lasts_as_long_as_its_reader_takes(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 100")
    assert b"".join(streamed("SELECT 1", COUNTED)).count(b"\n") == 4


def test_who_finds_no_place_is_refused() -> None:
    pool = Pool(1)
    with pool.place():
        with pytest.raises(DomainError) as refused:
            pool.take()
        assert refused.value.status == 503
    pool.take()


def test_few_wait_for_a_place_and_only_for_a_while() -> None:
    pool = Pool(1, waiting=1, patience=0.05)
    pool.take()
    with pytest.raises(DomainError):
        pool.take()
    pool.patience = 20
    waiting = threading.Thread(target=pool.take)
    waiting.start()
    while pool._waiting._value:  # type: ignore[attr-defined]
        pass
    with pytest.raises(DomainError):  # at once
        pool.take()
    pool.give_back()
    waiting.join()


def request(size: int = 0) -> HttpRequest:
    return RequestFactory().post("/api/v1/x/", b"x" * size, "text/plain")


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch) -> Pool:
    monkeypatch.setattr(pools, "DOWNLOADS", Pool(1))
    return pools.DOWNLOADS


def test_a_download_holds_its_place_until_it_is_sent(downloads: Pool) -> None:
    answering = Pools(lambda _: StreamingHttpResponse(iter([b"a"])))
    first = answering(request())
    refused = answering(request())
    assert (first.status_code, refused.status_code, refused["Retry-After"]) == (200, 503, "2")
    first.close()
    first.close()
    assert answering(request()).status_code == 200


def test_a_large_body_holds_its_place_until_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "LARGE_BODIES", Pool(1))
    inner: list[int] = []

    def view(_: HttpRequest) -> HttpResponse:
        inner.append(Pools(lambda _: HttpResponse())(request(pools.LARGE_BODY + 1)).status_code)
        inner.append(Pools(lambda _: HttpResponse())(request(pools.LARGE_BODY)).status_code)
        return HttpResponse()

    for _ in range(2):
        assert Pools(view)(request(pools.LARGE_BODY + 1)).status_code == 200
    assert inner == [503, 200, 503, 200]


def test_a_view_that_fails_keeps_no_place(downloads: Pool) -> None:
    def view(asked: HttpRequest) -> HttpResponse:
        pools.hold(asked, pools.DOWNLOADS)
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            Pools(view)(request())
