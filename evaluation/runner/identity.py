"""What determines the scores of an evaluation, recorded before its first block."""

from evaluation.models import Evaluation
from winoplatform.runs.attempts import Attempt

TEXTS = (
    "weights_sha256", "config_sha256", "revision", "data_sha256", "corpus_sha256", "code_version",
)  # fmt: skip


def forget(attempt: Attempt[Evaluation]) -> None:
    """Let an attempt record other values than an earlier one, which has recorded no block."""
    attempt.note(**dict.fromkeys(TEXTS, ""), head_check=None)
