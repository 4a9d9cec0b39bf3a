"""What curators can ask of filtering: freeze, encode, filter, release. Workers carry it out."""

import logging
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from collection.models import Campaign
from collection.services import TwinText
from filtering import selectors
from filtering.core.encoders import EncoderSpec
from filtering.core.guess_rules import is_whole, text_fingerprint
from filtering.models import Encoding, FilterRun, Guess, Release, Snapshot
from winoplatform.errors import DomainError
from winoplatform.runs.ring import BROKER_AWAY
from winoplatform.runs.start import start
from workers.models import User

log = logging.getLogger(__name__)
PRUNED_AT_ONCE = 100


@transaction.atomic
def take_snapshot(*, campaign: Campaign, by: User | None) -> Snapshot:
    """Freeze the campaign's questions that are valid now, whenever a worker comes to it."""
    snapshot = Snapshot(campaign=campaign, created_by=by)
    if not selectors.valid_questions(campaign, at=snapshot.created_at).exists():
        raise DomainError(
            "no_valid_questions", "This campaign has no valid question to freeze yet.", status=409
        )
    start(snapshot)
    return snapshot


@transaction.atomic
def encode(
    *,
    snapshot: Snapshot,
    by: User | None,
    encoder: str = "",
    pooling: str = "",
    features: str = Encoding.Features.DIFFERENCE,
) -> Encoding:
    """Encode every question of a snapshot; an empty *encoder* means the installation's own."""
    spec = encoder or settings.ENCODER
    try:
        EncoderSpec.parse(spec)
    except ValueError as error:
        raise DomainError("encoder_unknown", f"This encoder cannot be used: {error}") from error
    encoding = Encoding(
        snapshot=snapshot, encoder=spec, pooling=pooling, features=features, created_by=by
    )
    start(encoding)
    return encoding


def settings_for(n_questions: int) -> dict[str, Any]:
    """Suggest AFLite settings for a set of *n_questions*.

    m and k are the paper's 10,000 and 500 of 47,000 (WinoGrande §3) in proportion. A small set
    gets a larger part to learn from, half of it up to 400 questions, since a linear model over
    hundreds of features learns nothing from a fifth of three hundred; and k is at least 5, so that
    chance alone does not keep a run going. Twins stay on one side of every part (``grouped``): with
    a question's twin among the examples, predictions fall below chance and little is ever removed.
    """
    share = min(1.0, n_questions / 47_000)
    return {
        "m": max(2, round(10_000 * share), min(n_questions // 2, 400)),
        "k": max(5, round(500 * share)),
        "partition": FilterRun.Partition.GROUPED,
    }


@transaction.atomic
def start_filter_run(*, encoding: Encoding, by: User | None, **parameters: Any) -> FilterRun:
    """Start AFLite over an encoding; *parameters* are fields of ``FilterRun``."""
    run = FilterRun(encoding=encoding, created_by=by, **parameters)
    start(run)
    return run


@transaction.atomic
def build_release(
    *, filter_run: FilterRun, name: str, by: User | None, dev: float = 0.1, test: float = 0.1
) -> Release:
    """Publish what a filter run kept, under a name that no other release holds.

    The name stays with the release; only one that fails or is cancelled lets it go.
    """
    release = Release(filter_run=filter_run, name=name, dev=dev, test=test, created_by=by)
    start(release)
    return release


@transaction.atomic
def ask_guess(*, campaign: Campaign, text: TwinText) -> Guess | None:
    """Ask whether the classifiers of the campaign's latest filter run guess a twin.

    A worker answers, once for each text and run; until then the row waits, and asking again rings
    again where an answer is overdue. So a page polls by asking.

    Returns
    -------
    Guess or None
        None where there is nothing to ask: no finished filter run that trained classifiers, or a
        text that lacks a sentence, a blank, an option or an answer.
    """
    whole = is_whole(text.sentences, text.options, text.answers)
    run = selectors.guessing_run(campaign) if whole else None
    if run is None:
        return None
    guess, is_new = Guess.objects.get_or_create(
        filter_run=run,
        fingerprint=text_fingerprint(text.sentences, text.options, text.answers),
        defaults={"text": _as_encoded(text)},
    )
    guess.filter_run = run  # with its encoding and snapshot, which a finding names
    if is_new:
        _prune_guesses()
        _ring_for(guess)
    elif guess.status != Guess.Status.ANSWERED:
        _ask_again(guess)
    return guess


def known_guess(*, campaign: Campaign, text: TwinText) -> Guess | None:
    """Return what is known of a text by now, without asking for it."""
    run = selectors.guessing_run(campaign)
    fingerprint = text_fingerprint(text.sentences, text.options, text.answers)
    rows = Guess.objects.filter(filter_run=run, fingerprint=fingerprint)
    return rows.select_related("filter_run__encoding__snapshot").first()


def _as_encoded(text: TwinText) -> dict[str, list[Any]]:
    def even(part: tuple[str, str]) -> list[str]:
        return [" ".join(words.split()) for words in part]

    return {
        "sentences": even(text.sentences),
        "options": even(text.options),
        "answers": list(text.answers),
    }


def _ask_again(guess: Guess) -> None:
    """Ring for an answer that is overdue; of any number of askers at once, one rings."""
    now = timezone.now()
    overdue = Guess.objects.filter(pk=guess.pk, rung_at__lte=now - Guess.ASK_AGAIN)
    if overdue.exclude(status=Guess.Status.ANSWERED).update(
        status=Guess.Status.WAITING, failure="", rung_at=now
    ):
        guess.refresh_from_db(fields=["status", "failure", "rung_at"])
        _ring_for(guess)


def _prune_guesses() -> None:
    # A few for each one that comes, and none that somebody else prunes: nobody waits for it.
    stale = Guess.objects.stale(now=timezone.now()).select_for_update(skip_locked=True)
    Guess.objects.filter(pk__in=list(stale.values_list("pk", flat=True)[:PRUNED_AT_ONCE])).delete()


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
