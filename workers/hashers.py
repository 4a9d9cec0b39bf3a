"""How passwords are hashed: by Argon2, within a pool of its own and behind all other work."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.contrib.auth import hashers

from winoplatform.pools import PASSWORDS

R = TypeVar("R")
NICE = 10


def _yield_to_others() -> None:
    # On Linux a thread has a niceness of its own, which it may raise but not lower again.
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


# Argon2 computes outside Python's lock: without this, sign-ins would take the cores from votes.
_thread = ThreadPoolExecutor(1, "passwords", initializer=_yield_to_others)


def _behind(compute: Callable[[], R]) -> R:
    """Return what *compute* returns, computed when no other thread of this process wants a core."""
    with PASSWORDS.place():
        return _thread.submit(compute).result()


class Argon2(hashers.Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane.

    Source: OWASP Password Storage Cheat Sheet. Django's default of 100 MiB and eight lanes takes
    ten times the processor time, and 800 MiB for eight sign-ins at once.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1

    def encode(self, *args: Any, **kwargs: Any) -> str:
        encode = super().encode
        return _behind(lambda: encode(*args, **kwargs))

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        verify = super().verify
        return _behind(lambda: verify(*args, **kwargs))


class PBKDF2(hashers.PBKDF2PasswordHasher):
    """Of earlier accounts, until they sign in."""

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        verify = super().verify
        return _behind(lambda: verify(*args, **kwargs))
