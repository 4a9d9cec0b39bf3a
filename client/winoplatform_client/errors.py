"""What can go wrong, in the platform's words where it answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx


class ApiError(Exception):
    """An answer of the platform that refuses a request.

    Attributes
    ----------
    status : int
        Of HTTP.
    code : str
        For programs, such as ``not_found`` or ``scope_missing``; empty if something before the
        platform answered, such as a proxy.
    message : str
        For people.
    details : mapping of str to anything
        With invalid fields, the messages by field.
    request_id : str
        To be named in a report of an error.
    """

    def __init__(self, response: httpx.Response) -> None:
        error = _error_of(response)
        self.status = response.status_code
        self.code = str(error.get("code", ""))
        self.message = str(error.get("message", "")) or response.reason_phrase
        self.details: Mapping[str, Any] = error.get("details") or {}
        self.request_id = response.headers.get("X-Request-ID", "")
        super().__init__(self._text())

    def _text(self) -> str:
        fields = self.details.get("fields", {})
        lines = [f"{self.status} {self.code}: {self.message}".replace(" :", ":")]
        if isinstance(fields, Mapping):
            lines += [f"{name}: {_joined(messages)}" for name, messages in fields.items()]
        return "\n".join(lines)


def _joined(messages: Any) -> str:
    return " ".join(map(str, messages)) if isinstance(messages, list) else str(messages)


def _error_of(response: httpx.Response) -> Mapping[str, Any]:
    try:
        error = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, Mapping) else {}


class InterruptedDownload(Exception):
    """A download that ended too often before its end; the same call continues it."""


class ChecksumError(Exception):
    """A downloaded file whose SHA-256 is not that of the platform; it was deleted."""


class RunFailed(Exception):
    """A run that ended without a result: it failed, or was cancelled."""
