"""How far something is, told while it goes on."""

import time
from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Takes how much is done, of how much (in units of equal time), and the same in words.

What it raises stops the work.
"""


def at_most_every(seconds: float, progress: Progress) -> Progress:
    """Pass on the first that is told, and then no more than one in so many seconds."""
    told = float("-inf")

    def tell(done: int, total: int, said: str) -> None:
        nonlocal told
        if time.monotonic() - told >= seconds:
            told = time.monotonic()
            progress(done, total, said)

    return tell
