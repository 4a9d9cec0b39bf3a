"""How an evaluation is worked off: in steps that any worker computes, each stored once."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from evaluation.models import Evaluation, EvaluationBlock
from winoplatform.runs.sharing import SharedSteps


class Work(SharedSteps[Evaluation]):
    """The steps of an evaluation; what one records depends only on the run and its number."""

    STEP = EvaluationBlock
    NOUN = "block"
    ACTIVITY = "scoring"

    @abstractmethod
    def prepared(self) -> Callable[[int], EvaluationBlock]:
        """Record what determines the scores, or refuse what differs; return what computes a step.

        It is called by each worker before its first step.
        """

    @abstractmethod
    def results(self) -> dict[str, Any]:
        """Return the columns of the finished evaluation, from the recorded steps."""
