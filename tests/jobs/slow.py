"""Loaded into a worker under test: it pauses after each recorded step, long enough to be killed."""

import time
from typing import Any

from winoplatform.runs.frame import Carrier

PAUSE_SECONDS = 0.15
_record = Carrier.record


def _record_and_pause(self: Carrier[Any], *args: Any, **options: Any) -> None:
    _record(self, *args, **options)
    time.sleep(PAUSE_SECONDS)


Carrier.record = _record_and_pause  # type: ignore[method-assign]
