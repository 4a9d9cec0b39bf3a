"""Sealed cursors: a page's position contains a primary key, which tells how many rows there are."""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode

from django.conf import settings

TAG = 16  # bytes


def seal(text: str, *, purpose: str) -> str:
    """Encrypt and sign a text; the same text and purpose give the same result.

    The tag authenticates the text and is the nonce of its key stream, as in RFC 5297 (SIV).
    """
    plain = text.encode()
    tag = _tag(plain, purpose)
    return urlsafe_b64encode(tag + _mixed(plain, tag)).decode().rstrip("=")


def unseal(sealed: str, *, purpose: str) -> str:
    """Return the text that was sealed for the same purpose.

    Raises
    ------
    ValueError
        If this installation did not seal it, or has had another ``SECRET_KEY`` since.
    """
    raw = urlsafe_b64decode(sealed.encode("ascii") + b"=" * (-len(sealed) % 4))
    tag = raw[:TAG]
    plain = _mixed(raw[TAG:], tag)
    if not hmac.compare_digest(_tag(plain, purpose), tag):
        raise ValueError("This was not sealed here.")
    return plain.decode()


def _mixed(text: bytes, tag: bytes) -> bytes:
    stream = hashlib.shake_256(_key("stream") + tag).digest(len(text))
    return bytes(one ^ other for one, other in zip(text, stream, strict=True))


def _tag(text: bytes, purpose: str) -> bytes:
    return hmac.digest(_key(f"tag {purpose}"), text, "sha256")[:TAG]


def _key(use: str) -> bytes:
    return hashlib.sha256(f"cursor {use} {settings.SECRET_KEY}".encode()).digest()
