"""Requests to one address: repeated where that helps, limited in size, never redirected."""

from __future__ import annotations

import json
import math
from typing import Any

import urllib3
from urllib3.exceptions import HTTPError, InvalidHeader, LocationParseError, MaxRetryError
from urllib3.util import Retry, parse_url

from modeling.specs import ModelUnavailable

MAX_BYTES = 4 * 1024 * 1024  # of one response; for a text of 1,000 tokens it has about 100 kB
WAIT, LONGEST_WAIT = 0.25, 60  # seconds: twice, four times, … WAIT before each repetition but one
OVERLOADED = (408, 429, 500, 502, 503, 504)
_PART_BYTES = 65_536
_KEPT_OF_MESSAGE = 200


class Client:
    """Sends JSON to one address; may be used by several threads.

    Parameters
    ----------
    url : str
    api_key : str or None
    timeout : float
        Seconds to connect, and to wait for each part of a response.
    max_retries : int
    concurrency : int
        Number of connections that are kept.

    Raises
    ------
    ValueError
        When an argument is outside its range (see `modeling.remote.RemoteModel`).
    """

    def __init__(
        self, url: str, *, api_key: str | None, timeout: float, max_retries: int, concurrency: int
    ) -> None:
        _require_address(url)
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout must be a number of seconds above 0, got {timeout!r}")
        if max_retries < 0:
            raise ValueError(f"max_retries must be at least 0, got {max_retries!r}")
        if api_key is not None and not (api_key.isascii() and api_key.isprintable()):
            raise ValueError("api_key must be printable ASCII characters")
        self.url = url
        self._api_key = api_key
        self._connections = urllib3.PoolManager(maxsize=concurrency, timeout=timeout)
        self._retries = Retry(
            max_retries,
            allowed_methods=None,
            backoff_factor=WAIT,
            backoff_max=LONGEST_WAIT,
            retry_after_max=LONGEST_WAIT,
        )

    def post(self, content: object) -> bytes:
        """Send *content* as JSON and return the body of the response.

        Raises
        ------
        ModelUnavailable
            When the server cannot be reached, refuses, redirects, or sends too much.
        """
        request, retries = json.dumps(content).encode(), self._retries
        while True:
            response = None
            try:
                response, body = self._send(request)
                if response.status not in OVERLOADED:
                    self._require_success(response.status, body)
                    return body
                retries = retries.increment("POST", self.url, response=response)
            except MaxRetryError as error:
                assert response is not None
                raise self._unavailable(f"still answers with status {response.status}") from error
            except HTTPError as error:
                retries = self._after(error, retries)
            _wait(retries, response)

    def close(self) -> None:
        self._connections.clear()

    def _send(self, request: bytes) -> tuple[urllib3.BaseHTTPResponse, bytes]:
        key = {} if self._api_key is None else {"Authorization": f"Bearer {self._api_key}"}
        response = self._connections.request(
            "POST",
            self.url,
            body=request,
            headers={"Content-Type": "application/json", "Accept-Encoding": "identity", **key},
            redirect=False,  # the key and the texts are meant for this address
            retries=False,
            preload_content=False,
            decode_content=False,
        )
        try:
            body = _body(response)
        except HTTPError:
            response.close()
            raise
        if len(body) > MAX_BYTES:
            response.close()  # the rest is not read
        else:
            response.release_conn()
        return response, body

    def _after(self, error: HTTPError, retries: Retry) -> Retry:
        try:
            return retries.increment("POST", self.url, error=error)
        except HTTPError as last:
            raise self._unavailable(
                f"cannot be reached ({type(error).__name__}); is it running, and is the address "
                "right?"
            ) from last

    def _require_success(self, status: int, body: bytes) -> None:
        if status in (401, 403):
            raise self._unavailable(f"refuses the API key (status {status})")
        if 300 <= status < 400:
            raise self._unavailable(f"redirects to another address (status {status})")
        if len(body) > MAX_BYTES:
            raise self._unavailable(f"answers with more than {MAX_BYTES:,} bytes")
        if status != 200:
            text = self._message(body)
            raise self._unavailable(f"refuses a request (status {status}){text and f': {text}'}")

    def _message(self, body: bytes) -> str:
        """Return the start of a server's error message without the key, or an empty string."""
        try:
            answer: Any = json.loads(body)
            error = answer.get("error", answer)
            error = str(error.get("message", "") if isinstance(error, dict) else error)
        except (ValueError, AttributeError, RecursionError):
            return ""
        if self._api_key:
            error = error.replace(self._api_key, "…")
        return " ".join(error.split())[:_KEPT_OF_MESSAGE].rstrip(".")

    def _unavailable(self, what: str) -> ModelUnavailable:
        return ModelUnavailable(f"The server at {self.url} {what}.")


def _body(response: urllib3.BaseHTTPResponse) -> bytes:
    """Return a body; one that is too large only in part. A body cut short raises HTTPError."""
    body = bytearray()
    while len(body) <= MAX_BYTES and (part := response.read(_PART_BYTES)):
        body += part
    return bytes(body)


def _wait(retries: Retry, response: urllib3.BaseHTTPResponse | None) -> None:
    try:
        retries.sleep(response)
    except InvalidHeader:  # Retry-After is no number of seconds and no date
        retries.sleep()


def _require_address(address: str) -> None:
    """Raise ValueError unless *address* is one of http or https, without user and query."""
    try:
        parsed = parse_url(address)
    except LocationParseError as error:
        raise ValueError(
            f"base_url must be an address of http or https, got {address!r}"
        ) from error
    if parsed.auth or parsed.query or parsed.fragment:
        raise ValueError("base_url must have no user, query or fragment; name a key as api_key")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ValueError(f"base_url must be an address of http or https, got {address!r}")
