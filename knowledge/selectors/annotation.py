"""Reads of a set's validation: progress, and figures of the answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db.models import Count, F, Q

from knowledge.core.validation import Answers, Figures, figures, valid_problems
from knowledge.models import (
    Enrolment,
    Sentence,
    SentenceSeat,
    SetValidation,
)
from workers.models import User


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a set is answered: seats in all, answered ones, and enrolled annotators."""

    n_wanted: int
    n_answered: int
    n_enrolled: int


def progress(validation: SetValidation) -> Progress:
    """Return how far a validation is, in two queries."""
    counts = SentenceSeat.objects.filter(validation=validation).aggregate(
        wanted=Count("pk"), answered=Count("pk", filter=Q(answered_at__isnull=False))
    )
    enrolled = Enrolment.objects.active().filter(validation=validation, worker__isnull=False)
    return Progress(counts["wanted"], counts["answered"], enrolled.count())


def held_sentence(worker: User, validation: SetValidation, *, now: datetime) -> Any:
    """Return the seat that *worker* holds, with its sentence; None if there is none."""
    held = SentenceSeat.objects.held(now=now).filter(worker=worker, validation=validation)
    return held.select_related("sentence__formalisation").first()


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


def set_figures(validation: SetValidation) -> SetFigures:
    """Return the figures of a validation's answers so far, in two queries."""
    rows = list(
        Sentence.objects.filter(knowledge_set=validation.knowledge_set_id)
        .order_by("pk")
        .values_list("pk", "kind", "of")
    )
    place = {key: number for number, (key, _kind, _of) in enumerate(rows)}
    labels = np.array([kind == Sentence.Kind.TRUE for _key, kind, _of in rows], dtype=bool)
    answers, annotators = _answers(validation, place)
    found = figures(
        labels,
        answers,
        kinds=[kind for _key, kind, _of in rows],
        pairs=[of or key for key, _kind, of in rows],
        policy=validation.policy,
    )
    valid, _complete = valid_problems(labels, answers, policy=validation.policy)
    return SetFigures(found, annotators, frozenset(key for key, at in place.items() if valid[at]))


def _answers(validation: SetValidation, place: dict[int, int]) -> tuple[Answers, tuple[str, ...]]:
    rows = list(
        SentenceSeat.objects.done()
        .filter(validation=validation)
        .order_by("pk")
        .values_list("sentence", "worker__public_id", "yes", F("answered_at") - F("claimed_at"))
    )
    names = tuple(sorted({str(worker) for _sentence, worker, _yes, _time in rows}))
    number = {name: at for at, name in enumerate(names)}
    answers = Answers.of(
        [place[sentence] for sentence, *_rest in rows],
        [number[str(worker)] for _sentence, worker, *_rest in rows],
        [yes for _sentence, _worker, yes, _time in rows],
        [_seconds(time) for *_rest, time in rows],
    )
    return answers, names


def _seconds(time: timedelta | None) -> float:
    return float("nan") if time is None else time.total_seconds()
