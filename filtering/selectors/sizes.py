"""Number of questions of an encoding, or the expected number before its inputs are done."""

from dataclasses import dataclass

from corpora.models import Snapshot
from corpora.selectors import snapshot_questions
from filtering.models import Encoding, Tuning
from training.core.tuning import sizes


@dataclass(frozen=True, slots=True)
class Parts:
    """The most questions that a tuning removes from a snapshot."""

    n_train: int
    n_validation: int
    n_questions: int

    @property
    def used(self) -> int:
        return self.n_train + self.n_validation

    @property
    def left(self) -> int:
        return self.n_questions - self.used


def parts_of(
    snapshot: Snapshot, *, n_train: int | None = None, n_validation: int | None = None
) -> Parts | None:
    """Return the sizes of a tuning's parts of a snapshot; None before its size is known.

    Raises
    ------
    ValueError
        When both parts are more than half of it.
    """
    n_questions, n_pairs = snapshot.n_questions, snapshot.n_pairs
    if n_questions is None or n_pairs is None:
        return None
    found = sizes(n_questions, n_train=n_train, n_validation=n_validation)
    if n_questions == 2 * n_pairs:  # without unpaired questions parts of whole twins are even
        found = found[0] - found[0] % 2, found[1] - found[1] % 2
    return Parts(*found, n_questions)


def parts_of_tuning(tuning: Tuning) -> Parts | None:
    """As ``parts_of``, for a tuning; None also if its sizes are invalid."""
    try:
        return parts_of(tuning.snapshot, n_train=tuning.n_train, n_validation=tuning.n_validation)
    except ValueError:
        return None


def questions_in(encoding: Encoding) -> int:
    """Return the number of questions of an encoding, or the expected number if not yet known."""
    if encoding.n_questions is not None:
        return encoding.n_questions
    parts = parts_of_tuning(encoding.tuning) if encoding.tuning else None
    if parts is not None:
        return parts.left
    return encoding.snapshot.n_questions or snapshot_questions(encoding.snapshot).count()
