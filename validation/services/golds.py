"""Gold questions: mixed with the others, with or without feedback."""

import random
import uuid
from collections.abc import Iterable
from datetime import datetime
from itertools import islice

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign, Question, Twin
from collection.models.expressions import sentence_keys
from collection.selectors.consents import is_withdrawn
from validation.core.golds import WINDOW, Step, is_right, next_step
from validation.models import (
    GoldQuestion,
    PassedSeat,
    PublishedSentence,
    QualityNotice,
    Seat,
    Verdict,
    Vote,
    is_public,
)
from validation.selectors.golds import is_public_question
from validation.services.validating.seats import twin_at
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, existing
from workers.models import User
from workers.services import pause_worker

BATCH = 5000
LOOKED_AT = 5
"""One in so many ordinary votes looks back on the gold answers before it."""
_dice = random.SystemRandom()  # no user may predict which question is gold


def seat_for(*, worker: User, campaign: Campaign, now: datetime) -> GoldQuestion | None:
    """Draw whether the next question of *worker* is gold, and which.

    Twins that the worker wrote, validated, holds or passed are excluded: the worker knows them, or
    the table would refuse the seat. The query is the same whatever the draw, so that the duration
    of a claim reveals little about its question.
    """
    golds = GoldQuestion.objects.filter(
        retired_at=None, campaign=campaign, question__twin__withdrawn_at=None
    )
    twin = OuterRef("question__twin")
    has_seat = Exists(Seat.objects.filter(worker=worker, twin=twin))
    passed = Exists(PassedSeat.objects.filter(worker=worker, twin=twin))
    golds = golds.exclude(question__twin__author=worker).filter(~has_seat, ~passed)
    golds = golds.exclude(is_withdrawn(worker, campaign))
    drawn = golds.select_related("question__twin").order_by("?").first()
    is_public = drawn is not None and is_public_question(drawn.question)
    is_due = _dice.random() < campaign.gold_share
    return drawn if is_due and not is_public else None


def is_still_asked(seat: Seat) -> bool:
    """Return whether *seat*, whose lease has ended, is of a gold question to be asked again.

    An ordinary question is asked again unless others have claimed all its seats since. A gold
    question has no seats to claim, so it behaves like one with one seat left, or two, up to all.
    """
    if seat.gold_id is None:
        return False
    if claims_since(seat) > seat.pk % seat.campaign.votes_per_question:
        return False
    golds = GoldQuestion.objects.in_use().filter(pk=seat.gold_id)
    return golds.filter(question__twin__withdrawn_at=None).exists()


def claims_since(seat: Seat) -> int:
    """Count the seats claimed since the lease of *seat* ended, up to a question's seats."""
    others = Seat.objects.in_campaign(seat.campaign).exclude(worker=seat.worker_id)
    claimed = others.filter(claimed_at__gt=seat.leased_until)
    return claimed[: seat.campaign.votes_per_question].count()


def is_lost(seat: Seat) -> bool:
    """Return whether *seat*, whose lease has ended, would now be another validator's.

    An ordinary seat is lost by another validator's claim. Nobody else can claim a gold question's
    seat, so it is lost when another validator has claimed the ordinary question in whose place it
    was given, or one behind it while they might have had that one. The query is the same for both.
    """
    twin = twin_at(seat.place)
    claimed = Seat.objects.in_campaign(seat.campaign).numbered().exclude(worker=seat.worker_id)
    since = claimed.filter(claimed_at__gt=seat.leased_until, place__gte=seat.place)
    before = Seat.objects.filter(
        worker=OuterRef("worker"), twin=twin, claimed_at__lte=seat.leased_until
    )
    passed = PassedSeat.objects.filter(worker=OuterRef("worker"), twin=twin, blocked=True)
    wrote = Twin.objects.filter(pk=twin, author=OuterRef("worker"))
    is_taken = since.filter(~Exists(before), ~Exists(passed), ~Exists(wrote)).exists()
    return is_taken and seat.gold_id is not None


def look_back(*, vote: Vote) -> None:
    """After a random ordinary vote, check its validator's gold answers; warn or pause them.

    A warning directly after a gold answer would reveal which question was gold, while that answer
    can still be amended. Therefore the check follows a randomly drawn ordinary vote: other votes
    cost no query, and a validator who stops before it gets no notice.
    """
    if _dice.randrange(LOOKED_AT):
        return
    # Do not wait for the lock, as the vote holds its question: its holder or the next vote checks.
    account = User.objects.filter(pk=vote.worker_id)
    if account.select_for_update(skip_locked=True, no_key=True).values_list("pk").first():
        weigh(worker=vote.worker, campaign=vote.seat.campaign)


def weigh(*, worker: User, campaign: Campaign) -> None:
    """Warn *worker*, whose account is locked, or pause them, as their gold answers ask for.

    Only answers since the last warning or pause count: a resumed worker starts from zero.
    """
    last = _notices(worker, campaign).first()
    given = _answers(worker, campaign)
    if last is not None:
        given = given.filter(created_at__gt=last.created_at)
    rows = given.order_by("-pk").values_list("option", "question__answer", "ambiguous")[:WINDOW]
    answers = [is_right(option, right, unsure) for option, right, unsure in rows]
    warned = last is not None and last.kind == QualityNotice.Kind.WARNING
    step = next_step(answers, pass_share=float(campaign.gold_pass_share), warned=warned)
    if step is not Step.NOTHING:
        _tell(worker, campaign, step, answers)


