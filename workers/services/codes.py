"""One-time codes for links; only their digests are stored."""

import secrets
from hashlib import sha256


def new_code() -> str:
    return secrets.token_urlsafe(32)


def digest_of(code: str) -> str:
    return sha256(code.encode("utf-8", "replace")).hexdigest()
