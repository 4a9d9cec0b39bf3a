"""The shipped configuration of the proxy, in the real nginx."""

import gzip
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.served.echo import LARGE, Echo
from tests.served.people import Answer, ask
from tests.served.proxy import Proxy
from tests.served.sockets import connected, get, idle_readers
from tests.winoplatform.ports import free_port

HASHED = "frontend/style.0123456789ab.css"
STYLE = b"body { color: black }" * 100
MANY = 200


@pytest.fixture(scope="module")
def echo() -> Iterator[Echo]:
    server = Echo()
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory, echo: Echo) -> Iterator[Proxy]:
    folder = tmp_path_factory.mktemp("proxy")
    files = folder / "wino" / "static"
    for name in ("frontend/style.css", HASHED):
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_bytes(STYLE)
        (files / f"{name}.gz").write_bytes(gzip.compress(STYLE))
    (files.parent / "labels.txt").write_text("blind")
    shipped = Proxy(folder, web=echo.server_port, files=files, http=free_port(), https=free_port())
    shipped.start()
    yield shipped
    shipped.stop()


def through(proxy: Proxy, path: str, method: str = "GET", **options: object) -> Answer:
    return ask(proxy.https, method, path, tls=True, **options)  # type: ignore[arg-type]


def test_what_a_client_claims_about_itself_does_not_arrive(proxy: Proxy) -> None:
    claims = {
        "X_Forwarded_For": "9.9.9.9",
        "X_Forwarded_Proto": "http",
        "X_Forwarded_Host": "evil.example",
        "X_Forwarded_Port": "1",
        "X_Real_IP": "9.9.9.9",
        "Forwarded": "for=9.9.9.9",
    }
    got = through(proxy, "/", **claims).json["headers"]
    told = {name.title(): value for name, value in got.items()}
    assert told["X-Forwarded-For"] == "127.0.0.1"
    assert told["X-Forwarded-Proto"] == "https"
    assert told["Host"] == f"localhost:{proxy.https}"
    assert not told.keys() & {"X-Forwarded-Host", "X-Forwarded-Port", "X-Real-Ip", "Forwarded"}


def test_hashed_files_are_compressed_and_kept_for_good(proxy: Proxy) -> None:
    answer = through(proxy, f"/static/{HASHED}", Accept_Encoding="gzip")
    assert gzip.decompress(answer.body) == STYLE
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["Content-Type"] == "text/css; charset=utf-8"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert through(proxy, f"/static/{HASHED}").body == STYLE


def test_other_files_are_kept_for_minutes_and_missing_ones_not_at_all(proxy: Proxy) -> None:
    answer = through(proxy, "/static/frontend/style.css")
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    gone = through(proxy, "/static/frontend/gone.0123456789ab.css")
    assert gone.status == 404
    assert "Cache-Control" not in gone.headers


@pytest.mark.parametrize(
    "path",
    [
        "/static/../labels.txt",
        "/static/%2e%2e/labels.txt",
        "/static/..%2flabels.txt",
        "/static../labels.txt",
        "/static/frontend/../../labels.txt",
        "/labels.txt",
    ],
)
def test_no_file_beside_the_static_ones_is_served(proxy: Proxy, path: str) -> None:
    assert b"blind" not in through(proxy, path).body


def test_no_answer_can_name_a_file_of_the_proxy(proxy: Proxy) -> None:
    assert through(proxy, "/file").json["path"] == "/file"


def test_bodies_pass_up_to_the_limit(proxy: Proxy) -> None:
    most = 5 * 1024 * 1024
    assert through(proxy, "/", "POST", body=b"x" * most).json["bytes"] == most
    refused = through(proxy, "/api/v1/x/", "POST", body=b"x" * (most + 1))
    assert (refused.status, refused.headers["Content-Type"]) == (413, "application/json")
    assert refused.json["error"].keys() == {"code", "message", "details"}
    assert refused.json["error"]["code"] == "too_large"
    page = through(proxy, "/articles/", "POST", body=b"x" * (most + 1))
    assert (page.status, page.headers["Content-Type"]) == (413, "text/html")


def test_a_request_is_passed_on_when_it_is_complete(proxy: Proxy, echo: Echo) -> None:
    with connected(proxy.https, tls=True) as slow:
        slow.sendall(b"POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab")
        through(proxy, "/")
        assert "/slow" not in echo.begun
        slow.sendall(b"cd")
        assert b'"bytes": 4' in slow.recv(4096)


def test_a_body_that_breaks_off_is_not_passed_on(proxy: Proxy, echo: Echo) -> None:
    with connected(proxy.https, tls=True) as slow:
        slow.sendall(b"POST /broken HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nab")
    time.sleep(0.2)
    through(proxy, "/")
    assert "/broken" not in echo.begun


def test_a_body_without_a_length_is_passed_on_with_one(proxy: Proxy) -> None:
    with connected(proxy.https, tls=True) as client:
        head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        client.sendall(head + b"3\r\nabc\r\n0\r\n\r\n")
        assert b'"bytes": 3' in client.recv(4096)


