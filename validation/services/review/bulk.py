"""Actions on many questions, and decisions of several at once."""

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from collection.models import Campaign, Question, of_member
from validation.core.verdicts import Reason
from validation.models import BulkAction, BulkItem, GoldQuestion, Verdict
from validation.services.golds import add_gold
from validation.services.review import undoing
from validation.services.review.adjudication import GIVEN_BY_CURATORS, decide_question
from validation.services.review.returns import return_for_revision
from validation.services.verdicts.questions import as_reason, revisions_of
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, existing
from workers.models import User


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The number of verdicts confirmed, and of questions left because they cannot be confirmed."""

    done: int
    left: int


def confirm_verdicts(*, shown: Mapping[str, str], by: User) -> Confirmed:
    """Decide each question as its verdict already says, and so close its case.

    Each is decided in its own transaction. Left are questions without a verdict, those that changed
    since they were shown, and those that ``decide_question`` refuses.

    Parameters
    ----------
    shown
        The revision seen, by question id.
    """
    verdicts = Verdict.objects.filter(question__public_id__in=shown)
    stand = {
        question: (valid, reasons)
        for question, valid, reasons in verdicts.values_list(
            "question__public_id", "valid", "reasons"
        )
    }
    done = 0
    for question_id, (valid, reasons) in stand.items():
        try:
            decide_question(
                question_id=question_id,
                valid=valid,
                reasons=reasons,
                note="",
                revision=shown[question_id],
                by=by,
            )
        except DomainError:
            continue
        done += 1
    return Confirmed(done, len(shown) - done)


Kind, Outcome = BulkAction.Kind, BulkItem.Outcome
MOST = 5000
"""The questions of one action; each takes about 15 ms."""
SECONDS = 5.0
"""How long one request executes an action."""


def keys_of(*, campaign: Campaign, ids: Sequence[str]) -> list[int]:
    """Return the primary keys of questions of a campaign.

    Raises
    ------
    DomainError
        ``unknown_question`` if one of them is none.
    """
    rows = Question.objects.filter(twin__campaign=campaign, public_id__in=ids)
    keys = dict(rows.values_list("public_id", "pk"))
    for id in ids:
        if id not in keys:
            message = f"There is no question {id} in this campaign."
            raise DomainError("unknown_question", message, status=404)
    return list(keys.values())


def action_of(*, by: User, action_id: uuid.UUID) -> BulkAction:
    """Return an action of a curator.

    Raises
    ------
    DomainError
        ``not_found``, also for another curator's.
    """
    return existing(
        BulkAction.objects.filter(of_member(by), by=by, public_id=action_id)
        .select_related("campaign")
        .first(),
        "action",
    )


def outcomes_of(action: BulkAction) -> dict[str, int]:
    """Return how many questions of an action have each outcome."""
    rows = action.items.order_by().values_list("outcome").annotate(Count("pk"))
    return dict.fromkeys(Outcome.values, 0) | dict(rows)


@transaction.atomic
def prepare_bulk(
    *, campaign: Campaign, kind: str, questions: Sequence[int], by: User
) -> BulkAction:
    """Store which questions an action is about, as they are now; nothing is done yet.

    Of a twin that is returned for revision, the first of its questions stands for both.

    Parameters
    ----------
    questions
        Primary keys; those of other campaigns are left out.

    Raises
    ------
    DomainError
        ``unknown_action``, ``nothing_chosen`` or ``too_many``.
    """
    if kind not in Kind.values:
        raise DomainError("unknown_action", f"The action is one of {', '.join(Kind.values)}.")
    if len(questions) > MOST:
        raise DomainError(
            "too_many",
            f"An action takes at most {MOST:,} questions, and these are {len(questions):,}. Add a "
            "filter.",
        )
    rows = Question.objects.filter(pk__in=questions, twin__campaign=campaign).order_by("pk")
    twins = dict(rows.values_list("pk", "twin"))
    if kind == Kind.RETURN:
        first = {twin: key for key, twin in reversed(twins.items())}
        twins = {key: twin for twin, key in first.items()}
    if not twins:
        raise DomainError("nothing_chosen", "Choose at least one question.")
    BulkAction.objects.filter(campaign=campaign, by=by, confirmed_at=None).delete()
    action = BulkAction.objects.create(campaign=campaign, kind=kind, by=by)
    revisions = revisions_of(twins)
    BulkItem.objects.bulk_create(
        BulkItem(action=action, number=number, question_id=key, revision=revisions[key])
        for number, key in enumerate(sorted(twins), 1)
    )
    return action


@transaction.atomic
def confirm_bulk(
    *,
    action_id: uuid.UUID,
    campaign: Campaign,
    by: User,
    note: str = "",
    reasons: Sequence[str] = (),
) -> BulkAction:
    """Confirm a prepared action, once: a repeated confirmation changes nothing.

    Parameters
    ----------
    reasons
        For the kind ``invalid``, at least one; the others take none.

    Raises
    ------
    DomainError
        ``not_found``, also for another curator's; ``note_missing`` or ``reasons_wrong``.
    """
    actions = BulkAction.objects.filter(public_id=action_id, campaign=campaign, by=by)
    action = existing(actions.select_for_update().first(), "action")
    if action.confirmed_at is not None:
        return action
    if action.kind != Kind.GOLD and not as_reason(note):
        raise DomainError("note_missing", "Enter a reason for the audit log.")
    codes = _codes(action.kind, reasons)
    action.note, action.reasons, action.confirmed_at = as_reason(note), codes, clock.now()
    action.full_clean(exclude=["reasons"])
    action.save()
    return action


def _codes(kind: str, reasons: Sequence[str]) -> list[str]:
    if kind != Kind.INVALID:
        if reasons:
            raise DomainError("reasons_wrong", "Only the action “not valid” takes reasons.")
        return []
    codes = [str(code) for code in GIVEN_BY_CURATORS if code in set(reasons)]
    if not codes:
        raise DomainError("reasons_wrong", "Choose why the questions are not valid.")
    return codes


def execute_bulk(*, action: BulkAction, seconds: float = SECONDS) -> int:
    """Execute a confirmed action for some seconds; return how many questions are left."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and _next(action):
        pass
    return BulkItem.objects.filter(action=action, outcome=Outcome.WAITING).count()


