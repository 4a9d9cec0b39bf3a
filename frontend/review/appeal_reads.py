"""Appeals with their subject, in words and as a link."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Question
from evaluation.models import HumanSeat
from frontend.verdicts import reason_sentence
from validation.models import Appeal, Verdict, Vote
from validation.services.review.appeals import WINDOW
from workers.models import Pause, User


@dataclass(frozen=True, slots=True)
class AppealRow:
    """An appeal, its subject, the page where a curator sees it, and the verdict as it stands."""

    appeal: Appeal
    about: str
    link: str
    decision: str = ""


def appeal_rows(appeals: Sequence[Appeal]) -> list[AppealRow]:
    """Describe the subject of each appeal, in four queries."""
    units = {subject: _units(appeals, subject) for subject in Appeal.Subject}
    questions = Question.objects.filter(public_id__in=units[Appeal.Subject.QUESTION])
    votes = Vote.objects.filter(public_id__in=units[Appeal.Subject.VOTE])
    pauses = Pause.objects.filter(pk__in=units[Appeal.Subject.PAUSE]).select_related("worker")
    known: dict[tuple[str, str], tuple[str, str]] = {}
    for question in questions.select_related("twin__campaign"):
        known[Appeal.Subject.QUESTION, question.public_id] = (
            question.sentence,
            _desk(question),
        )
    for vote in votes.select_related("question__twin__campaign"):
        about = f"{vote.question.sentence} ({vote.exclusion_reason})"
        known[Appeal.Subject.VOTE, str(vote.public_id)] = about, _desk(vote.question)
    for seat in HumanSeat.objects.filter(public_id__in=units[Appeal.Subject.VOTE]).select_related(
        "item", "evaluation", "worker"
    ):
        known[Appeal.Subject.VOTE, str(seat.public_id)] = (
            f"{seat.item.item.blanked} ({seat.exclusion_reason})",
            _page_of_people(seat),
        )
    for pause in pauses:
        known[Appeal.Subject.PAUSE, str(pause.pk)] = (
            pause.reason,
            reverse("person", args=[pause.worker.public_id]),
        )
    decisions = _decisions(questions)
    return [
        AppealRow(
            one, *known.get((one.subject, one.unit), ("", "")), decision=decisions.get(one.unit, "")
        )
        for one in appeals
    ]


def _decisions(questions: "QuerySet[Question]") -> dict[str, str]:
    """Return the verdicts on questions as they stand, with the reasons, by public id."""
    verdicts = Verdict.objects.filter(question__in=questions.order_by()).select_related("question")
    return {
        verdict.question.public_id: _("valid")
        if verdict.valid
        else " ".join([_("not valid."), *map(reason_sentence, verdict.reasons)])
        for verdict in verdicts
    }


def _units(appeals: Sequence[Appeal], subject: str) -> list[str]:
    return [one.unit for one in appeals if one.subject == subject]


def _desk(question: Question) -> str:
    return reverse("review-question", args=[question.twin.campaign.slug, question.public_id])


def _page_of_people(seat: HumanSeat) -> str:
    assert seat.worker is not None  # who appealed
    return reverse(
        "human-evaluation-person", args=[seat.evaluation.public_id, seat.worker.public_id]
    )


def appealed(worker: User, subject: str) -> set[str]:
    """Return the subjects of a kind that *worker* has already appealed against."""
    mine = Appeal.objects.filter(worker=worker, subject=subject)
    return set(mine.values_list("unit", flat=True))


@dataclass(frozen=True, slots=True)
class ExcludedRow:
    """An excluded vote, and whether its worker can still appeal."""

    unit: str
    sentence: str
    reason: str
    excluded_at: datetime
    may_appeal: bool


def appealable(worker: User, votes: Sequence[Vote | HumanSeat]) -> list[ExcludedRow]:
    """Return the worker's excluded votes, and whether an appeal is still possible."""
    known, now = appealed(worker, Appeal.Subject.VOTE), timezone.now()
    return [
        ExcludedRow(
            str(vote.public_id),
            vote.question.sentence if isinstance(vote, Vote) else vote.item.item.blanked,
            vote.exclusion_reason,
            vote.excluded_at,
            str(vote.public_id) not in known and now <= vote.excluded_at + WINDOW,
        )
        for vote in votes
        if vote.excluded_at is not None
    ]
