"""Requests to one platform: signed in by a token, with its errors, its pages and its limits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from winoplatform_client.errors import ApiError

API = "/api/v1/"
SECONDS = 60.0
LONGEST_WAIT = 120.0  # seconds that a platform may ask to wait before a request is repeated
ATTEMPTS = 5
LARGEST_PAGE = 500


class Connection:
    """Requests to a platform.

    Parameters
    ----------
    url : str
        Where the platform is, such as ``https://wino.example.org``.
    token : str, optional
        Made on the page *Your account*. Without it, what is public can be read.
    transport : httpx.BaseTransport, optional
        For a proxy or a certificate of your own.

    Raises
    ------
    ValueError
        When the address is none, or would send the token unencrypted to another machine.
    """

    def __init__(
        self, url: str, token: str = "", *, transport: httpx.BaseTransport | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url must begin with http:// or https://, got {url!r}")
        is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if token and parts.scheme == "http" and not is_local:
            raise ValueError(f"a token is sent by https only, got {url!r}")
        headers = {"Authorization": f"Token {token}"} if token else {}
        # Redirects are not followed: they could take the token to another host.
        self.http = httpx.Client(
            base_url=url.rstrip("/"), headers=headers, timeout=SECONDS, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.http.close()

    def get(self, path: str, **query: Any) -> Any:
        """Return the JSON at a path below ``/api/v1/``."""
        return self.send("GET", path, params=_without_nones(query)).json()

    def post(self, path: str, **body: Any) -> Any:
        """Send JSON to a path below ``/api/v1/``; return the JSON of the answer."""
        return self.send("POST", path, json=_without_nones(body)).json()

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request; wait and repeat it where the platform asks for that.

        Raises
        ------
        ApiError
            When the platform refuses it.
        httpx.TransportError
            When the platform cannot be reached. A change may have been stored then.
        """
        with self.stream(method, path, **options) as response:
            response.read()
        return checked(response)

    @contextmanager
    def stream(self, method: str, path: str, **options: Any) -> Iterator[httpx.Response]:
        """Send a request as `send` does, but give the answer unread and unchecked."""
        for attempt in range(1, ATTEMPTS + 1):
            with self.http.stream(method, API + path, **options) as response:
                wait = _wait_of(response)
                if wait is None or attempt == ATTEMPTS:
                    yield response
                    return
            time.sleep(wait)

    def pages(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, page by page."""
        page = self.get(path, page_size=LARGEST_PAGE, **query)
        while True:
            yield from page["results"]
            if not page["next"]:
                return
            # The path alone: behind a proxy, the platform may name itself by another host, and the
            # token is for this one.
            following = urlsplit(page["next"])
            path = following.path.removeprefix(API)
            page = self.send("GET", f"{path}?{following.query}").json()


def checked(response: httpx.Response) -> httpx.Response:
    """Return a response that is no refusal.

    Raises
    ------
    ApiError
        For all others, redirects included.
    """
    if not response.is_success:
        response.read()
        raise ApiError(response)
    return response


def _wait_of(response: httpx.Response) -> float | None:
    """Return the seconds after which to ask again; None if that would not help."""
    if response.status_code not in (429, 503):
        return None
    asked = response.headers.get("Retry-After", "")
    return float(asked) if asked.isdigit() and float(asked) <= LONGEST_WAIT else None


def _without_nones(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