def test_idle_readers_take_no_time_of_the_server(proxy: Proxy, echo: Echo) -> None:
    assert LARGE > 20 * 2**20
    with idle_readers(10, proxy.https, get("/large"), tls=True):
        for _ in range(10):  # the server has sent all of it
            assert echo.sent.acquire(timeout=30)
        assert through(proxy, "/").status == 200


def test_an_absent_server_is_said_in_the_error_shape(tmp_path: Path, proxy: Proxy) -> None:
    folder = tmp_path / "away"
    folder.mkdir()
    away = Proxy(folder, web=free_port(), files=tmp_path, http=free_port(), https=free_port())
    away.start()
    try:
        answer = through(away, "/api/v1/x/")
        page = through(away, "/")
    finally:
        away.stop()
    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    assert answer.json["error"]["code"] == "busy_try_again"
    assert (page.status, page.headers["Content-Type"]) == (503, "text/html")


def test_http_leads_to_https(proxy: Proxy) -> None:
    answer = ask(proxy.http, "GET", "/sign-in/?next=/")
    assert (answer.status, answer.headers["Location"]) == (301, "https://localhost/sign-in/?next=/")


def test_many_passwords_at_once_wait_in_the_proxy_or_are_refused(proxy: Proxy, echo: Echo) -> None:
    """Twenty of an address wait for their turn; others' requests and the form itself do not."""
    body = b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
    with idle_readers(60, proxy.https, body, tls=True):
        refused = through(proxy, "/api/v1/tokens/", "POST")
        assert (refused.status, refused.json["error"]["code"]) == (429, "throttled")
        assert echo.begun.count("/sign-in/") < 40
        assert through(proxy, "/sign-in/").status == 200
        assert through(proxy, "/api/v1/seats/", "POST").status == 200


def test_one_person_cannot_hold_all_connections(proxy: Proxy) -> None:
    mine = "Authorization: Token mine\r\n"
    with idle_readers(30, proxy.https, get("/wait", mine), tls=True):
        refused = through(proxy, "/api/v1/x/", Authorization="Token mine")
        assert (refused.status, refused.json["error"]["code"]) == (429, "throttled")
        assert through(proxy, "/", Authorization="Token other").status == 200
        assert through(proxy, "/").status == 200


def test_one_address_cannot_hold_all_connections(proxy: Proxy, echo: Echo) -> None:
    with idle_readers(101, proxy.https, get("/wait"), tls=True):
        refused = through(proxy, "/api/v1/x/")
        echo.go_on.set()
    assert (refused.status, refused.json["error"]["code"]) == (429, "throttled")


def test_a_public_page_that_may_be_kept_is_fetched_once_for_all_visitors(
    proxy: Proxy, echo: Echo
) -> None:
    at = "/releases/kept/"
    began = time.monotonic()
    first = through(proxy, at)
    assert first.json["headers"]["X-Forwarded-For"] == "127.0.0.1"
    with idle_readers(20, proxy.https, get(at), tls=True):
        assert through(proxy, at).body == first.body
    lifetimes = 1 + (time.monotonic() - began) // 10
    assert echo.begun.count(at) <= 2 * lifetimes  # one for each way to write the host
    for credentials in ({"Authorization": "Token mine"}, {"Cookie": "a=1; sessionid=mine"}):
        answer = through(proxy, at, **credentials)
        assert credentials.items() <= answer.json["headers"].items()  # neither from the store
    assert through(proxy, at).body == first.body  # nor into it
    through(proxy, "/kept/")
    through(proxy, "/kept/")
    assert echo.begun.count("/kept/") == 2  # no page of releases
    through(proxy, "/releases/other/")
    through(proxy, "/releases/other/")
    assert echo.begun.count("/releases/other/") == 2  # may not be kept


def test_visitors_wait_for_one_another_and_nobody_waits_for_them(proxy: Proxy, echo: Echo) -> None:
    """Twenty of an address wait for their turn; others' requests do not."""
    at = "/releases/waiting/questions/one/"
    began = time.monotonic()
    with idle_readers(60, proxy.https, get(at), tls=True):
        refused = through(proxy, at)
        assert (refused.status, refused.headers["Retry-After"]) == (429, "2")
        assert refused.headers["Content-Type"] == "text/html"
        assert through(proxy, "/api/v1/seats/", "POST").status == 200
        assert through(proxy, at, Authorization="Token mine").status == 200
        assert through(proxy, "/sign-in/").status == 200
        others = echo.begun.count(at) - 1  # without that with a token
        assert others <= 2 + 3 * (time.monotonic() - began)


def test_an_absent_server_is_said_to_visitors_too(tmp_path: Path) -> None:
    folder = tmp_path / "away"
    folder.mkdir()
    away = Proxy(folder, web=free_port(), files=tmp_path, http=free_port(), https=free_port())
    away.start()
    try:
        page = through(away, "/releases/")
    finally:
        away.stop()
    assert (page.status, page.headers["Retry-After"]) == (503, "2")
    assert b"does not answer just now" in page.body
