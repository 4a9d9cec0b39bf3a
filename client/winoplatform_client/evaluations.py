"""An evaluation: awaited, with its figures and its answers."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from winoplatform_client.connection import Connection
from winoplatform_client.errors import RunFailed

DONE, FAILED = "done", ("failed", "cancelled")
EVERY = 2.0  # seconds


@dataclass
class Evaluation:
    """An evaluation; ``about`` is what the platform said of it last."""

    connection: Connection = field(repr=False)
    about: Mapping[str, Any] = field(repr=False)

    @property
    def id(self) -> str:
        return str(self.about["id"])

    @property
    def status(self) -> str:
        """queued, running, done, failed or cancelled."""
        return str(self.about["status"])

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Each figure with its value, interval (low, high) and n; empty before the end."""
        return self.about.get("metrics") or {}

    def refresh(self) -> Evaluation:
        """Ask how far it is."""
        self.about = self.connection.get(f"evaluations/{self.id}/")
        return self

    def wait(self, *, timeout: float | None = None, every: float = EVERY) -> Evaluation:
        """Wait for the end.

        Raises
        ------
        RunFailed
            When it fails or is cancelled.
        TimeoutError
            After *timeout* seconds; the evaluation goes on.
        """
        until = None if timeout is None else time.monotonic() + timeout
        while self.refresh().status != DONE:
            if self.status in FAILED:
                reason = self.about.get("failure") or self.status
                raise RunFailed(f"Evaluation {self.id}: {reason}")
            if until is not None and time.monotonic() + every > until:
                raise TimeoutError(f"Evaluation {self.id} is {self.status} after {timeout} s.")
            time.sleep(every)
        return self

    def predictions(self) -> pd.DataFrame:
        """Return the answer to each question with the scores of its options."""
        response = self.connection.send("GET", f"evaluations/{self.id}/predictions/")
        return pd.DataFrame(map(json.loads, response.text.splitlines()))
