"""Many who ask for one guess at the same moment, and two workers that answer it."""

import time
from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone

from collection.models import Campaign
from filtering import guessing, services
from filtering.models import FilterRun, Guess, Guesser
from tests.filtering.guessable import filter_run, new_twin
from tests.races.threads import at_once

ASKERS = 6


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the messages instead of sending them."""
    messages: list[int] = []
    monkeypatch.setattr(
        services.current_app, "send_task", lambda name, args, **_: messages.append(args[0])
    )
    return messages


@pytest.fixture
def run(sent: list[int]) -> FilterRun:
    guessing._members.cache_clear()
    finished = filter_run()
    sent.clear()
    return finished


def ask(campaign: Campaign) -> Guess | None:
    return services.ask_guess(campaign=campaign, text=new_twin())


def overdue(guess: Guess) -> None:
    Guess.objects.filter(pk=guess.pk).update(rung_at=timezone.now() - 2 * Guess.ASK_AGAIN)


def test_of_many_who_ask_at_once_one_rings(run: FilterRun, sent: list[int]) -> None:
    campaign = run.encoding.snapshot.campaign
    asked = at_once(*[partial(ask, campaign)] * ASKERS)
    guess = Guess.objects.get()
    assert asked == [guess] * ASKERS
    assert sent == [guess.pk]


def test_of_many_who_ask_again_one_rings(run: FilterRun, sent: list[int]) -> None:
    campaign = run.encoding.snapshot.campaign
    ask(campaign)
    overdue(guess := Guess.objects.get())
    at_once(*[partial(ask, campaign)] * ASKERS)
    assert sent == [guess.pk, guess.pk]


def unguarded(pk: int) -> None:
    """Check, then ring, with no guarded update: what the service must not do."""
    with transaction.atomic():
        guess = Guess.objects.get(pk=pk)
        if guess.rung_at > timezone.now() - Guess.ASK_AGAIN:
            return
        time.sleep(0.05)
        guess.rung_at = timezone.now()
        guess.save()
        services._ring_for(guess)


def test_the_same_without_the_guard_rings_more_than_once(run: FilterRun, sent: list[int]) -> None:
    ask(run.encoding.snapshot.campaign)
    overdue(guess := Guess.objects.get())
    sent.clear()
    at_once(*[partial(unguarded, guess.pk)] * ASKERS)
    assert len(sent) > 1


def test_two_workers_give_one_answer(run: FilterRun) -> None:
    ask(run.encoding.snapshot.campaign)
    guess = Guess.objects.get()
    assert at_once(*[partial(guessing.answer_guess, guess.pk)] * 2) == [None, None]
    guess.refresh_from_db()
    assert (guess.status, guess.right1, guess.right2) == ("answered", 8, 8)
    assert Guesser.objects.filter(filter_run=run).count() == 1
