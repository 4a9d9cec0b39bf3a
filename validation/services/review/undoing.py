"""What an action on many questions changed at one of them, and restoring it.

A decision is undone only while the question has the revision that the action gave it, and a control
question only while it is in use by that choice: so an undo overwrites no later vote or decision.
"""

from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from collection.models import Question
from validation.models import (
    BulkAction,
    BulkItem,
    Case,
    GoldQuestion,
    TwinReturn,
    Verdict,
    VerdictEvent,
)
from validation.services.review import audit_log, cases
from validation.services.review.adjudication import fill_seats
from validation.services.verdicts.questions import (
    lock_whole_twin,
    refuse_unless_open_to_curators,
    revisions_of,
)
from validation.services.verdicts.verdicts import settle, undo
from winoplatform import clock
from winoplatform.errors import Conflict
from workers.models import User

FLAGS = ("appealed", "suspected", "flagged", "returned")
REASON = "An action on many questions was undone."


def before(action: BulkAction, question: Question) -> dict[str, Any]:
    """Return what *action* may change at *question*, whose twin it locks, as it stands now."""
    lock_whole_twin(question.public_id)
    if action.kind == BulkAction.Kind.GOLD:
        return {"gold": _gold(question)}
    is_of_twin = action.kind == BulkAction.Kind.RETURN
    rows = Question.objects.filter(twin=question.twin_id) if is_of_twin else [question]
    return {"questions": {str(row.pk): _stands(row) for row in rows}}


def record(stood: dict[str, Any]) -> dict[str, Any]:
    """Return what `before` returned, with the revisions that its questions have now."""
    revisions = revisions_of(map(int, stood.get("questions", {})))
    for key, revision in revisions.items():
        stood["questions"][str(key)]["revision"] = revision
    return stood


def restore(action: BulkAction, item: BulkItem) -> None:
    """Restore what *action* has changed at the question of *item*.

    A verdict of votes is made by them again, and a question that waited for votes waits again. A
    control question that was none is retired.

    Raises
    ------
    DomainError
        ``not_recorded``, ``changed_meanwhile``; ``question_withdrawn``; ``budget_exhausted`` if the
        votes that it needs again cannot be paid.
    """
    lock_whole_twin(item.question.public_id)
    if item.record is None:
        raise Conflict("not_recorded", "What it was before is not on record. Decide it yourself.")
    if action.kind == BulkAction.Kind.GOLD:
        _restore_gold(action, item.question, item.record["gold"])
        return
    stood = {int(key): each for key, each in item.record["questions"].items()}
    rows = Question.objects.filter(pk__in=stood).order_by("pk")
    questions = list(rows.select_related("twin__campaign", "twin__author"))
    _refuse_changed(questions, stood)
    now = clock.now()
    TwinReturn.objects.filter(twin=item.question.twin_id).delete()
    for question in questions:
        _restore(question, stood[question.pk], action.by, now)


def _stands(question: Question) -> dict[str, Any]:
    case = Case.objects.filter(question=question).first()
    return {
        "case": None if case is None else _case(case),
        "is_gold": GoldQuestion.objects.filter(question=question, retired_at=None).exists(),
    }


def _case(case: Case) -> dict[str, Any]:
    flags = {flag: getattr(case, flag) for flag in FLAGS}
    return flags | {"closed_at": case.closed_at.isoformat() if case.closed_at else None}


def _gold(question: Question) -> dict[str, Any] | None:
    gold = GoldQuestion.objects.filter(question=question).first()
    if gold is None or gold.retired_at is None:
        return None
    return {
        "retired_at": gold.retired_at.isoformat(),
        "retired_for": gold.retired_for,
        "origin": gold.origin,
    }


def _refuse_changed(questions: list[Question], stood: dict[int, dict[str, Any]]) -> None:
    revisions = revisions_of(stood)
    for question in questions:
        refuse_unless_open_to_curators(question)
        if revisions[question.pk] != stood[question.pk]["revision"]:
            raise _changed()


def _changed() -> Conflict:
    return Conflict("changed_meanwhile", "It has changed since the action, so it stays as it is.")


def _restore(question: Question, stood: dict[str, Any], by: User, now: datetime) -> None:
    event = VerdictEvent.objects.get(pk=int(stood["revision"].split(".")[0]))
    if event.before and event.before["decided_by"]:
        _restore_decision(question, event.before, by, now)
    else:
        undo(question=question, action=VerdictEvent.Action.UNDONE, now=now, reason=REASON, by=by)
        fill_seats(question, question.twin.campaign)
        settle(question=question, campaign=question.twin.campaign, now=now)
    if stood["case"] is None:
        Case.objects.filter(question=question, rank=0).delete()
    else:
        closed_at = parse_datetime(stood["case"]["closed_at"] or "")
        cases.note(question=question, **(stood["case"] | {"closed_at": closed_at}))
    if stood["is_gold"]:
        # Only one that the action retired: another reason since then may be a better one.
        golds = GoldQuestion.objects.filter(question=question, question__verdict__valid=True)
        golds.filter(retired_for=GoldQuestion.Retirement.DOUBT).update(
            retired_at=None, retired_for=""
        )


def _restore_decision(question: Question, former: dict[str, Any], by: User, now: datetime) -> None:
    """Let the decision of a curator stand again that the action had replaced."""
    verdict = Verdict.objects.select_related("decided_by").get(question=question)
    stands = audit_log.of_verdict(verdict)
    decided_by = User.objects.filter(public_id=former["decided_by"]).first()
    if decided_by is None:
        raise Conflict("not_recorded", "Who decided it before is not on record any more.")
    verdict.valid, verdict.reasons, verdict.decided_by = (
        former["valid"],
        former["reasons"],
        decided_by,
    )
    verdict.created_at = now
    verdict.full_clean()
    verdict.save()
    audit_log.write(
        question=question,
        action=VerdictEvent.Action.UNDONE,
        now=now,
        before=stands,
        after=audit_log.of_verdict(verdict),
        by=by,
        reason=REASON,
    )


def _restore_gold(action: BulkAction, question: Question, former: dict[str, Any] | None) -> None:
    chosen = GoldQuestion.objects.filter(
        question=question,
        retired_at=None,
        origin=GoldQuestion.Origin.CHOSEN,
        created_by=action.by,
    )
    restored = former or {
        "retired_at": clock.now(),
        "retired_for": GoldQuestion.Retirement.CURATOR,
        "origin": GoldQuestion.Origin.CHOSEN,
    }
    if not chosen.update(**restored):
        raise _changed()
