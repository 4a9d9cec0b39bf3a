"""The questions that a filter run removed."""

from dataclasses import dataclass

from filtering.models import FilterRun
from filtering.selectors.questions import encoded_ids
from winoplatform.artifacts import store


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
    found = []
    for phase in run.steps.select_related("arrays"):
        rows, correct, held_out, removed = store.load_array(phase.arrays)
        for at in (removed == 1).nonzero()[0]:
            score = float(correct[at] / held_out[at]) if held_out[at] else None
            found.append(RemovedQuestion(ids[rows[at]], phase.number, score))
    return sorted(found, key=lambda one: (one.phase, -(one.score or 0.0), one.id))
