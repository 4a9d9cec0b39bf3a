"""How many questions an encoding has, or will have once what it waits for is done."""

from dataclasses import dataclass

from corpora.models import Snapshot
from corpora.selectors import valid_questions
from filtering.core.tuning import sizes
from filtering.models import Encoding, Tuning


@dataclass(frozen=True, slots=True)
class Parts:
    """How many questions of a snapshot a tuning takes away, at most."""

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
    """Say how a snapshot would be parted; None before its size is known.

    Raises
    ------
    ValueError
        When both parts are more than half of it.
    """
    n_questions, n_pairs = snapshot.n_questions, snapshot.n_pairs
    if n_questions is None or n_pairs is None:
        return None
    found = sizes(n_questions, n_train=n_train, n_validation=n_validation)
    if n_questions == 2 * n_pairs:  # no unpaired question makes a part of whole twins odd
        found = found[0] - found[0] % 2, found[1] - found[1] % 2
    return Parts(*found, n_questions)


def parts_of_tuning(tuning: Tuning) -> Parts | None:
    """As ``parts_of``, for what a tuning asked for; None also where it will be refused."""
    try:
        return parts_of(tuning.snapshot, n_train=tuning.n_train, n_validation=tuning.n_validation)
    except ValueError:
        return None


def questions_in(encoding: Encoding) -> int:
    """Return how many questions an encoding has; before that is known, how many it should have."""
    if encoding.n_questions is not None:
        return encoding.n_questions
    parts = parts_of_tuning(encoding.tuning) if encoding.tuning else None
    if parts is not None:
        return parts.left
    return encoding.snapshot.n_questions or valid_questions(encoding.snapshot.campaign).count()
