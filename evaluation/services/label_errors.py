"""Offer questions that were hard to learn to the review queue of their campaign."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from evaluation.models import FineTuning
from evaluation.selectors.training_items import (
    campaign_of_training,
    questions_of_items,
    training_map,
)
from validation.services.review.suspicions import offer_question
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User

MOST_OFFERED = 100


@dataclass(frozen=True, slots=True)
class QueueAdditions:
    """How many questions were added to the review queue, and why others were not, by id."""

    n: int
    refused: dict[str, str]


def offer_label_errors(*, fine_tuning: FineTuning, ids: Sequence[str], by: User) -> QueueAdditions:
    """Add questions to the review queue as likely label errors, with what training recorded.

    Each question is added in a transaction of its own, so that one refusal does not stop the rest.

    Parameters
    ----------
    ids
        Of questions that the model was trained on, in a release.

    Raises
    ------
    DomainError
        ``not_done``, ``no_campaign`` for a reference set, ``nothing_chosen``, ``too_many``, or
        ``not_trained_on``.
    """
    campaign = campaign_of_training(fine_tuning)
    if fine_tuning.status != RunStatus.DONE:
        raise Conflict("not_done", _("The fine-tuning has not ended."))
    if campaign is None:
        raise DomainError("no_campaign", _("These questions belong to no campaign."))
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        raise DomainError("nothing_chosen", _("Choose at least one question."))
    if len(wanted) > MOST_OFFERED:
        raise DomainError("too_many", _("At most %d questions at a time.") % MOST_OFFERED)
    reasons = _reasons(fine_tuning, wanted)
    questions = questions_of_items(fine_tuning, wanted)
    refused = {}
    for id, reason in reasons.items():
        if id not in questions:
            refused[id] = _("A transformation made this question; the campaign does not have it.")
            continue
        try:
            offer_question(question_id=questions[id], campaign=campaign, reason=reason, by=by)
        except DomainError as error:
            refused[id] = error.message
    return QueueAdditions(len(reasons) - len(refused), refused)


def _reasons(run: FineTuning, ids: Sequence[str]) -> dict[str, str]:
    mapped = training_map(run)
    of = {item.item.id: item for item in mapped.items}
    if unknown := [id for id in ids if id not in of]:
        raise DomainError(
            "not_trained_on", _("The model was not trained on %s.") % ", ".join(unknown[:3])
        )
    text = _(
        "For %(model)s (fine-tuning %(id)s) the mean probability of the label was "
        "%(confidence).2f over %(epochs)d epochs, number %(rank)d of %(n)d from the lowest; it was "
        "chosen in %(share).0f %% of them."
    )
    return {
        id: text
        % {
            "model": run.model_name,
            "id": run.public_id,
            "confidence": of[id].confidence,
            "epochs": mapped.found.n_epochs,
            "rank": of[id].rank,
            "n": len(mapped.items),
            "share": 100 * of[id].correctness,
        }
        for id in ids
    }
