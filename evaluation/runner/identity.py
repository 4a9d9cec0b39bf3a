"""What determines the scores of an evaluation, recorded before its first block."""

from typing import Any

from evaluation.models import Evaluation
from winoplatform.runs.attempts import Attempt

TEXTS = (
    "weights_sha256", "config_sha256", "revision", "data_sha256", "corpus_sha256", "code_version",
)  # fmt: skip


def forget(attempt: Attempt[Evaluation]) -> None:
    """Let an attempt record other values than an earlier one, which has recorded no block."""
    attempt.note(**dict.fromkeys(TEXTS, ""), head_check=None)


def note_same(attempt: Attempt[Any], **facts: str) -> None:
    """Record facts; refuse those that differ from the recorded ones."""
    for name, value in facts.items():
        recorded = getattr(attempt.run, name)
        if recorded not in ("", value):
            raise ValueError(
                f"The first steps of this {attempt.run.noun} have {name} {recorded!r}, and here it "
                f"is {value!r}; start a new one."
            )
    attempt.note(**facts)
