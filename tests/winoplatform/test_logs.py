"""What strangers send does not blow up the log, which tells who asked what and no secret."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from celery.app.trace import build_tracer
from django.conf import settings
from django.test import Client

from tests.factories import ApiTokenFactory, SnapshotFactory, TwinFactory, UserFactory
from tests.winoplatform.attempts import finish
from winoplatform.celery import app
from winoplatform.processes import logs
from winoplatform.processes.logs import CutFormatter, JSONFormatter
from winoplatform.runs import attempts


@pytest.fixture
def lines() -> Iterator[StringIO]:
    """What the console's handler writes, with the formatter of the settings."""
    [console] = [
        handler
        for handler in logging.getLogger().handlers
        if type(handler) is logging.StreamHandler
    ]
    written, before, formatter = StringIO(), console.stream, console.formatter
    console.setStream(written)
    console.setFormatter(CutFormatter(settings.LOGGING["formatters"]["text"]["format"]))
    logging.getLogger("winoplatform.access").setLevel("WARNING")
    yield written
    console.setStream(before)
    console.setFormatter(formatter)


@pytest.fixture
def records(lines: StringIO) -> Iterator[list[dict[str, Any]]]:
    """The same as JSON, with the access log; read when the list is asked for."""
    [console] = [h for h in logging.getLogger().handlers if getattr(h, "stream", 0) is lines]
    console.setFormatter(JSONFormatter())
    logging.getLogger("winoplatform.access").setLevel("INFO")

    class Read(list[dict[str, Any]]):
        def __iter__(self) -> Iterator[dict[str, Any]]:
            return (json.loads(line) for line in lines.getvalue().splitlines())

    yield Read()
    logging.getLogger("winoplatform.access").setLevel("WARNING")


def access(records: Any) -> list[dict[str, Any]]:
    return [record for record in records if record["logger"] == "winoplatform.access"]


def test_a_long_path_is_a_short_line(lines: StringIO, db: None) -> None:
    """Before: 60 kB of path were 60 kB of log."""
    page = Client().get(f"/{'x' * 60_000}/")
    assert page.status_code == 404
    assert "Not Found: /xxx" in lines.getvalue()
    assert "more characters)" in lines.getvalue()
    assert len(lines.getvalue()) < 1200
    assert len(page.content) < 30_000


def test_a_strange_host_is_one_short_line(lines: StringIO, db: None) -> None:
    """Before: a traceback for each."""
    assert Client().get("/", headers={"Host": f"{'evil' * 500}.example"}).status_code == 400
    found = [line for line in lines.getvalue().splitlines() if "DisallowedHost" in line]
    assert len(found) == 1
    assert "ERROR django.security.DisallowedHost Invalid HTTP_HOST header" in found[0]
    assert "Traceback" not in lines.getvalue()
    assert len(lines.getvalue()) < 500


def test_a_refused_permission_is_one_line_without_a_traceback(lines: StringIO, db: None) -> None:
    client = Client()
    client.force_login(UserFactory())
    assert client.get("/people/").status_code == 403
    assert len(lines.getvalue().splitlines()) == 1
    assert "Forbidden (Permission denied): /people/" in lines.getvalue()


def test_a_request_is_logged_by_its_pattern_with_user_status_and_bytes(
    records: list[dict[str, Any]], db: None
) -> None:
    token = ApiTokenFactory()
    found = Client().get(
        "/api/v1/twins/?campaign=winter-secret",
        headers={"Authorization": f"Token {token.text}"},
    )
    [line] = access(records)
    assert line["method"], line["route"] == ("GET", "api/v1/twins/")
    assert (line["status"], line["bytes"]) == (found.status_code, len(found.content))
    assert line["user"] == token.user.public_id
    assert line["request"] == found["X-Request-ID"]
    assert "winter-secret" not in json.dumps([*records])
    assert token.text not in json.dumps([*records])


def test_a_download_is_logged_when_it_was_sent_or_broken_off(
    records: list[dict[str, Any]], db: None
) -> None:
    twin = TwinFactory()
    client = Client()
    client.force_login(UserFactory(curator=True))
    address = f"/api/v1/campaigns/{twin.campaign.slug}/export/questions?format=csv"
    whole = b"".join(client.get(address).streaming_content)  # type: ignore[attr-defined]
    broken = client.get(address)
    next(iter(broken.streaming_content))  # type: ignore[attr-defined]
    broken.close()
    first, second = access(records)
    assert first["bytes"] == len(whole)
    assert second["route"] == "api/v1/campaigns/<slug:slug>/export/<slug:table>"


@pytest.mark.parametrize("page", ["invitation", "new-password", "confirm-address"])
def test_a_code_in_a_path_is_masked(lines: StringIO, page: str) -> None:
    logging.getLogger("django.request").warning("Not Found: /%s/kR3-secret_code/", page)
    assert f"Not Found: /{page}/…" in lines.getvalue()
    assert "secret_code" not in lines.getvalue()


def test_the_id_of_a_request_is_the_proxys_only_where_there_is_one(db: None, settings: Any) -> None:
    asked = {"X-Request-ID": "from-the-proxy-1", "X-Forwarded-Proto": "https"}
    assert Client().get("/health/", headers=asked)["X-Request-ID"] != "from-the-proxy-1"
    settings.HTTPS = True
    assert Client().get("/health/", headers=asked)["X-Request-ID"] == "from-the-proxy-1"
    for wrong in ("short", "x" * 65, "with space", 'a"quote" in it'):
        answer = Client().get("/health/", headers=asked | {"X-Request-ID": wrong})
        assert answer["X-Request-ID"] != wrong


def test_what_django_logs_of_a_refused_request_has_its_id(
    records: list[dict[str, Any]], db: None
) -> None:
    found = Client().get("/nothing-here/")
    [line] = [record for record in records if record["logger"] == "django.request"]
    assert (found.status_code, line["request"]) == (404, found["X-Request-ID"])


def test_what_a_run_logs_names_the_run(records: list[dict[str, Any]], db: None) -> None:
    run = SnapshotFactory()

    def work(attempt: attempts.Attempt[Any]) -> None:
        logging.getLogger("toy").info("here")
        finish(attempt)

    attempts.execute(type(run), run.pk, work)
    named = {record.get("run") for record in records if record["logger"] == "toy"}
    assert named == {str(run.public_id)}
    assert logs.ids() == {}


def test_what_a_task_logs_names_the_task_and_the_request_that_asked_for_it(
    records: list[dict[str, Any]],
) -> None:
    @app.task
    def say() -> None:
        logging.getLogger("toy").info("here")

    # As a worker does with a message.
    message = {"id": "a-task", "request_id": "asked-by-this"}
    build_tracer(say.name, say, app=app)("a-task", (), {}, request=message)
    [record] = [record for record in records if record["logger"] == "toy"]
    assert (record["task"], record["request"]) == ("a-task", "asked-by-this")
