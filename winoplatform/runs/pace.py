"""The progress of long work, and how fast it is."""

import time
from collections.abc import Callable

TOLD_AFTER_SECONDS = 60


class Pace:
    """The seconds of each of many equal pieces of work, told after a minute of them."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._last, self._since = 0, 0.0

    def rate_text(self, done: int) -> str:
        """Return the rate, to append to an activity; empty during the first minute.

        *done* counts pieces. A smaller number than before begins anew, and the first piece does not
        count, since it also does what is done once.
        """
        now = time.monotonic()
        if self._first is None or done < self._last:
            self._first, self._since = done, now
        self._last = done
        n, seconds = done - self._first, now - self._since
        return f", {seconds / n:.2g} s each" if n and seconds >= TOLD_AFTER_SECONDS else ""


Progress = Callable[[int, int, str], None]
"""Called with the work done, the total (in units of equal time), and a description.

An exception that it raises stops the work.
"""


def at_most_every(seconds: float, progress: Progress) -> Progress:
    """Return *progress* limited to one report per *seconds*; the first one passes."""
    told = float("-inf")

    def tell(done: int, total: int, text: str) -> None:
        nonlocal told
        if time.monotonic() - told >= seconds:
            told = time.monotonic()
            progress(done, total, text)

    return tell
