"""Optional questions about people: a campaign chooses them, and people answer or do not."""

from collections.abc import Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from collection.core.background import STANDARD, QuestionText, is_due
from collection.models import (
    BackgroundAnswer,
    BackgroundEdition,
    BackgroundQuestion,
    BackgroundRespondent,
    Campaign,
    Consent,
)
from collection.selectors.background import (
    OwnAnswer,
    counts_with,
    newest_edition,
    own_answers,
    waiting_respondents,
)
from winoplatform import clock
from winoplatform.db import locks
from winoplatform.errors import Conflict, DomainError
from workers.models import User

QUESTIONS_MOST, OPTIONS_MOST = 20, 60


def _one_at_a_time(campaign: Campaign) -> None:
    """Let answers and editions of a campaign take turns: an edition counts those before it."""
    locks.take_turns(f"background-{campaign.pk}")


@transaction.atomic
def set_background(
    *, campaign: Campaign, codes: Sequence[str], own: Sequence[QuestionText] = ()
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
    stands = {_text_of(row): row for row in BackgroundQuestion.objects.asked_in(campaign)}
    if len({asked for _code, asked in wanted}) < len(wanted):
        raise ValidationError(_("A question is there twice."))
    kept = [stands[asked].pk for _code, asked in wanted if asked in stands]
    gone = BackgroundQuestion.objects.asked_in(campaign).exclude(pk__in=kept)
    BackgroundAnswer.objects.filter(question__in=gone).delete()
    gone.order_by().update(retired_at=clock.now())
    return [
        _save_question(campaign, number, code, asked, stands.get(asked))
        for number, (code, asked) in enumerate(wanted, start=1)
    ]


def _standard(codes: Sequence[str]) -> list[tuple[str, QuestionText]]:
    if unknown := sorted({*codes} - STANDARD.keys()):
        raise ValidationError(_("There is no question “%s”.") % unknown[0])
    return [(code, asked) for code, asked in STANDARD.items() if code in codes]


def _checked(asked: QuestionText) -> QuestionText:
    """Return an own question without surrounding spaces, if it can be asked."""
    text, options = asked.text.strip(), tuple(option.strip() for option in asked.options)
    if not text or not 2 <= len(options) <= OPTIONS_MOST or not all(options):
        message = _("A question needs a text and 2 to %d options.")
        raise ValidationError(message % OPTIONS_MOST)
    if len(set(options)) < len(options):
        raise ValidationError(_("“%s” has an option twice.") % text)
    return QuestionText(text, options, asked.many)


def _text_of(row: BackgroundQuestion) -> QuestionText:
    return QuestionText(row.text, tuple(row.options), row.many)


def _save_question(
    campaign: Campaign, number: int, code: str, asked: QuestionText, row: BackgroundQuestion | None
) -> BackgroundQuestion:
    row = row or BackgroundQuestion(
        campaign=campaign,
        code=code,
        text=asked.text,
        options=[*asked.options],
        many=asked.many,
    )
    row.number = number
    row.full_clean(exclude={"campaign"})
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
    rows = own_answers(worker, campaign)
    chosen = [
        _checked_options(own.question, answers.get(str(own.question.public_id), ())) for own in rows
    ]
    for own, options in zip(rows, chosen, strict=True):
        _replace(worker, own.question, options)
    if any(chosen):
        BackgroundRespondent.objects.get_or_create(worker=worker, campaign=campaign)
    return own_answers(worker, campaign)


def _checked_options(question: BackgroundQuestion, options: Sequence[int]) -> tuple[int, ...]:
    chosen = tuple(sorted(set(options)))
    if not all(1 <= option <= len(question.options) for option in chosen):
        raise DomainError("option_unknown", _("This question has no such option."))
    if len(chosen) > 1 and not question.many:
        raise DomainError("option_unknown", _("Choose one option of this question."))
    return chosen


def _replace(worker: User, question: BackgroundQuestion, options: tuple[int, ...]) -> None:
    BackgroundAnswer.objects.filter(worker=worker, question=question).delete()
    if options:
        BackgroundAnswer.objects.create(worker=worker, question=question, options=[*options])


@transaction.atomic
def delete_background(*, worker: User, campaign: Campaign) -> None:
    """Delete a person's answers to the optional questions of a campaign."""
    _one_at_a_time(campaign)
    BackgroundAnswer.objects.filter(worker=worker, question__campaign=campaign).delete()


@transaction.atomic
def publish_background(*, campaign: Campaign) -> BackgroundEdition | None:
    """Publish another edition if enough people are not counted yet; return the newest one."""
    _one_at_a_time(campaign)
    last = newest_edition(campaign)
    group = list(waiting_respondents(campaign).order_by("pk"))
    least = campaign.least_group
    if not is_due(len(group), least=least):
        return last
    workers = [respondent.worker_id for respondent in group]
    edition = BackgroundEdition.objects.create(
        campaign=campaign,
        least=least,
        people=len(workers) + (last.people if last else 0),
        counts=counts_with(campaign, workers, before=last),
        created_at=clock.now(),
    )
    keys = [respondent.pk for respondent in group]
    BackgroundRespondent.objects.filter(pk__in=keys).update(edition=edition)
    return edition
