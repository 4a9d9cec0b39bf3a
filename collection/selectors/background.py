"""Optional questions about people: what a campaign asks, a person's own answers, and counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from collection.core.background import published, remain_counted
from collection.models import (
    BackgroundAnswer,
    BackgroundEdition,
    BackgroundQuestion,
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

    A line is an option's label and count; the last one, without a label, has all other people.
    Options without a count are left out.
    """
    edition = newest_edition(campaign)
    return [] if edition is None else [_question(edition, row) for row in edition.counts]


def _question(edition: BackgroundEdition, row: dict[str, Any]) -> dict[str, Any]:
    lines = [[label, count] for label, count in row["options"] if count]
    rest = edition.people - sum(count for _, count in lines)
    return {
        "text": row["text"],
        "many": row["many"],
        "people": edition.people,
        "least": edition.least,
        "lines": lines,
        # Where several can be chosen, people are in several lines.
        "rest": None if row["many"] else rest,
    }


def counts_now(campaign: Campaign, *, least: int) -> tuple[int, list[dict[str, Any]]]:
    """Return how many people were asked, and the counts of an edition of this moment."""
    accepted = Consent.objects.active().filter(guideline__campaign=campaign).order_by()
    people = accepted.aggregate(n=Count("worker", distinct=True))["n"]
    return people, [
        _counted(question, people, least)
        for question in BackgroundQuestion.objects.asked_in(campaign)
    ]


def _counted(question: BackgroundQuestion, people: int, least: int) -> dict[str, Any]:
    counts = _raw(question, least)
    shown = published(counts, people=people, least=least, many=question.many)
    return {
        "text": question.text,
        "many": question.many,
        "options": [[label, n] for label, n in zip(question.options, shown, strict=True)],
    }


def _raw(question: BackgroundQuestion, least: int) -> Sequence[int]:
    counts = [0] * len(question.options)
    for options in BackgroundAnswer.objects.filter(question=question).values_list(
        "options", flat=True
    ):
        for option in options:
            counts[option - 1] += 1
    if question.removed and remain_counted(question.n_removed, least=least):
        return [count + gone for count, gone in zip(counts, question.removed, strict=True)]
    return counts
