"""Loaded into a worker under test: it pauses after each recorded step, long enough to be killed."""

import time
from typing import Any

from django.db import transaction

from tests.jobs import HOLD
from winoplatform.processes import broker
from winoplatform.runs.attempts import Attempt

PAUSE_SECONDS = 0.15
_record = Attempt.record


def _record_and_pause(self: Attempt[Any], *args: Any, **options: Any) -> None:
    _record(self, *args, **options)
    # After the commit: other workers that record a step of the same run do not wait for it.
    transaction.on_commit(_pause)


def _pause() -> None:
    """While the key HOLD exists in Redis, the pause does not end."""
    time.sleep(PAUSE_SECONDS)
    while broker.client().exists(broker.key(HOLD)):
        time.sleep(0.05)


Attempt.record = _record_and_pause  # type: ignore[method-assign]
