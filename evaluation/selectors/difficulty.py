"""How hard one published question was for people and for models."""

from dataclasses import dataclass
from typing import Any

from corpora.core.bundle.layout import VOTES
from corpora.models import Release
from corpora.selectors import OPEN_SPLITS, lines_in, lines_of
from evaluation.models import Evaluation
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

NEWEST = 20
"""The evaluations whose files are read, the newest first."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How many of those who answered a question chose its published answer.

    ``validators`` counts the votes in the release that no curator excluded, and ``local`` those
    that named an option from the local context alone. ``systems`` counts models, each with the
    method by which it was asked; one that gave no answer counts, and is not right.
    """

    validators: int
    right: int
    local: int
    local_right: int
    systems: int
    systems_right: int


def difficulty_of(release: Release, *, qid: str, answer: int) -> Difficulty:
    """Return the difficulty of a question of an open split, from the release's public votes.

    Models are those that were evaluated on an open split of this release with its questions as
    they are. Those that the platform has fine-tuned are not counted: who may see what they were
    trained on is another question.
    """
    votes = [vote for vote in lines_in(release, VOTES, qid) if not vote["excluded"]]
    local = [vote["local_option"] for vote in votes if vote["local_option"] is not None]
    answers = _answers(release, qid)
    return Difficulty(
        validators=len(votes),
        right=sum(vote["option"] == answer for vote in votes),
        local=len(local),
        local_right=local.count(answer),
        systems=len(answers),
        systems_right=answers.count(answer),
    )


def _answers(release: Release, qid: str) -> list[Any]:
    """Return the answer of each system to a question, by its newest evaluation that has it."""
    rows = Evaluation.objects.of_items().filter(
        release=release,
        split__in=OPEN_SPLITS,
        transformation="",
        fine_tuning=None,
        status=RunStatus.DONE,
        predictions__isnull=False,
    )
    by_system: dict[tuple[str, ...], Any] = {}
    for run in rows.exclude(model="").select_related("predictions").order_by("-pk")[:NEWEST]:
        system = (run.method, run.variant, run.model, run.dtype)
        if system not in by_system and (lines := _lines_of(run, qid)):
            by_system[system] = lines[0].get("prediction")
    return [*by_system.values()]


def _lines_of(run: Evaluation, qid: str) -> list[dict[str, Any]]:
    """Return what an evaluation stored about a question; its lines are in the release's order."""
    assert run.predictions is not None
    with store.open_artifact(run.predictions) as file:
        return lines_of(file, qid)
