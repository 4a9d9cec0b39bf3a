"""Sealed cursors: a page's position contains a primary key, which tells how many rows there are."""

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from django.conf import settings


def seal(text: str, *, purpose: str) -> str:
    """Encrypt and sign a text; the same text and purpose give the same result (RFC 5297)."""
    sealed = next(_ciphers()).encrypt(text.encode(), [purpose.encode()])
    return urlsafe_b64encode(sealed).decode().rstrip("=")


def unseal(sealed: str, *, purpose: str) -> str:
    """Return the text that was sealed for the same purpose.

    Raises
    ------
    ValueError
        If none of this installation's present and earlier secret keys sealed it.
    """
    raw = urlsafe_b64decode(sealed.encode("ascii") + b"=" * (-len(sealed) % 4))
    for cipher in _ciphers():
        try:
            return cipher.decrypt(raw, [purpose.encode()]).decode()
        except InvalidTag:
            continue
    raise ValueError("This was not sealed here.")


def _ciphers() -> Iterator[AESSIV]:
    """Yield the cipher of the secret key, then those of earlier ones."""
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        yield AESSIV(hashlib.sha512(f"cursor {secret}".encode()).digest())
