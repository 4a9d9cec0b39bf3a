"""What strangers send does not blow up the log."""

import logging
from collections.abc import Iterator
from io import StringIO

import pytest
from django.test import Client

from tests.factories import UserFactory


@pytest.fixture
def lines() -> Iterator[StringIO]:
    """What the console's handler writes, with the formatter of the settings."""
    [console] = [
        handler
        for handler in logging.getLogger().handlers
        if type(handler) is logging.StreamHandler
    ]
    written, before = StringIO(), console.stream
    console.setStream(written)
    yield written
    console.setStream(before)


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
