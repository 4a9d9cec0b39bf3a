"""How passwords are hashed: by Argon2, within a pool of its own."""

from typing import Any

from django.contrib.auth import hashers

from winoplatform.processes.pools import PASSWORDS


class Argon2(hashers.Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane.

    Source: OWASP Password Storage Cheat Sheet. Django's default of 100 MiB and eight lanes takes
    ten times the processor time, and 800 MiB for eight sign-ins at once.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1

    def encode(self, *args: Any, **kwargs: Any) -> str:
        with PASSWORDS.place():
            return super().encode(*args, **kwargs)

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        with PASSWORDS.place():
            return super().verify(*args, **kwargs)


class PBKDF2(hashers.PBKDF2PasswordHasher):
    """Of earlier accounts, until they sign in."""

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        with PASSWORDS.place():
            return super().verify(*args, **kwargs)
