"""The questions of an assessment on their principal components."""

from dataclasses import dataclass

import numpy as np

from corpora.selectors import kept_ids
from filtering.models import Assessment
from filtering.selectors.questions import encoded_questions
from stats.keys import priorities
from winoplatform.artifacts import store

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
    found = []
    for row in rows:
        question, place = questions[row], places[row]
        found.append(
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
    return found


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
