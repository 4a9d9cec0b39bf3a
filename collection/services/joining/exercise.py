"""Exercises: their items, and a worker's attempts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign, ExerciseItem
from collection.selectors.exercise import (
    ExplainedItem,
    explained_item,
    items_of_attempt,
    least_paid_of,
    length_of_training,
    order_shown,
)
from collection.services.campaigns import budget
from collection.services.campaigns.campaigns import refuse_unless_open
from collection.services.joining.access import Eligibility, eligibility
from winoplatform.errors import Conflict, DomainError
from workers import services as workers
from workers.models import Attempt, LedgerEntry, Qualification, User

ITEMS_MOST, CHOICES_MOST = 50, 10


@dataclass(frozen=True, slots=True)
class ItemText:
    """The text of one item; ``answer`` is the number of the right choice, from 1."""

    prompt: str
    choices: tuple[str, ...]
    answer: int
    explanation: str


@transaction.atomic
def set_exercise(
    *,
    campaign: Campaign,
    items: Sequence[ItemText],
    skill: str = Qualification.Skill.WRITE,
    part: str = ExerciseItem.Part.TEST,
) -> list[ExerciseItem]:
    """Replace one part of the exercise for a kind of work; an empty list removes it.

    Workers who have passed keep their qualification. The same items again change nothing.
    """
    # Serialized: of two concurrent calls, the later one replaces the items of the other.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    current = list(ExerciseItem.objects.current(campaign, skill, part))
    if [_text_of(item) for item in current] == list(items):
        return current
    made = _checked(campaign, skill, part, items)
    ExerciseItem.objects.current(campaign, skill, part).update(retired_at=timezone.now())
    return ExerciseItem.objects.bulk_create(made)


def _text_of(item: ExerciseItem) -> ItemText:
    return ItemText(item.prompt, tuple(item.choices), item.answer, item.explanation)


def _checked(
    campaign: Campaign, skill: str, part: str, items: Sequence[ItemText]
) -> list[ExerciseItem]:
    if len(items) > ITEMS_MOST:
        raise ValidationError(_("Training and test can have at most %d items each.") % ITEMS_MOST)
    made = []
    for number, text in enumerate(items, start=1):
        _refuse_odd_choices(number, text)
        item = ExerciseItem(
            campaign=campaign,
            skill=skill,
            part=part,
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
        raise ValidationError(_("Item %d has no choice marked as correct.") % number)


WRITE = Qualification.Skill.WRITE
BARS_TRAINING = ("guideline_not_accepted", "exercise_failed", "approvals_too_few", "session_over")
BARS_TEST = (*BARS_TRAINING, "training_not_done")


@dataclass(frozen=True, slots=True)
class Training:
    """The items of a training answered so far, explained.

    ``n_items`` is the number of correct answers that finish it, ``n_right`` that of those given.
    """

    explained: tuple[ExplainedItem, ...]
    n_items: int
    n_right: int

    @property
    def is_done(self) -> bool:
        return self.n_right >= self.n_items


@transaction.atomic
def train(
    *, worker: User, campaign: Campaign, answers: Mapping[str, int], skill: str = WRITE
) -> Training:
    """Explain answers to the training; it is done once enough of them are right.

    A wrong answer costs nothing: another item is asked, or the same one again. If there is no test,
    the training is paid when it is done, once.

    Parameters
    ----------
    answers
        As in ``submit_exercise``, for the items answered so far; the last answer to each.

    Raises
    ------
    DomainError
        As ``submit_exercise``; ``no_training`` if there is none.
    """
    now = timezone.now()
    qualification = _locked(worker, campaign, skill)
    state = _refuse_unless_free(worker, campaign, skill, BARS_TRAINING)
    items = list(ExerciseItem.objects.current(campaign, skill, ExerciseItem.Part.TRAINING))
    if not items:
        raise Conflict("no_training", _("This campaign has no training."))
    answered = [item for item in items if str(item.public_id) in answers]
    choices = _choices(answered, worker, answers)
    pairs = zip(answered, choices, strict=True)
    explained = tuple(explained_item(item, worker, choice) for item, choice in pairs)
    n_right = sum(item.is_right for item in explained)
    training = Training(explained, length_of_training(campaign, items), n_right)
    if training.is_done:
        qualification = qualification or _begin(worker, campaign, skill, now)
        if qualification.trained_at is None:
            workers.note_training(qualification, now=now)
            if not state.n_items:
                _pay(qualification, campaign)
    return training


@transaction.atomic
def submit_exercise(
    *,
    worker: User,
    campaign: Campaign,
    number: int,
    answers: Mapping[str, int],
    skill: str = WRITE,
) -> Attempt:
    """Store one attempt at a campaign's test; the first serious one is paid.

    Parameters
    ----------
    number
        The number of the attempt, from 1, so that sending it again is not a second attempt.
    answers
        The choice (from 1, in the order shown to *worker*) for the id of each item.

    Raises
    ------
    DomainError
        ``worker_paused``, ``campaign_not_open``, ``no_exercise``, ``guideline_not_accepted``,
        ``training_not_done``, ``approvals_too_few``, ``session_over``, ``exercise_passed``,
        ``exercise_failed``, ``exercise_incomplete``, ``exercise_changed`` if the items have
        changed, ``attempt_made`` if this attempt was made with other answers, or
        ``budget_exhausted``, for any answers, if the worker has not been paid yet.
    """
    now = timezone.now()
    qualification = _locked(worker, campaign, skill)
    made = qualification.attempts.filter(number=number).first() if qualification else None
    if made is not None:
        return _first_result(made, worker, answers)
    _refuse_unless_may_try(worker, campaign, skill)
    items = items_of_attempt(campaign, skill, qualification)
    choices = _choices(items, worker, answers)
    _reserve_pay(qualification, campaign)
    qualification = qualification or _begin(worker, campaign, skill, now)
    _refuse_out_of_turn(qualification, number)
    attempt = _store(qualification, number, items, choices, now)
    _decide(qualification, attempt, campaign, now)
    if attempt.n_right >= least_paid_of(campaign, items):
        _pay(qualification, campaign)
    return attempt


def _locked(worker: User, campaign: Campaign, skill: str) -> Qualification | None:
    return workers.locked_qualification(worker=worker, scope=campaign.public_id, skill=skill)


def _begin(worker: User, campaign: Campaign, skill: str, now: datetime) -> Qualification:
    return workers.begin_qualification(
        worker=worker, scope=campaign.public_id, skill=skill, now=now
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
    raise Conflict(
        "attempt_made",
        _("This attempt was already submitted with other answers. See its result."),
        details={"number": made.number},
    )


def _refuse_unless_free(
    worker: User, campaign: Campaign, skill: str, blockers: Collection[str]
) -> Eligibility:
    """Return the worker's eligibility; refuse if they may not do an exercise now."""
    workers.refuse_while_paused(worker=worker)
    refuse_unless_open(campaign)
    state = eligibility(worker, campaign, skill=skill)
    for refusal in state.refusals:
        if refusal.code in blockers:
            raise refusal
    return state


