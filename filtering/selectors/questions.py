"""The questions of an encoding: how many, which a run removed, and where they are."""

from dataclasses import dataclass

import numpy as np

from corpora.core.items import TwinItem
from corpora.models import Snapshot
from corpora.selectors import kept_ids, load_questions, question_groups, snapshot_questions
from filtering.models import Assessment, Encoding, FilterRun, Tuning
from stats.keys import priorities
from training.core.tuning import sizes
from winoplatform.artifacts import store


def encoded_questions(encoding: Encoding) -> list[TwinItem]:
    """Return the questions of an encoding, in the order of its rows.

    All questions of the snapshot, except those that fine-tuned the encoder.
    """
    questions = load_questions(encoding.snapshot)
    used = used_by_tuning(encoding)
    return [question for question in questions if question.id not in used]


def encoded_ids(encoding: Encoding) -> list[str]:
    """Return the ids of `encoded_questions`."""
    used = used_by_tuning(encoding)
    return [id for id in question_groups(encoding.snapshot) if id not in used]


def used_by_tuning(encoding: Encoding) -> set[str]:
    """Return the ids of the questions that tuned an encoding's encoder."""
    if encoding.tuning is None:
        return set()
    assert encoding.tuning.used is not None
    with store.open_artifact(encoding.tuning.used) as file:
        return set(file.read().decode().split())


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
    part_sizes = sizes(n_questions, n_train=n_train, n_validation=n_validation)
    if n_questions == 2 * n_pairs:  # without unpaired questions parts of whole twins are even
        part_sizes = part_sizes[0] - part_sizes[0] % 2, part_sizes[1] - part_sizes[1] % 2
    return Parts(*part_sizes, n_questions)


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


@dataclass(frozen=True, slots=True)
class RemovedQuestion:
    """A removed question: its id, the number of the phase, and its score then, in [0, 1].

    The score is the share of held-out models that answered it correctly; None where the method
    trains no models.
    """

    id: str
    phase: int
    score: float | None


def removed_questions(run: FilterRun) -> list[RemovedQuestion]:
    """Return what a finished run removed: by phase, within it by score, the highest first."""
    ids = encoded_ids(run.encoding)
    list_of_removed = []
    for phase in run.steps.select_related("arrays"):
        rows, correct, held_out, removed = store.load_array(phase.arrays)
        for at in (removed == 1).nonzero()[0]:
            score = float(correct[at] / held_out[at]) if held_out[at] else None
            list_of_removed.append(RemovedQuestion(ids[rows[at]], phase.number, score))
    return sorted(list_of_removed, key=lambda row: (row.phase, -(row.score or 0.0), row.id))


MOST_PLACES = 50_000  # about 8 MB of JSON
DIGITS = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """A question with its place, and whether the filter kept it."""

    id: str
    sentence: str
    right: str
    answer: int
    is_kept: bool
    x: float
    y: float


def placed_questions(assessment: Assessment) -> list[Placed]:
    """Return the questions in the order of the encoding's rows.

    Of more than ``MOST_PLACES``, a random sample that depends on the seed and the ids only.
    """
    run = assessment.filter_run
    assert assessment.places is not None
    places = store.load_array(assessment.places)
    questions = encoded_questions(run.encoding)
    stays = kept_ids(run.selection)
    rows = np.arange(len(questions))
    if len(rows) > MOST_PLACES:
        ids = [question.id for question in questions]
        order = np.argsort(priorities(ids, seed=assessment.seed, purpose="places"))
        rows = np.sort(order[:MOST_PLACES])
    placed = []
    for row in rows:
        question, place = questions[row], places[row]
        placed.append(
            Placed(
                question.id,
                question.sentence,
                question.options[question.answer - 1],
                question.answer,
                question.id in stays,
                _rounded(place[0]),
                _rounded(place[1]) if len(place) > 1 else 0.0,
            )
        )
    return placed


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
