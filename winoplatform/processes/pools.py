"""Small pools for work that may take long, so that short requests always find a thread.

A web process has eight threads (``winoplatform.processes.supervisor``). Downloads, large bodies
and password checks together hold at most seven of them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Semaphore
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError

BUSY = "busy_try_again"
LARGE_BODY = 64 * 1024  # bytes: more than any answer of a person


class Pool:
    """At most *size* at once in this process; *waiting* more wait for *patience* seconds."""

    def __init__(
        self, size: int, *, waiting: int = 0, patience: float = 0.0, retry_after: int = 2
    ) -> None:
        self.patience, self.retry_after = patience, retry_after
        self._free = BoundedSemaphore(size)
        self._waiting = Semaphore(waiting)  # each of them holds a thread

    def take(self) -> None:
        """Take a place.

        Raises
        ------
        DomainError
            ``busy_try_again`` (503) if there is none.
        """
        if not (self._free.acquire(blocking=False) or self._waited()):
            raise DomainError(
                BUSY,
                _("The server is busy with other requests of this kind. Please try again."),
                status=503,
                details={"retry_after": self.retry_after},
            )

    def give_back(self) -> None:
        self._free.release()

    @contextmanager
    def place(self) -> Iterator[None]:
        self.take()
        try:
            yield
        finally:
            self.give_back()

    def _waited(self) -> bool:
        if not self._waiting.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=self.patience)
        finally:
            self._waiting.release()


DOWNLOADS = Pool(2)
LARGE_BODIES = Pool(2)
# A check takes some hundredths of a second of a core.
PASSWORDS = Pool(1, waiting=2, patience=2.0, retry_after=1)


def hold(request: Any, pool: Pool) -> None:
    """Take a place until the last byte of the answer is sent; a second call does nothing.

    The middleware ``frontend.middleware.Pools`` gives it back.
    """
    held = _held(request)
    if pool not in held:
        pool.take()
        held.append(pool)


def give_back(request: HttpRequest, response: HttpResponseBase | None) -> None:
    """Give back what the request holds: now, or when its *response* has been sent."""
    held = _held(request)

    def close() -> None:
        while held:
            held.pop().give_back()

    if response is not None and response.streaming:
        response._resource_closers.append(close)  # type: ignore[attr-defined]
    else:
        close()


def _held(request: Any) -> list[Pool]:
    request = getattr(request, "_request", request)  # of the REST framework's request
    places: list[Pool] = request.__dict__.setdefault("held_places", [])
    return places
