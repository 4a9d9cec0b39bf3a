"""What determines the scores of an evaluation, recorded before its first block."""

from typing import Any, Protocol

from evaluation.models import Evaluation
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.models import Run

TEXTS = (
    "weights_sha256", "config_sha256", "revision", "data_sha256", "corpus_sha256", "code_version",
)  # fmt: skip


class Noting(Protocol):
    """What stores facts of a run, or not."""

    @property
    def run(self) -> Run: ...

    def note(self, **facts: Any) -> None: ...


class Preparing(Noting, Protocol):
    """What prepares an evaluation: it stores facts, and what it is doing, or not."""

    @property
    def run(self) -> Evaluation: ...

    def pulse(self, activity: str) -> None: ...


def forget(attempt: Attempt[Evaluation]) -> None:
    """Let an attempt record other values than an earlier one, which has recorded no block."""
    attempt.note(**dict.fromkeys(TEXTS, ""), head_check=None)


def note_same(attempt: Noting, **facts: str) -> None:
    """Record facts; refuse those that differ from the recorded ones."""
    for name, value in facts.items():
        recorded = getattr(attempt.run, name)
        if recorded not in ("", value):
            raise ValueError(
                f"The first steps of this {attempt.run.noun} have {name} {recorded!r}, and here it "
                f"is {value!r}; start a new one."
            )
    attempt.note(**facts)
