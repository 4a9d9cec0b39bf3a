"""The figures of a set's validation."""

from dataclasses import dataclass

import numpy as np
from django.db.models import F

from knowledge.core.validation import Answers, Figures, Policy, figures, valid_problems
from knowledge.models import KnowledgeSet, Sentence
from panels.models import Panel, PanelSeat


@dataclass(frozen=True, slots=True)
class SetFigures:
    """The figures of a validation, for curators.

    Parameters
    ----------
    figures
        ``core.validation.Figures``; annotators are numbered as in ``annotators``.
    annotators
        The worker's public id by the number in ``figures``.
    valid
        Sentences that are valid, by key.
    """

    figures: Figures
    annotators: tuple[str, ...]
    valid: frozenset[int]


def policy_of(panel: Panel) -> Policy:
    """Return how many of the answers about a sentence make it valid."""
    assert panel.needed is not None  # a constraint of the table
    return Policy(panel.votes_per_item, panel.needed)


def set_figures(knowledge_set: KnowledgeSet) -> SetFigures:
    """Return the figures of the answers about a set so far, in two queries."""
    panel = knowledge_set.panel
    assert panel is not None  # the validation has begun
    rows = list(
        Sentence.objects.filter(knowledge_set=knowledge_set)
        .order_by("pk")
        .values_list("pk", "public_id", "kind", "of")
    )
    place = {str(id): number for number, (_key, id, _kind, _of) in enumerate(rows)}
    labels = np.array([kind == Sentence.Kind.TRUE for *_ids, kind, _of in rows], dtype=bool)
    answers, annotators = _answers(panel, place)
    policy = policy_of(panel)
    figures_of_set = figures(
        labels,
        answers,
        kinds=[kind for *_ids, kind, _of in rows],
        pairs=[of or key for key, _id, _kind, of in rows],
        policy=policy,
    )
    valid, _complete = valid_problems(labels, answers, policy=policy)
    return SetFigures(
        figures_of_set,
        annotators,
        frozenset(row[0] for row, is_valid in zip(rows, valid, strict=True) if is_valid),
    )


def _answers(panel: Panel, place: dict[str, int]) -> tuple[Answers, tuple[str, ...]]:
    rows = list(
        PanelSeat.objects.filter(panel=panel)
        .counting()
        .order_by("pk")
        .values_list(
            "item__source_id", "worker__public_id", "option", F("answered_at") - F("claimed_at")
        )
    )
    names = tuple(sorted({str(worker) for _sentence, worker, _option, _time in rows}))
    number = {name: at for at, name in enumerate(names)}
    answers = Answers.of(
        [place[sentence] for sentence, *_rest in rows],
        [number[str(worker)] for _sentence, worker, *_rest in rows],
        [option == 1 for _sentence, _worker, option, _time in rows],
        [float("nan") if time is None else time.total_seconds() for *_rest, time in rows],
    )
    return answers, names
