"""Cookies that take long to read are refused before anything reads them."""

from http.cookies import SimpleCookie
from typing import Any

import pytest

from winoplatform.db import connections, versions
from winoplatform.http.cookies import BACKSLASHES, COOKIE_BYTES, limited


def ask(cookies: str) -> tuple[str, list[str]]:
    """Return the status, and the cookies that the application has read."""
    status, read = [], []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        read.append(environ["HTTP_COOKIE"])
        start_response("200 OK", [])
        return [b""]

    list(limited(application)({"HTTP_COOKIE": cookies}, lambda line, _: status.append(line)))
    return status[0][:3], read


@pytest.mark.parametrize(
    "cookies", ['a="' + '\\"' * 4_000 + '"', "a=" + "b" * COOKIE_BYTES, "\\" * (BACKSLASHES + 1)]
)
def test_cookies_that_take_long_are_refused_unread(cookies: str) -> None:
    assert ask(cookies) == ("431", [])


def test_what_we_set_passes() -> None:
    ours = SimpleCookie({"messages": '["a, b; c"]', "sessionid": "x" * 32})
    cookies = "; ".join(f"{name}={each.coded_value}" for name, each in ours.items())
    assert "\\" in cookies
    assert ask(cookies) == ("200", [cookies])


def test_the_web_application_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    # To import it limits the statements of its process and lets it refuse databases of other
    # versions, and the process serves other tests as well.
    monkeypatch.setattr(connections, "SESSION_SETTINGS", dict(connections.SESSION_SETTINGS))
    monkeypatch.setattr(versions, "_watching", [])
    from winoplatform.wsgi import application

    status: list[str] = []
    list(application({"HTTP_COOKIE": "\\" * 5_000}, lambda line, _: status.append(line)))
    assert status == ["431 Request Header Fields Too Large"]
