"""Events in our own format, for platforms without their own events and for scripts.

The header ``X-Wino-Timestamp`` holds the seconds since 1970, ``X-Wino-Signature`` the HMAC-SHA256
of ``{timestamp}.{body}`` in hexadecimal, under the study's event secret (or its own secret).
"""

import json
from collections.abc import Mapping
from typing import Any

from collection.core.session_reports import Report
from collection.crowd.base import Event, StudyFacts
from collection.crowd.signing import digest, is_same, refuse_stale, wrong_signature
from winoplatform.errors import DomainError

SIGNATURE, TIMESTAMP = "x-wino-signature", "x-wino-timestamp"


def signed_event(
    study: StudyFacts,
    headers: Mapping[str, str],
    body: bytes,
    now: int,
    *,
    names: Mapping[str, Report],
) -> Event | None:
    """Verify an event in our format; *names* maps the names of events to reports."""
    timestamp = headers.get(TIMESTAMP, "")
    expected = event_signature(study.event_secret or study.secret, timestamp, body)
    if not is_same(headers.get(SIGNATURE, ""), expected):
        raise wrong_signature("event")
    refuse_stale(timestamp, now)
    values = parsed(body)
    report = names.get(str(values.get("event")))
    if report is None:
        return None
    return Event(
        session=text(values, "session"),
        participant=str(values.get("participant") or ""),
        report=report,
        sent_at=int(timestamp),
    )


def event_signature(secret: str, timestamp: str, body: bytes) -> str:
    message = timestamp.encode("utf-8", "replace") + b"." + body
    return digest(secret, message).hex()


def parsed(body: bytes) -> dict[str, Any]:
    """Parse a body that is a JSON object."""
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise _malformed("it is not a JSON object")
    return values


def text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str) or not value or "\x00" in value:
        raise _malformed(f"“{name}” must be text")
    return value.encode("utf-8", "replace").decode()


def _malformed(why: str) -> DomainError:
    return DomainError("event_malformed", f"The event cannot be read: {why}.")
