"""Optional questions about people: what a campaign asks, a person's own answers, and counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from collection.core.background import is_due, published
from collection.models import (
    BackgroundAnswer,
    BackgroundEdition,
    BackgroundQuestion,
    BackgroundRespondent,
    Campaign,
    Consent,
)
from workers.models import User


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """A question with what its person has told: options from 1, none for nothing."""

    question: BackgroundQuestion
    chosen: tuple[int, ...]


def own_answers(worker: User, campaign: Campaign) -> list[OwnAnswer]:
    """Return the questions of a campaign with the worker's own answers, for that worker alone."""
    questions = list(BackgroundQuestion.objects.asked_in(campaign))
    rows = BackgroundAnswer.objects.filter(worker=worker, question__in=questions)
    told = dict(rows.values_list("question", "options"))
    return [OwnAnswer(question, tuple(told.get(question.pk, ()))) for question in questions]


def newest_edition(campaign: Campaign) -> BackgroundEdition | None:
    """Return the counts as they are published now; None before enough people have answered."""
    return BackgroundEdition.objects.filter(campaign=campaign).order_by("-pk").first()


def background_of(campaign: Campaign) -> list[dict[str, Any]]:
    """Return what the newest edition says: questions, each with its ``lines``; empty without one.

    A line is an option and how many at least chose it; options without a count are left out.
    ``rest`` counts all others; None where people could choose several options.
    """
    edition = newest_edition(campaign)
    return [] if edition is None else [_question(edition, row) for row in edition.counts]


def _question(edition: BackgroundEdition, row: dict[str, Any]) -> dict[str, Any]:
    lines = [[label, count] for label, count in row["options"] if count]
    rest = row["people"] - sum(count for _, count in lines)
    return {
        "text": row["text"],
        "many": row["many"],
        "people": row["people"],
        "least": edition.least,
        "lines": lines,
        "rest": None if row["many"] else rest,
    }


def waiting_respondents(campaign: Campaign) -> "QuerySet[BackgroundRespondent]":
    """Return who has told something and is not counted in an edition."""
    told = BackgroundAnswer.objects.filter(
        worker=OuterRef("worker"), question__campaign=campaign, question__retired_at=None
    )
    rows = BackgroundRespondent.objects.filter(campaign=campaign, edition=None)
    return rows.filter(Exists(told))


def may_publish(campaign: Campaign) -> bool:
    """Return whether enough people are not counted yet for another edition."""
    return is_due(waiting_respondents(campaign).count(), least=campaign.least_group)


def counts_with(
    campaign: Campaign, workers: Sequence[int], *, before: BackgroundEdition | None
) -> list[dict[str, Any]]:
    """Return the counts of the edition *before*, and what may be published of *workers*, added."""
    rows = {row["id"]: row for row in before.counts} if before else {}
    return [
        _added(question, workers, campaign.least_group, rows.get(str(question.public_id)))
        for question in BackgroundQuestion.objects.asked_in(campaign)
    ]


def _added(
    question: BackgroundQuestion, workers: Sequence[int], least: int, row: dict[str, Any] | None
) -> dict[str, Any]:
    counts = [0] * len(question.options)
    answers = BackgroundAnswer.objects.filter(question=question, worker__in=workers)
    for option in chain.from_iterable(answers.values_list("options", flat=True)):
        counts[option - 1] += 1
    shown = published(counts, people=len(workers), least=least, many=question.many)
    stood = [n for _, n in row["options"]] if row else [0] * len(shown)
    return {
        "id": str(question.public_id),
        "text": question.text,
        "many": question.many,
        "people": len(workers) + (row["people"] if row else 0),
        "options": [
            [label, n + more] for label, n, more in zip(question.options, stood, shown, strict=True)
        ],
    }


def is_asked_now(worker: User, campaign: Campaign) -> bool:
    """Return whether a person who has just accepted is asked: after their first consent alone."""
    n_given = Consent.objects.filter(worker=worker, guideline__campaign=campaign).count()
    return n_given == 1 and BackgroundQuestion.objects.asked_in(campaign).exists()
