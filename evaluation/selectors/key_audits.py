"""The answers of all systems to a set, and which of its keys they contradict."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.core.items import Item
from corpora.core.metrics import credits
from evaluation.core.key_audit import FEWEST_SYSTEMS, MISSING, KeyAudit, audit
from evaluation.models import Evaluation
from evaluation.selectors.answers import scored_items, scores_of
from evaluation.selectors.comparisons import System, compared
from winoplatform.errors import DomainError


@dataclass(frozen=True, slots=True, eq=False)
class AuditedKeys:
    """The questions of a set, the evaluations that answered them, and their audit.

    ``right`` has a row for each evaluation: 1 for the key, 0 for another option, -1 for no answer
    or a tie.
    """

    items: tuple[Item, ...]
    runs: tuple[Evaluation, ...]
    right: NDArray[np.int8]
    audit: KeyAudit

    @property
    def suspected(self) -> list[int]:
        """The rows of suspected keys, the most probable first."""
        order = np.argsort(-self.audit.evidence, kind="stable")
        return [int(row) for row in order if self.audit.is_suspected[row]]


def audited_keys(runs: Sequence[Evaluation]) -> AuditedKeys:
    """Audit the keys of a set by evaluations of it.

    Parameters
    ----------
    runs : sequence of Evaluation
        As from `evaluations_of`. Of a system and seed only the newest counts; each seed is a
        system, since seeds that make the same errors have a small weight.

    Raises
    ------
    DomainError
        With fewer than 5 systems.
    """
    systems: tuple[System, ...] = compared(runs).systems if runs else ()
    each = tuple(run for system in systems for run in system.runs)
    if len(each) < FEWEST_SYSTEMS:
        raise DomainError(
            "too_few_systems",
            f"An audit of keys needs evaluations by at least {FEWEST_SYSTEMS} systems; "
            f"these questions have {len(each)}.",
        )
    items = scored_items(each[0]).items
    right = np.array([_right(run, items) for run in each])
    n_options = [len(item.options) for item in items]
    return AuditedKeys(items, each, right, audit(right, n_options=n_options))


def _right(run: Evaluation, items: Sequence[Item]) -> NDArray[np.int8]:
    right = np.full(len(items), MISSING, dtype=np.int8)
    for row, (item, scores) in enumerate(zip(items, scores_of(run, items), strict=True)):
        if scores is not None and len(scores):
            credit = credits([scores], np.array([item.answer], dtype=np.int64))[0]
            right[row] = credit if credit in (0, 1) else MISSING
    return right
