"""Evaluations of statements, and the people who answered about them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from collection.models import NONE
from corpora.core.metrics import rounded_fields
from corpora.models import Release, Snapshot
from evaluation.core.knowledge.statements import REASONS, Statement
from evaluation.core.published_tables import Measured
from evaluation.models import Evaluation
from knowledge.core.bundle.layout import VOTES
from knowledge.core.reasons import Flag, Validity
from knowledge.core.reporting import TRUE
from knowledge.core.statistics import KINDS
from knowledge.models import KnowledgeRelease, Reason
from knowledge.selectors import released_problems
from panels.models import Panel
from panels.selectors import panel_answers, progress_of, scores_of, voters_people
from stats.groups import group_numbers
from stats.people import single_votes
from winoplatform.artifacts import store
from workers.models import User

INVALID = "invalid"
UNDECIDED = "undecided by the people asked"


@dataclass(frozen=True)
class StatementSet:
    """The statements of an evaluation, and by reason how many were left out."""

    statements: list[Statement]
    left_out: dict[str, int]


def statements_of(run: Evaluation) -> StatementSet:
    """Return the statements that an evaluation scores, in a fixed order.

    Raises
    ------
    ValueError
        When there are none.
    """
    statements = (
        _of_reasons(run.reasons)
        if run.knowledge_release is None
        else _of_release(run.knowledge_release)
    )
    if not statements.statements:
        raise ValueError(f"There is nothing to score in {run.data_name}.")
    return statements


def learned_from(collection: str) -> list[Statement]:
    """Return the decided reasons of a collection, from which a classifier learns.

    Raises
    ------
    ValueError
        When they are not of both labels.
    """
    statements = _of_reasons(collection).statements
    if len({statement.label for statement in statements}) < 2:
        raise ValueError(f"There are no valid and invalid reasons named “{collection}”.")
    return statements


def knowledge_data_sha256(
    statements: Iterable[Statement], learned: Iterable[Statement] = ()
) -> str:
    """Return the SHA-256 of statements' texts, without labels, and of those learned, with them."""
    digest = sha256()
    for row in statements:
        digest.update(f"{json.dumps([row.variant, row.id, row.problem.text])}\n".encode())
    for row in learned:
        digest.update(f"{json.dumps([row.problem.text, row.label])}\n".encode())
    return digest.hexdigest()


def _of_release(release: KnowledgeRelease) -> StatementSet:
    return StatementSet(
        [
            Statement(
                id=problem.id,
                variant=problem.variant,
                problem=problem.problem,
                label=problem.label,
                kind=problem.kind,
                pair=problem.pair,
                group=problem.group,
                is_valid=problem.valid,
            )
            for problem in released_problems(release)
        ],
        {},
    )


def _of_reasons(collection: str) -> StatementSet:
    rows = Reason.objects.filter(collection=collection)
    decided = [row for row in rows if row.validity is not Validity.UNDECIDED]
    return StatementSet(list(map(_of_reason, decided)), {UNDECIDED: len(rows) - len(decided)})


def _of_reason(row: Reason) -> Statement:
    label = row.validity is Validity.VALID
    id = f"{row.question}-{row.number}"
    return Statement(
        id=id,
        variant=REASONS,
        problem=row.problem,
        label=label,
        kind=TRUE if label else INVALID,
        pair=id,
        group=row.group,
        types=tuple(row.types),
        is_circular=Flag.CIRCULAR in row.flags,
    )


def statements_visible_to(
    user: User, rows: "QuerySet[Evaluation, Any] | None" = None
) -> "QuerySet[Evaluation, Any]":
    """Return the evaluations of statements, or of *rows*, that *user* may see, with every answer.

    They are of the knowledge releases that the user may see. Reasons name answers, so that only
    curators see evaluations of them.
    """
    evaluations = Evaluation.objects.of_statements() if rows is None else rows
    of_releases = Q(knowledge_release__in=KnowledgeRelease.objects.visible_to(user))
    of_reasons = ~Q(reasons="") if user.is_curator else NONE
    return evaluations.filter(of_releases | of_reasons)


def recorded_answers(run: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield the lines of a finished evaluation's answers."""
    assert run.predictions is not None
    with store.open_artifact(run.predictions) as lines:
        yield from map(json.loads, lines)


def recorded_margins(run: Evaluation) -> NDArray[np.float64]:
    """Return the margins of a finished evaluation (n_seeds, n), in the order of `statements_of`."""
    return np.array([row["margins"] for row in recorded_answers(run)], dtype=np.float64).T


FALSE = "false"


def people_figures(release: KnowledgeRelease) -> dict[str, Measured]:
    """Return people's right answers by kind, of false and of true problems; none without votes.

    Only the variable text was shown, and only valid problems count, as in the paper: those whose
    label most people gave, so that the figures are higher than of all problems. The intervals are
    over groups of twins, and over these and people.
    """
    problems = {
        row.id: row for row in released_problems(release) if row.variant == "variable" and row.valid
    }
    votes = [(problems[id], who, yes) for id, who, yes in _votes(release) if id in problems]
    if not votes:
        return {}
    right = np.array([yes == statement.label for statement, _who, yes in votes], dtype=np.float64)
    kinds = np.array([statement.kind for statement, _who, _yes in votes])
    groups = group_numbers([statement.group for statement, _who, _yes in votes])
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


def people_facts(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Return the newest finished evaluation by people of the snapshot or an earlier release.

    Empty if there is none. Their votes are fresh: none of them made a question valid. Shares have
    two decimals: exact ones of two releases could tell how people answered one blind question.
    """
    earlier = Release.objects.filter(snapshot__campaign=snapshot.campaign_id)
    panels = Panel.objects.of_whole_sets().filter(Q(snapshot=snapshot) | Q(release__in=earlier))
    panels = panels.select_related("release")
    for panel in panels.order_by("-pk"):
        progress = progress_of(panel)
        items = panel_answers(panel)
        if items and progress.n_complete == progress.n_items:
            scores = scores_of(items)
            return [
                {
                    "split": panel.split,
                    "release": panel.release.public_name if panel.release else "",
                    "questions": len(items),
                    "people": progress.n_people,
                    "votes": progress.n_votes,
                    "individual": rounded_fields(scores.individual, 2),
                    "majority": rounded_fields(scores.majority, 2),
                    "group": rounded_fields(scores.group, 2) if scores.group.n else None,
                    "who": asdict(voters_people(panel)),
                }
            ]
    return []
