"""The exercise that a campaign asks of its writers: curators set it, workers try it, once paid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign, ExerciseItem
from collection.selectors.exercise import order_shown
from collection.services.access import standing
from collection.services.campaigns import refuse_unless_open
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import Attempt, LedgerEntry, Qualification, User

WRITE = Qualification.Skill.WRITE
ITEMS_MOST, CHOICES_MOST = 50, 10
BARS_EXERCISE = ("guideline_not_accepted", "exercise_failed", "approvals_too_few", "session_over")


@dataclass(frozen=True, slots=True)
class ItemText:
    """What a curator writes for one item; ``answer`` is the number of the right choice."""

    prompt: str
    choices: tuple[str, ...]
    answer: int
    explanation: str


@transaction.atomic
def set_exercise(
    *, campaign: Campaign, items: Sequence[ItemText], skill: str = WRITE
) -> list[ExerciseItem]:
    """Make *items* the whole exercise of a campaign; an empty list ends it.

    Who has passed stays so. The same items again change nothing.
    """
    # One at a time: of two exercises set at once, one replaces the other.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    current = list(ExerciseItem.objects.current(campaign, skill))
    if [_text_of(item) for item in current] == list(items):
        return current
    made = _checked(campaign, skill, items)
    ExerciseItem.objects.current(campaign, skill).update(retired_at=timezone.now())
    return ExerciseItem.objects.bulk_create(made)


def _text_of(item: ExerciseItem) -> ItemText:
    return ItemText(item.prompt, tuple(item.choices), item.answer, item.explanation)


def _checked(campaign: Campaign, skill: str, items: Sequence[ItemText]) -> list[ExerciseItem]:
    if len(items) > ITEMS_MOST:
        raise ValidationError(_("An exercise has %d items at most.") % ITEMS_MOST)
    made = []
    for number, text in enumerate(items, start=1):
        _refuse_odd_choices(number, text)
        item = ExerciseItem(
            campaign=campaign,
            skill=skill,
            number=number,
            prompt=text.prompt,
            choices=list(text.choices),
            answer=text.answer,
            explanation=text.explanation,
        )
        item.clean_fields(exclude={"campaign"})
        made.append(item)
    return made


def _refuse_odd_choices(number: int, text: ItemText) -> None:
    if not 2 <= len(text.choices) <= CHOICES_MOST:
        message = _("Item %(item)d needs 2 to %(most)d choices.")
        raise ValidationError(message % {"item": number, "most": CHOICES_MOST})
    if len(set(text.choices)) < len(text.choices):
        raise ValidationError(_("Item %d has the same choice twice.") % number)
    if not 1 <= text.answer <= len(text.choices):
        raise ValidationError(_("Item %d names no choice as the right one.") % number)


@transaction.atomic
def submit_exercise(
    *, worker: User, campaign: Campaign, number: int, answers: Mapping[str, int]
) -> Attempt:
    """Store one attempt at a campaign's exercise; the first one is paid, right or wrong.

    Parameters
    ----------
    number
        Which attempt it is, from 1: sending an attempt again is no second attempt.
    answers
        For the id of each item, the choice (from 1) in the order that *worker* sees.

    Raises
    ------
    DomainError
        ``worker_paused``, ``campaign_not_open``, ``no_exercise``, ``guideline_not_accepted``,
        ``approvals_too_few``, ``session_over``, ``exercise_passed``, ``exercise_failed``,
        ``exercise_incomplete``, ``exercise_changed`` where the items are others by now, or
        ``attempt_made`` where this attempt was made with other answers.
    """
    now = timezone.now()
    qualification = _locked(worker, campaign)
    made = qualification.attempts.filter(number=number).first() if qualification else None
    if made is not None:
        return _first_result(made, worker, answers)
    _refuse_unless_may_try(worker, campaign)
    items = list(ExerciseItem.objects.current(campaign, WRITE))
    choices = _choices(items, worker, answers)
    qualification = qualification or _begin(worker, campaign, now)
    _refuse_out_of_turn(qualification, number)
    attempt = _store(qualification, number, items, choices, now)
    _decide(qualification, attempt, campaign, now)
    if number == 1:
        _pay(qualification, campaign)
    return attempt


def _locked(worker: User, campaign: Campaign) -> Qualification | None:
    """Let a worker's attempts wait for each other, and return what they have so far."""
    # The worker's row: a first attempt has no row of its own yet that two tabs could wait at.
    User.objects.select_for_update(no_key=True).values_list("pk").get(pk=worker.pk)
    mine = Qualification.objects.filter(worker=worker, scope=campaign.public_id, skill=WRITE)
    return mine.first()