@transaction.atomic
def _next(action: BulkAction) -> bool:
    """Act on one more question and record what came of it; False if none is left."""
    if action.confirmed_at is None:
        raise Conflict("not_confirmed", "Confirm the action first.")
    item = _locked_item(action, Outcome.WAITING, order="number")
    if item is None:
        return False
    try:
        with transaction.atomic():
            before = undoing.before(action, item.question)
            _act(action, item)
            item.record = undoing.record(before)
        item.outcome = Outcome.DONE
    except DomainError as refusal:
        item.outcome, item.message = Outcome.REFUSED, refusal.message[:500]
    item.save(update_fields=["outcome", "message", "record"])
    return True


@transaction.atomic
def request_undo(*, action_id: uuid.UUID, campaign: Campaign, by: User) -> BulkAction:
    """Note that an action is to be undone, once; `execute_undo` does it.

    Raises
    ------
    DomainError
        ``not_found``, also for another curator's; ``not_finished`` while questions are left.
    """
    actions = BulkAction.objects.filter(public_id=action_id, campaign=campaign, by=by)
    action = existing(actions.select_for_update().first(), "action")
    if action.undone_at is not None:
        return action
    if action.confirmed_at is None or outcomes_of(action)[Outcome.WAITING]:
        raise Conflict("not_finished", "This action is not finished. Continue it first.")
    action.undone_at = clock.now()
    action.save(update_fields=["undone_at"])
    return action


def execute_undo(*, action: BulkAction, seconds: float = SECONDS) -> int:
    """Undo an action for some seconds, the last question first; return how many are left.

    Raises
    ------
    DomainError
        ``undo_not_requested``; ``budget_exhausted`` if the votes that the next question needs again
        cannot be paid. It is left then, so that the undo can go on with a larger budget.
    """
    until = time.monotonic() + seconds
    while time.monotonic() < until and _undo_next(action):
        pass
    return BulkItem.objects.filter(action=action, outcome=Outcome.DONE).count()


@transaction.atomic
def _undo_next(action: BulkAction) -> bool:
    """Undo the action for one more question and record what came of it; False if none is left."""
    if action.undone_at is None:
        raise Conflict("undo_not_requested", "Ask for the action to be undone first.")
    item = _locked_item(action, Outcome.DONE, order="-number")
    if item is None:
        return False
    try:
        with transaction.atomic():
            undoing.restore(action, item)
        item.outcome = Outcome.UNDONE
    except DomainError as refusal:
        if refusal.code == "budget_exhausted":
            message = _(
                "The next question would wait for votes again, and the budget of the campaign does "
                "not pay for them. Raise the budget, or wait until work is returned, and continue."
            )
            raise Conflict(refusal.code, message) from refusal
        item.outcome, item.message = Outcome.STAYS, refusal.message[:500]
    item.save(update_fields=["outcome", "message"])
    return True


def _locked_item(action: BulkAction, outcome: BulkItem.Outcome, *, order: str) -> BulkItem | None:
    """Return the first item with an outcome that no other process has in hand, locked."""
    items = BulkItem.objects.filter(action=action, outcome=outcome).select_related("question")
    return items.select_for_update(of=("self",), skip_locked=True).order_by(order).first()


def _act(action: BulkAction, item: BulkItem) -> None:
    id = item.question.public_id
    arguments: dict[str, Any] = {
        "question_id": id,
        "note": action.note,
        "revision": item.revision,
        "by": action.by,
    }
    if action.kind == Kind.RETURN:
        return_for_revision(**arguments)
    elif action.kind == Kind.GOLD:
        _add_gold(action, item.question)
    else:
        reasons = action.reasons if action.kind == Kind.INVALID else [Reason.EXCLUDED]
        valid = action.kind == Kind.VALID
        decide_question(**arguments, valid=valid, reasons=[] if valid else reasons)


def _add_gold(action: BulkAction, question: Question) -> None:
    if GoldQuestion.objects.in_use().filter(question=question).exists():
        raise Conflict("is_gold", "It is a control question already.")
    add_gold(campaign=action.campaign, question_id=question.public_id, by=action.by)
