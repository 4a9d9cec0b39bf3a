"""What writers can ask of filtering: does a simple model guess this twin?"""

import logging
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from collection.models import Assignment, Campaign, Twin
from collection.services import TwinText, check_text
from collection.services.advice import UNREADABLE
from collection.services.assignments import one_at_a_time
from filtering import selectors
from filtering.core.guess_rules import is_whole, text_fingerprint
from filtering.models import FilterRun, Guess
from validation.models import Vote
from winoplatform.runs.ring import BROKER_AWAY
from workers.models import User

log = logging.getLogger(__name__)


@transaction.atomic
def ask_guess(*, worker: User, assignment: Assignment, text: TwinText) -> Guess | None:
    """Ask whether the classifiers of the campaign's latest filter run guess a twin.

    Somebody else answers, once for each text and run; until then the row waits, and asking again
    rings again where an answer is overdue. So a page polls by asking. A worker waits for one guess
    at a time: asking for another text takes the one before back.

    Parameters
    ----------
    worker : User
    assignment : Assignment
        The worker's own, for which the twin is written or written anew.
    text : TwinText

    Returns
    -------
    Guess or None
        None where there is nothing to ask: an assignment that is over, a closed campaign, no
        finished filter run that trained classifiers, a text that lacks a sentence, a blank, an
        option or opposite answers, or one that is or nearly is in the campaign already.
    """
    campaign = assignment.campaign
    run = selectors.guessing_run(campaign) if _is_at_hand(worker, assignment) else None
    if run is None:
        return None
    revised = Twin.objects.standing().filter(assignment=assignment).first()
    if not _may_be_guessed(campaign, text, revised):
        return None
    guess = _guesses(run, text).first()
    if guess is None or guess.status != Guess.Status.ANSWERED:
        guess = _asked(worker, run, text)
    guess.filter_run = run  # with its encoding, which a finding names
    return guess


def known_guess(*, campaign: Campaign, text: TwinText, leave_out: Twin | None) -> Guess | None:
    """Return what is known of a text by now, without asking for it."""
    run = selectors.guessing_run(campaign)
    if run is None:
        return None
    guess = _guesses(run, text).first()
    if guess is None or not _may_be_guessed(campaign, text, leave_out):
        return None
    guess.filter_run = run  # with its encoding, which a finding names
    return guess


def _is_at_hand(worker: User, assignment: Assignment) -> bool:
    """Tell whether the twin of an assignment is being written, or can still be revised."""
    if assignment.worker_id != worker.pk or assignment.campaign.status == Campaign.Status.CLOSED:
        return False
    if assignment.status in (Assignment.Status.SUBMITTED, Assignment.Status.WITHDRAWN):
        votes = Vote.objects.filter(question__twin__assignment=assignment)
        # A revised twin's own votes: those of the text before stay with a twin that is withdrawn.
        votes = votes.filter(question__twin__withdrawn_at=None)
        return not votes.filter(question__twin__sent_back__isnull=True).exists()
    return assignment.status == Assignment.Status.OPEN


def _may_be_guessed(campaign: Campaign, text: TwinText, leave_out: Twin | None) -> bool:
    if not is_whole(text.sentences, text.options, text.answers):
        return False
    if check_text(campaign=campaign, text=text).codes & UNREADABLE:
        return False  # hidden characters, say, by which it would not be known again
    return not selectors.is_known_text(text.sentences, campaign=campaign, leave_out=leave_out)


def _guesses(run: FilterRun, text: TwinText) -> QuerySet[Guess]:
    name = text_fingerprint(text.sentences, text.options, text.answers)
    return Guess.objects.filter(filter_run=run, fingerprint=name)


def _asked(worker: User, run: FilterRun, text: TwinText) -> Guess:
    """Let *worker* wait for the guess of a text, and for no other one."""
    one_at_a_time(worker)
    name = text_fingerprint(text.sentences, text.options, text.answers)
    older = Guess.objects.waiting().filter(asked_by=worker)
    older = older.exclude(filter_run=run, fingerprint=name)
    # One that somebody else is about to ask for is theirs by now.
    older = older.select_for_update(skip_locked=True, of=("self",))
    Guess.objects.filter(pk__in=list(older.values_list("pk", flat=True))).delete()
    guess, is_new = Guess.objects.get_or_create(
        filter_run=run, fingerprint=name, defaults={"text": _as_encoded(text), "asked_by": worker}
    )
    if is_new:
        Guess.objects.prune(now=timezone.now())
        _ring_for(guess)
    else:
        _ask_again(worker, guess)
    return guess


def _as_encoded(text: TwinText) -> dict[str, list[Any]]:
    return {
        "sentences": list(text.sentences),
        "options": list(text.options),
        "answers": list(text.answers),
    }


def _ask_again(worker: User, guess: Guess) -> None:
    """Ring for an answer that is overdue, for a while; of any number of askers at once, one."""
    now = timezone.now()
    if guess.created_at <= now - Guess.ASKED_FOR:
        Guess.objects.filter(pk=guess.pk).waiting().update(
            status=Guess.Status.FAILED, failure="Nobody answered in time."
        )
    else:
        overdue = Guess.objects.filter(pk=guess.pk, rung_at__lte=now - Guess.ASK_AGAIN)
        if overdue.exclude(status=Guess.Status.ANSWERED).update(
            status=Guess.Status.WAITING, asked_by=worker, failure="", rung_at=now
        ):
            _ring_for(guess)
    guess.refresh_from_db()


def _ring_for(guess: Guess) -> None:
    transaction.on_commit(lambda: _send(guess), robust=True)


def _send(guess: Guess) -> None:
    # A message that nobody takes in time is void: whoever still waits rings with another one.
    try:
        current_app.send_task(
            "filtering.answer_guess",
            args=[guess.pk],
            queue="light",
            retry=False,
            expires=Guess.ASK_AGAIN.total_seconds(),
        )
    except BROKER_AWAY:
        log.warning("%s: no broker took the message; asking again rings again", guess)