def _answers(worker: User, campaign: Campaign) -> QuerySet[Vote]:
    """Return a validator's answers to gold questions whose answer is still certain."""
    # From retirement on: a release may be the reason, so the answer may have been looked up.
    in_time = Q(seat__gold__retired_at=None) | Q(created_at__lt=F("seat__gold__retired_at"))
    votes = Vote.objects.filter(worker=worker, is_gold=True, excluded_at=None)
    return votes.filter(in_time, question__verdict__valid=True, seat__campaign=campaign)


def _tell(worker: User, campaign: Campaign, step: Step, answers: list[bool]) -> None:
    """Warn or pause without naming a question, so that gold stays undetected."""
    QualityNotice.objects.create(
        worker=worker,
        campaign=campaign,
        kind=QualityNotice.Kind(step.value),
        n_right=sum(answers),
        n_answers=len(answers),
    )
    if step is Step.PAUSE:
        reason = _(
            "Too many of your recent answers in “%(campaign)s” were wrong, even after a "
            "warning. You can appeal; a curator will check."
        ) % {"campaign": campaign.name}
        try:
            pause_worker(worker=worker, reason=reason, by=None)
        except DomainError as refusal:
            if refusal.code != "already_paused":
                raise


def unseen_notice(worker: User, campaign: Campaign) -> QualityNotice | None:
    """Return the newest notice that *worker* must read before continuing to validate, if any."""
    return _notices(worker, campaign).filter(seen_at=None).order_by("-pk").first()


def notice_seen(worker: User, campaign: Campaign) -> None:
    """Note that *worker* has read our notice in *campaign*."""
    _notices(worker, campaign).filter(seen_at=None).update(seen_at=timezone.now())


def _notices(worker: User, campaign: Campaign) -> QuerySet[QualityNotice]:
    kinds = QualityNotice.OF_GOLD
    return QualityNotice.objects.filter(worker=worker, campaign=campaign, kind__in=kinds)


@transaction.atomic
def add_gold(*, campaign: Campaign, question_id: str, by: User) -> GoldQuestion:
    """Choose a question of known answer as gold, or take a retired one into use again.

    Raises
    ------
    DomainError
        ``not_found``, ``is_public``, or ``not_valid``: only a question found valid has a certain
        answer.
    """
    questions = Question.objects.in_campaign(campaign).filter(public_id=question_id)
    question = existing(questions.select_for_update(of=("self",), no_key=True).first(), "question")
    if is_public_question(question):
        raise Conflict(
            "is_public",
            "This question is public, in a release or in its data set, so validators could look "
            "up its answer. Choose another one.",
        )
    if not Verdict.objects.valid().filter(question=question).exists():
        raise Conflict(
            "not_valid",
            "Only a valid question can be a control question. This one has no valid verdict.",
        )
    gold, is_new = GoldQuestion.objects.get_or_create(
        question=question,
        defaults={
            "campaign": campaign,
            "origin": GoldQuestion.Origin.CHOSEN,
            "created_by": by,
        },
    )
    if not is_new and gold.retired_at is not None:
        gold.retired_at, gold.retired_for = None, ""
        gold.origin, gold.created_by = GoldQuestion.Origin.CHOSEN, by
        gold.save(update_fields=["retired_at", "retired_for", "origin", "created_by"])
    return gold


@transaction.atomic
def retire_gold(*, gold_id: uuid.UUID) -> GoldQuestion:
    """Retire a gold question; its answers stay. Repeating it has no effect."""
    gold = GoldQuestion.objects.filter(public_id=gold_id).select_related("question", "campaign")
    found = existing(gold.first(), "control question")
    _retire(GoldQuestion.objects.filter(pk=found.pk), GoldQuestion.Retirement.CURATOR)
    found.refresh_from_db(fields=["retired_at", "retired_for"])
    return found


def _retire(golds: QuerySet[GoldQuestion], reason: GoldQuestion.Retirement) -> None:
    golds.filter(retired_at=None).update(retired_at=clock.now(), retired_for=reason)


@transaction.atomic
def note_published(answered: Iterable[str], unanswered: Iterable[str] = ()) -> None:
    """Record sentences as public; gold questions with one of them, or of their twins, retire.

    Called by the publisher in the transaction that makes the sentences public, which lets no other
    publisher do so at the same time: two could deadlock. A gold question added concurrently is not
    asked either: ``in_use`` checks these records. Held seats continue, so that nothing is revealed;
    their answers do not count against the validator.

    Parameters
    ----------
    answered, unanswered : iterable of str
        Sentences with public answers, and those of which the sentence alone becomes public.
    """
    for sentences, is_answered in ((unanswered, False), (answered, True)):
        texts = iter(sentences)
        while batch := list(islice(texts, BATCH)):
            _note(sentence_keys(batch), is_answered=is_answered)
    public = GoldQuestion.objects.filter(is_public("question__twin"))
    _retire(public, GoldQuestion.Retirement.PUBLIC)


def _note(keys: set[str], *, is_answered: bool) -> None:
    rows = [PublishedSentence(key=key, is_answered=is_answered) for key in keys]
    PublishedSentence.objects.bulk_create(rows, ignore_conflicts=True)
    if is_answered:
        PublishedSentence.objects.filter(key__in=keys, is_answered=False).update(is_answered=True)
