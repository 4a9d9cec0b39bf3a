"""Signatures over links and events: HMAC-SHA256, compared in constant time."""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import urlencode

from winoplatform.errors import DomainError

EVENT_AGE_SECONDS = 600


def digest(secret: str, message: bytes) -> bytes:
    return hmac.new(secret.encode(), message, hashlib.sha256).digest()


def link_key(secret: str, study: str) -> str:
    """Return the key in a study's link, which cannot be derived from the study's id."""
    signed = digest(secret, f"link:{study}".encode())
    return base64.urlsafe_b64encode(signed)[:32].decode()


def link_signature(secret: str, study: str, fields: Mapping[str, str]) -> str:
    """Sign a link's parameters: ``study``, a line break, the parameters sorted and URL-encoded.

    Examples
    --------
    >>> link_signature("s", "1", {"session": "a b", "expires": "9"})[:16]
    'd02e481533f290e7'
    """
    message = f"{study}\n{urlencode(sorted(fields.items()), errors='replace')}"
    return digest(secret, message.encode()).hex()


def is_same(given: str, expected: str) -> bool:
    """Compare in constant time; text outside ASCII is never a signature."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def refuse_stale(timestamp: str, now: int) -> None:
    """Refuse an event whose timestamp is missing or old."""
    is_number = timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 13
    if not is_number or abs(now - int(timestamp)) > EVENT_AGE_SECONDS:
        raise DomainError(
            "event_outdated",
            f"The event has no time within {EVENT_AGE_SECONDS // 60} minutes of ours; send it "
            "again, signed at the time of sending.",
            status=403,
        )


def wrong_signature(what: str) -> DomainError:
    return DomainError(
        "signature_wrong",
        f"The signature of this {what} does not match. Open the link exactly as you received it, "
        "or ask the people who run the study for a new one.",
        status=403,
    )
