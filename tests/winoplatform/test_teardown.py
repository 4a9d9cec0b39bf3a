"""What others still do when a test has ended is over before its rows are deleted."""

import socket
from collections.abc import Callable, Iterator
from threading import Event, Thread, Timer
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase
from pytest_django.live_server_helper import LiveServer

from tests import shortcuts
from tests.factories import UserFactory
from tests.serving import finish_requests
from workers.models import User

SOON = 0.1  # seconds: later than what does not wait

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def begun() -> Event:
    """Set once the server has begun to serve the request."""
    return Event()


@pytest.fixture
def released() -> Event:
    """Set once what has begun may go on to its end."""
    return Event()


@pytest.fixture
def slow_server(live_server: LiveServer, begun: Event, released: Event) -> Iterator[LiveServer]:
    """A live server that takes its time to store a user for each request."""
    server = live_server.thread.httpd
    usual = server.get_app()

    def application(environ: object, start_response: Callable[..., object]) -> list[bytes]:
        begun.set()
        assert released.wait(10)
        UserFactory(username="alice")
        start_response("204 No Content", [("Content-Length", "0")])
        return []

    server.set_app(application)
    yield live_server
    finish_requests()
    server.set_app(usual)


def send_beacon(server: LiveServer) -> None:
    """Send a request and leave, as a page does that closes."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port)) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")


def clear_away() -> None:
    TransactionTestCase()._fixture_teardown()


@pytest.mark.parametrize("served", [True, False], ids=["being served", "not yet accepted"])
@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "control"])
def test_a_request_of_a_page_that_closed_stores_nothing_for_the_next_test(
    served: bool, guarded: bool, slow_server: LiveServer, begun: Event, released: Event
) -> None:
    send_beacon(slow_server)
    assert not served or begun.wait(10)
    end(clear_away if guarded else shortcuts.emptied, released, soon=guarded)
    finish_requests()
    assert User.objects.exists() is not guarded


def end(empty: Callable[[], object], released: Event, *, soon: bool) -> None:
    """Empty the tables; requests in progress continue during it if *soon*, else after it."""
    if soon:
        Timer(SOON, released.set).start()
    empty()
    released.set()


def test_a_connection_that_a_client_keeps_open_holds_nothing_up(live_server: LiveServer) -> None:
    address = urlsplit(live_server.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as client:
        client.sendall(b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(12) == b"HTTP/1.1 200"
        finish_requests()


@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "control"])
def test_a_transaction_that_outlives_its_process_stores_nothing_for_the_next_test(
    guarded: bool, begun: Event, released: Event
) -> None:
    def store() -> None:
        with transaction.atomic():
            UserFactory()
            begun.set()
            assert released.wait(10)
        connection.close()

    other = Thread(target=store)
    other.start()
    assert begun.wait(10)
    end(clear_away if guarded else shortcuts.emptied, released, soon=guarded)
    other.join()
    assert User.objects.exists() is not guarded
