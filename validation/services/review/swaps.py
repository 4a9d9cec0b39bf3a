"""Swapping the two answers of a twin whose author marked them the wrong way round."""

from django.db import transaction
from django.db.models import F

from collection.models import Question
from validation.models import Case, VerdictEvent
from validation.selectors.golds import is_public_question
from validation.services.review import cases
from validation.services.review.adjudication import fill_seats, refuse_returned, seen
from validation.services.verdicts import growing
from validation.services.verdicts.questions import as_reason, lock_whole_twin
from validation.services.verdicts.verdicts import settle, undo
from winoplatform import clock
from winoplatform.errors import Conflict
from workers.models import User


@transaction.atomic
def swap_answers(
    *, question_id: str, note: str, revision: str, by: User, for_next_release: bool = False
) -> Question:
    """Swap the answers of a twin's questions; then the votes decide both again.

    The audit log of each question has the swap and the new verdict. Votes stay as they were cast.

    Parameters
    ----------
    for_next_release
        Whether a published answer is swapped, too: the release keeps it, and the next one has
        another, which its version and its changes say.

    Raises
    ------
    DomainError
        As ``adjudication.decide_question``, and ``is_public`` if the old answer is published.
    """
    now = clock.now()
    lock_whole_twin(question_id)
    question = seen(question_id, revision)
    refuse_returned(question)
    twin, campaign = question.twin, question.twin.campaign
    if is_public_question(question) and not for_next_release:
        raise Conflict(
            "is_public",
            "This question and its answer are published, so the answer stays. Decide that it is "
            "not valid instead.",
        )
    # One statement: the two answers differ at its end, as the constraint demands.
    Question.objects.filter(twin=twin).update(answer=3 - F("answer"))
    for each in twin.questions.order_by("pk").select_related("twin"):
        undo(
            question=each,
            action=VerdictEvent.Action.ANSWERS_SWAPPED,
            now=now,
            reason=as_reason(note),
            by=by,
        )
        growing.retire_if_gold(question=each, now=now)
        if Case.objects.filter(question=each).exists():
            cases.note(question=each, closed_at=None, suspected=False)
        fill_seats(each, campaign)
        settle(question=each, campaign=campaign, now=now)
    question.refresh_from_db()
    return question
