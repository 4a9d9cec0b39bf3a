"""Progress reports of long work."""

import time
from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called with the work done, the total (in units of equal time), and a description.

An exception that it raises stops the work.
"""


def at_most_every(seconds: float, progress: Progress) -> Progress:
    """Return *progress* limited to one report per *seconds*; the first one passes."""
    told = float("-inf")

    def tell(done: int, total: int, said: str) -> None:
        nonlocal told
        if time.monotonic() - told >= seconds:
            told = time.monotonic()
            progress(done, total, said)

    return tell
