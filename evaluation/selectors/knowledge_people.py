"""How annotators answer the problems of a knowledge release, from its votes."""

import json
from dataclasses import asdict

import numpy as np

from evaluation.core.paper_tables import Measured
from knowledge.core.bundle.layout import VOTES
from knowledge.core.published import KINDS
from knowledge.core.tables import TRUE
from knowledge.models import KnowledgeRelease
from knowledge.selectors import released_problems
from stats.groups import group_numbers
from stats.people import single_votes
from winoplatform.artifacts import store

FALSE = "false"


def people_figures(release: KnowledgeRelease) -> dict[str, Measured]:
    """Return people's right answers by kind, of false and of true problems; none without votes.

    Only the variable text was shown, and only valid problems count, as in the paper: those whose
    label most people gave, so that the figures are higher than of all problems. The intervals are
    over groups of twins, and over these and people.
    """
    problems = {
        one.id: one for one in released_problems(release) if one.variant == "variable" and one.valid
    }
    votes = [(problems[id], who, yes) for id, who, yes in _votes(release) if id in problems]
    if not votes:
        return {}
    right = np.array([yes == one.label for one, _who, yes in votes], dtype=np.float64)
    kinds = np.array([one.kind for one, _who, _yes in votes])
    groups = group_numbers([one.group for one, _who, _yes in votes])
    annotators = group_numbers([who for _one, who, _yes in votes])
    rows = {kind: kinds == kind for kind in (TRUE, *KINDS)} | {FALSE: kinds != TRUE}
    return {
        name: Measured(**asdict(single_votes(right[which], groups[which], annotators[which])))
        for name, which in rows.items()
        if which.any()
    }


def _votes(release: KnowledgeRelease) -> list[tuple[str, str, bool]]:
    """Return the problem, the annotator and the answer of each vote."""
    file = release.files.filter(name=VOTES).select_related("artifact").first()
    if file is None:
        return []
    with store.open_artifact(file.artifact) as lines:
        rows = map(json.loads, lines)
        return [(row["id"], row["annotator"], row["yes"]) for row in rows]
