"""Everything that is stored about one question, from its first text to models' answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Q

from collection.models import Question
from corpora.models import Release, Snapshot
from corpora.selectors import read_index
from evaluation.models import Evaluation
from evaluation.selectors.answers import lines_of
from evaluation.selectors.memberships import members_of
from filtering.models import FilterRun
from filtering.selectors import used_by_tuning
from validation.models import Appeal, Seat, VerdictEvent
from winoplatform.runs.models import RunStatus
from workers.models import LedgerEntry

NEWEST = 20
"""The snapshots, runs, releases and evaluations that are looked through, the newest first."""

_REVISIONS = """
WITH RECURSIVE older AS (
    SELECT id, revises_id FROM collection_twin WHERE id = %(twin)s
    UNION SELECT t.id, t.revises_id FROM collection_twin t JOIN older ON t.id = older.revises_id
), newer AS (
    SELECT id FROM collection_twin WHERE id = %(twin)s
    UNION SELECT t.id FROM collection_twin t JOIN newer ON t.revises_id = newer.id
)
SELECT id FROM older UNION SELECT id FROM newer
"""
WITH_ALL = Question.objects.select_related(
    "twin__campaign",
    "twin__author",
    "twin__returned__by",
    "verdict__decided_by",
    "facts",
    "gold__created_by",
)


@dataclass(frozen=True, slots=True)
class Membership:
    """A snapshot, filter run or release, and whether the question is in it.

    Of a filter run, ``is_outside`` is true if its snapshot does not have the question, and
    ``is_for_tuning`` if the question tuned its encoder, so that it was not filtered.
    """

    source: Any
    is_in: bool
    is_outside: bool = False
    is_for_tuning: bool = False


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An evaluation's answer to the question; None if it gave none."""

    evaluation: Evaluation
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class History:
    """One question with all that was done with it; lists are oldest first."""

    question: Question
    revisions: list[Question]
    """Its place in each text of the twin, this one included."""
    sibling: Question | None
    seats: list[Seat]
    events: list[VerdictEvent]
    appeals: list[Appeal]
    pay: list[LedgerEntry]
    snapshots: list[Membership]
    runs: list[Membership]
    releases: list[Membership]


def history_of(question: Question) -> History:
    """Return the history of *question*, which was read from ``WITH_ALL``, in nine queries."""
    texts = _texts(question)
    seats = list(
        Seat.objects.filter(question=question)
        .select_related("worker", "vote__excluded_by", "vote__worker")
        .order_by("pk")
    )
    units = [str(seat.vote.public_id) for seat in seats if hasattr(seat, "vote")]
    snapshots, runs, releases = _memberships(question)
    return History(
        question=question,
        revisions=[each for each in texts if each.number == question.number],
        sibling=next((e for e in texts if e.twin_id == question.twin_id and e != question), None),
        seats=seats,
        events=list(question.verdict_events.select_related("by").order_by("pk")),
        appeals=_appeals(question, units),
        pay=_pay(question, seats, units),
        snapshots=snapshots,
        runs=runs,
        releases=releases,
    )


def _texts(question: Question) -> list[Question]:
    with connection.cursor() as cursor:
        cursor.execute(_REVISIONS, {"twin": question.twin_id})
        twins = [key for (key,) in cursor.fetchall()]
    rows = Question.objects.filter(twin__in=twins).select_related("twin", "facts")
    return list(rows.order_by("pk"))


def _appeals(question: Question, votes: Sequence[str]) -> list[Appeal]:
    of_question = Q(subject=Appeal.Subject.QUESTION, unit=question.public_id)
    of_votes = Q(subject=Appeal.Subject.VOTE, unit__in=votes)
    rows = Appeal.objects.filter(of_question | of_votes)
    return list(rows.select_related("worker", "decided_by").order_by("pk"))


def _pay(question: Question, seats: Sequence[Seat], votes: Sequence[str]) -> list[LedgerEntry]:
    """Return the entries of the twin and of the question's votes, with corrections of them."""
    people = {seat.worker_id for seat in seats} | {question.twin.author_id}
    units = [str(question.twin.public_id), *votes]
    rows = LedgerEntry.objects.filter(worker__in=people - {None}, unit__in=units).with_state()
    return list(rows.select_related("worker").order_by("pk"))


def _memberships(question: Question) -> list[list[Membership]]:
    """Return the snapshots, filter runs and releases of the campaign, the oldest first."""
    campaign, done = question.twin.campaign, RunStatus.DONE
    snapshots = Snapshot.objects.filter(campaign=campaign, status=done)
    runs = FilterRun.objects.filter(encoding__snapshot__campaign=campaign, status=done)
    releases = Release.objects.filter(snapshot__campaign=campaign, status=done)
    newest: list[list[Any]] = [
        list(rows.order_by("-pk")[:NEWEST])[::-1]
        for rows in (
            snapshots.select_related("questions"),
            runs.select_related(
                "selection__kept", "encoding__snapshot__questions", "encoding__tuning__used"
            ),
            releases,
        )
    ]
    sources = [
        getattr(row, "selection", row) if rows is newest[1] else row
        for rows in newest
        for row in rows
    ]
    sources += [run.encoding.snapshot for run in newest[1]]
    has = [members.has(question.pk) for members in members_of(sources)]
    outside = dict(zip(newest[1], has[-len(newest[1]) :], strict=False))
    id = str(question.public_id)
    tuning = {run for run in newest[1] if id in used_by_tuning(run.encoding)}
    rows_in = iter(has)
    return [
        [Membership(row, next(rows_in), not outside.get(row, True), row in tuning) for row in rows]
        for rows in newest
    ]


def model_answers(question: Question, history: History) -> list[ModelAnswer]:
    """Return what evaluations answered to *question*, in its snapshots and releases.

    Reads the files of at most ``NEWEST`` evaluations, so it takes longer than the rest.
    """
    releases = [each.source for each in history.releases if each.is_in]
    snapshots = [each.source for each in history.snapshots if each.is_in]
    rows = Evaluation.objects.filter(
        Q(release__in=releases) | Q(snapshot__in=snapshots),
        status=RunStatus.DONE,
        predictions__isnull=False,
    )
    published = {release.pk: _published(release, question) for release in releases}
    answers = []
    for run in rows.order_by("-pk")[:NEWEST]:
        id, answer = question.public_id, question.answer
        if run.release_id is not None:
            id, answer = published[run.release_id]
        line = lines_of(run).get(id)
        if line is not None:
            chosen = line.get("prediction")
            answers.append(ModelAnswer(run, None if chosen is None else chosen == answer))
    return answers


def _published(release: Release, question: Question) -> tuple[str, int]:
    """Return the question's id and answer as *release* publishes them."""
    for row in read_index(release):
        if row["question"] == question.public_id:
            return row["qID"], row["answer"]
    return "", 0