def _refuse_unless_may_try(worker: User, campaign: Campaign, skill: str) -> None:
    state = _refuse_unless_free(worker, campaign, skill, BARS_TEST)
    if state.status == Qualification.Status.PASSED:
        raise Conflict("exercise_passed", _("You have already passed this test."))
    if not state.n_items:
        raise Conflict("no_exercise", _("This campaign has no test."))


def _choices(items: Sequence[ExerciseItem], worker: User, answers: Mapping[str, int]) -> list[int]:
    """Return the choice for each item, in the item's stored numbering."""
    ids = {str(item.public_id) for item in items}
    if not ids.issuperset(answers):
        raise Conflict(
            "exercise_changed",
            _("The test has changed since you opened it. Please do the new one."),
        )
    chosen = []
    for item in items:
        answer = answers.get(str(item.public_id), 0)
        if not 1 <= answer <= len(item.choices):
            raise DomainError(
                "exercise_incomplete",
                _("Every item needs an answer; item %d has none.") % item.number,
                details={"item": str(item.public_id)},
            )
        chosen.append(order_shown(item, worker)[answer - 1])
    return chosen


def _refuse_out_of_turn(qualification: Qualification, number: int) -> None:
    expected = qualification.attempts.count() + 1
    if number != expected:
        raise Conflict(
            "attempt_out_of_turn",
            _("Your next attempt is number %d.") % expected,
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
    return workers.store_attempt(
        qualification,
        number=number,
        answers=_as_answers(items, choices),
        n_right=sum(item.answer == choice for item, choice in zip(items, choices, strict=True)),
        now=now,
    )


def _decide(
    qualification: Qualification, attempt: Attempt, campaign: Campaign, now: datetime
) -> None:
    """Pass or fail the qualification if this attempt decides it."""
    if attempt.n_right >= campaign.exercise_pass_share * attempt.n_items:
        status = Qualification.Status.PASSED
    elif attempt.number >= campaign.exercise_attempts:
        status = Qualification.Status.FAILED
    else:
        return
    workers.decide_qualification(qualification, status=status, now=now)


def _reserve_pay(qualification: Qualification | None, campaign: Campaign) -> None:
    """Refuse an attempt that could not be paid, before it is known how many answers are right.

    Otherwise only right answers would be refused, which reveals them, and wrong ones would count.
    """
    if qualification is None or not _is_paid(qualification):
        budget.reserve(campaign=campaign, cost=lambda now_is: now_is.reward_exercise)


def _is_paid(qualification: Qualification) -> bool:
    return bool(Qualification.objects.with_pay().get(pk=qualification.pk).is_paid)


def _pay(qualification: Qualification, campaign: Campaign) -> None:
    """Pay for the exercise once: for a serious attempt, or for a training without a test."""
    if _is_paid(qualification):
        return
    workers.note_reward(qualification, reward=campaign.reward_exercise)
    if not campaign.reward_exercise:
        return
    budget.reserve(campaign=campaign, cost=lambda _: campaign.reward_exercise)
    workers.accrue(
        worker=qualification.worker,
        kind=LedgerEntry.Kind.TRAINING,
        unit=str(qualification.public_id),
        amount=campaign.reward_exercise,
        currency=campaign.currency,
        budget=campaign.public_id,
    )
