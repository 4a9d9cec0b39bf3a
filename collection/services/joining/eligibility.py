"""Eligibility of a worker in a campaign: required steps and refusals."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from collection.models import Campaign, Guideline
from winoplatform.errors import DomainError
from workers.models import Qualification

GUIDELINES, TRAINING, EXERCISE, FAILED = "guidelines", "training", "exercise", "failed"
DECIDED = (Qualification.Status.PASSED, Qualification.Status.FAILED)
STEPS = {
    "guideline_not_accepted": GUIDELINES,
    "training_not_done": TRAINING,
    "exercise_not_passed": EXERCISE,
}
"""The refusals that a worker can resolve, with the step that resolves them."""


class StepState(StrEnum):
    DONE = "done"
    TODO = "todo"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One step that a campaign requires before a worker can begin; *code* identifies it."""

    code: str
    state: StepState


@dataclass(frozen=True, slots=True, kw_only=True)
class Eligibility:
    """The eligibility of a worker for one kind of work: its steps and refusals.

    ``n_training`` and ``n_items`` count the items of the training and of the test; ``blockers`` are
    names of ``selectors.joining.blockers``.
    """

    campaign: Campaign
    skill: str
    guideline: Guideline | None
    accepted_at: datetime | None
    n_training: int
    n_items: int
    qualification: Qualification | None
    n_attempts: int
    blockers: tuple[str, ...]
    refusals: tuple[DomainError, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that the campaign requires, in order."""
        steps = []
        if self.guideline is not None:
            steps.append(GUIDELINES)
        if self.n_training:
            steps.append(TRAINING)
        if self.n_items or self.has_tried:
            steps.append(EXERCISE)
        return tuple(Step(code, self._state(code)) for code in steps)

    def _state(self, code: str) -> StepState:
        if code == EXERCISE and FAILED in self.blockers:
            return StepState.FAILED
        return StepState.TODO if code in self.blockers else StepState.DONE

    @property
    def status(self) -> str:
        return self.qualification.status if self.qualification else ""

    @property
    def is_trained(self) -> bool:
        return TRAINING not in self.blockers

    @property
    def has_tried(self) -> bool:
        return self.n_attempts > 0 or self.status in DECIDED

    @property
    def next_step(self) -> str:
        """The code of the next step; empty if none is left or none can be done."""
        if any(refusal.code not in STEPS for refusal in self.refusals):
            return ""
        return next((step.code for step in self.steps if step.state == StepState.TODO), "")

    @property
    def attempts_left(self) -> int:
        return max(0, self.campaign.exercise_attempts - self.n_attempts)

    @property
    def refusal(self) -> DomainError | None:
        """The first refusal."""
        return self.refusals[0] if self.refusals else None

    @property
    def may_work(self) -> bool:
        return not self.refusals
