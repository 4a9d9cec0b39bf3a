"""Confirming the verdicts of several questions at once, as a curator has seen them."""

from collections.abc import Mapping
from dataclasses import dataclass

from validation.models import Verdict
from validation.services.review.adjudication import decide_question
from winoplatform.errors import DomainError
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
