"""Optional questions about people: a campaign chooses them, and people answer or do not."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from collection.core.background import STANDARD, Asked, is_due, remain_counted
from collection.models import (
    BackgroundAnswer,
    BackgroundEdition,
    BackgroundQuestion,
    Campaign,
    Consent,
)
from collection.selectors.background import OwnAnswer, counts_now, newest_edition, own_answers
from winoplatform import clock
from winoplatform.db import locks
from winoplatform.errors import Conflict, DomainError
from workers.models import User

QUESTIONS_MOST, OPTIONS_MOST = 20, 60


def _one_at_a_time(campaign: Campaign) -> None:
    """Let answers of a campaign take turns: an edition counts those before, and no other."""
    locks.take_turns(f"background-{campaign.pk}")


@transaction.atomic
def set_background(
    *, campaign: Campaign, codes: Sequence[str], own: Sequence[Asked] = ()
) -> list[BackgroundQuestion]:
    """Choose the questions that a campaign asks: standard ones by code, and own ones.

    A question that was asked before stays with its answers; the answers to one that is no longer
    asked are deleted.

    Raises
    ------
    ValidationError
        If a code is unknown, or a question of the curator has no text or less than two options.
    """
    _one_at_a_time(campaign)
    wanted = [*_standard(codes), *(("", _checked(asked)) for asked in own)]
    if len(wanted) > QUESTIONS_MOST:
        raise ValidationError(_("Ask at most %d questions.") % QUESTIONS_MOST)
    stands = {_as_asked(row): row for row in BackgroundQuestion.objects.asked_in(campaign)}
    if len({asked for _code, asked in wanted}) < len(wanted):
        raise ValidationError(_("A question is there twice."))
    kept = [stands[asked].pk for _code, asked in wanted if asked in stands]
    gone = BackgroundQuestion.objects.asked_in(campaign).exclude(pk__in=kept)
    BackgroundAnswer.objects.filter(question__in=gone).delete()
    gone.order_by().update(retired_at=clock.now())
    return [
        _placed(campaign, number, code, asked, stands.get(asked))
        for number, (code, asked) in enumerate(wanted, start=1)
    ]


def _standard(codes: Sequence[str]) -> list[tuple[str, Asked]]:
    if unknown := sorted({*codes} - STANDARD.keys()):
        raise ValidationError(_("There is no question “%s”.") % unknown[0])
    return [(code, asked) for code, asked in STANDARD.items() if code in codes]


def _checked(asked: Asked) -> Asked:
    """Return an own question without surrounding spaces, if it can be asked."""
    text, options = asked.text.strip(), tuple(option.strip() for option in asked.options)
    if not text or not 2 <= len(options) <= OPTIONS_MOST or not all(options):
        message = _("A question needs a text and 2 to %d options.")
        raise ValidationError(message % OPTIONS_MOST)
    if len(set(options)) < len(options):
        raise ValidationError(_("“%s” has an option twice.") % text)
    return Asked(text, options, asked.many)


def _as_asked(row: BackgroundQuestion) -> Asked:
    return Asked(row.text, tuple(row.options), row.many)


def _placed(
    campaign: Campaign, number: int, code: str, asked: Asked, row: BackgroundQuestion | None
) -> BackgroundQuestion:
    row = row or BackgroundQuestion(
        campaign=campaign,
        code=code,
        text=asked.text,
        options=[*asked.options],
        many=asked.many,
        removed=[0] * len(asked.options),
    )
    row.number = number
    row.full_clean(exclude={"campaign", "removed"})
    row.save()
    return row


@transaction.atomic
def answer_background(
    *, worker: User, campaign: Campaign, answers: Mapping[str, Sequence[int]]
) -> list[OwnAnswer]:
    """Store a person's answers, in place of earlier ones; what is missing or empty is deleted.

    Parameters
    ----------
    answers
        Options, from 1, by id of the question.

    Raises
    ------
    DomainError
        ``guideline_not_accepted`` without consent, ``option_unknown``.
    """
    _one_at_a_time(campaign)
    here = Consent.objects.active().filter(worker=worker, guideline__campaign=campaign)
    if not here.exists():
        raise Conflict(
            "guideline_not_accepted", _("Read and accept the guidelines of this campaign first.")
        )
    now = clock.now()
    for own in own_answers(worker, campaign):
        chosen = _chosen(own.question, answers.get(str(own.question.public_id), ()))
        if chosen != own.chosen:
            _replace(worker, own, chosen, now)
    _publish(campaign)
    return own_answers(worker, campaign)


def _chosen(question: BackgroundQuestion, options: Sequence[int]) -> tuple[int, ...]:
    chosen = tuple(sorted(set(options)))
    if not all(1 <= option <= len(question.options) for option in chosen):
        raise DomainError("option_unknown", _("This question has no such option."))
    if len(chosen) > 1 and not question.many:
        raise DomainError("option_unknown", _("Choose one option of this question."))
    return chosen


def _replace(worker: User, own: OwnAnswer, chosen: tuple[int, ...], now: datetime) -> None:
    BackgroundAnswer.objects.filter(worker=worker, question=own.question).delete()
    if own.chosen:
        _keep_count(own)
    if chosen:
        BackgroundAnswer.objects.create(
            worker=worker, question=own.question, options=[*chosen], changed_at=now
        )


def _keep_count(own: OwnAnswer) -> None:
    """Count what is deleted without its person, until others have taken back theirs too."""
    row = BackgroundQuestion.objects.get(pk=own.question.pk)
    for option in own.chosen:
        row.removed[option - 1] += 1
    row.n_removed += 1
    row.save(update_fields=["removed", "n_removed"])


@transaction.atomic
def delete_background(*, worker: User, campaign: Campaign) -> None:
    """Delete all that a person has told about themselves in a campaign."""
    _one_at_a_time(campaign)
    for own in own_answers(worker, campaign):
        if own.chosen:
            _replace(worker, own, (), clock.now())


def _publish(campaign: Campaign) -> None:
    """Make another edition if enough people have answered since the last one."""
    last = newest_edition(campaign)
    # A lower least group would divide the groups of earlier editions.
    least = max(campaign.least_group, last.least if last else 0)
    answers = BackgroundAnswer.objects.filter(
        question__campaign=campaign, question__retired_at=None
    )
    if last is not None:
        answers = answers.filter(changed_at__gt=last.created_at)
    n_answered = answers.order_by().aggregate(n=Count("worker", distinct=True))["n"]
    if not is_due(n_answered, least=least):
        return
    people, counts = counts_now(campaign, least=least)
    BackgroundEdition.objects.create(
        campaign=campaign, least=least, people=people, counts=counts, created_at=clock.now()
    )
    for question in BackgroundQuestion.objects.asked_in(campaign):
        if not remain_counted(question.n_removed, least=least):
            question.removed, question.n_removed = [0] * len(question.options), 0
            question.save(update_fields=["removed", "n_removed"])