def _begin(worker: User, campaign: Campaign, now: datetime) -> Qualification:
    return Qualification.objects.create(
        worker=worker, scope=campaign.public_id, skill=WRITE, created_at=now
    )


def _first_result(made: Attempt, worker: User, answers: Mapping[str, int]) -> Attempt:
    ids = [answer["item"] for answer in made.answers]
    items = list(ExerciseItem.objects.filter(public_id__in=ids).order_by("number"))
    try:
        same = made.answers == _as_answers(items, _choices(items, worker, answers))
    except DomainError:
        same = False
    if same:
        return made
    raise DomainError(
        "attempt_made",
        _("This attempt was handed in already, with other answers: look at its result."),
        status=409,
        details={"number": made.number},
    )


def _refuse_unless_may_try(worker: User, campaign: Campaign) -> None:
    workers.refuse_while_paused(worker=worker)
    refuse_unless_open(campaign)
    found = standing(worker, campaign)
    for refusal in found.refusals:
        if refusal.code in BARS_EXERCISE:
            raise refusal
    if found.qualification and found.qualification.status == Qualification.Status.PASSED:
        raise DomainError("exercise_passed", _("You have passed this exercise."), status=409)
    if not found.n_items:
        raise DomainError("no_exercise", _("This campaign asks for no exercise."), status=409)


def _choices(items: Sequence[ExerciseItem], worker: User, answers: Mapping[str, int]) -> list[int]:
    """Return the choice made for each item, in the item's own numbering."""
    ids = {str(item.public_id) for item in items}
    if not ids.issuperset(answers):
        raise DomainError(
            "exercise_changed",
            _("The exercise has changed since you opened it; do the one that is there now."),
            status=409,
        )
    chosen = []
    for item in items:
        shown = answers.get(str(item.public_id), 0)
        if not 1 <= shown <= len(item.choices):
            raise DomainError(
                "exercise_incomplete",
                _("Every item wants an answer; item %d has none.") % item.number,
                details={"item": str(item.public_id)},
            )
        chosen.append(order_shown(item, worker)[shown - 1])
    return chosen


def _refuse_out_of_turn(qualification: Qualification, number: int) -> None:
    expected = qualification.attempts.count() + 1
    if number != expected:
        raise DomainError(
            "attempt_out_of_turn",
            _("Your next attempt is number %d.") % expected,
            status=409,
            details={"number": expected},
        )


def _as_answers(
    items: Sequence[ExerciseItem], choices: Sequence[int]
) -> list[dict[str, str | int]]:
    pairs = zip(items, choices, strict=True)
    return [{"item": str(item.public_id), "choice": choice} for item, choice in pairs]


def _store(
    qualification: Qualification,
    number: int,
    items: Sequence[ExerciseItem],
    choices: Sequence[int],
    now: datetime,
) -> Attempt:
    return Attempt.objects.create(
        qualification=qualification,
        number=number,
        answers=_as_answers(items, choices),
        n_right=sum(item.answer == choice for item, choice in zip(items, choices, strict=True)),
        n_items=len(items),
        created_at=now,
    )


def _decide(
    qualification: Qualification, attempt: Attempt, campaign: Campaign, now: datetime
) -> None:
    """Pass or fail the qualification where this attempt settles it."""
    if attempt.n_right >= campaign.exercise_pass_share * attempt.n_items:
        qualification.status = Qualification.Status.PASSED
    elif attempt.number >= campaign.exercise_attempts:
        qualification.status = Qualification.Status.FAILED
    else:
        return
    qualification.decided_at = now
    qualification.save(update_fields=["status", "decided_at"])


def _pay(qualification: Qualification, campaign: Campaign) -> None:
    if not campaign.reward_exercise:
        return
    workers.accrue(
        worker=qualification.worker,
        kind=LedgerEntry.Kind.TRAINING,
        unit=str(qualification.public_id),
        amount=campaign.reward_exercise,
        currency=campaign.currency,
        budget=campaign.public_id,
    )
