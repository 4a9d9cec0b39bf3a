"""Loaded into a worker under test: it pauses after each recorded step, long enough to be killed."""

import time
from typing import Any

from winoplatform.runs.attempts import Attempt

PAUSE_SECONDS = 0.15
_record = Attempt.record


def _record_and_pause(self: Attempt[Any], *args: Any, **options: Any) -> None:
    _record(self, *args, **options)
    time.sleep(PAUSE_SECONDS)


Attempt.record = _record_and_pause  # type: ignore[method-assign]
