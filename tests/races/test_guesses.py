"""Many who ask for one guess at the same moment, and two workers that answer it."""

import time
from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from collection.models import Assignment, Campaign
from filtering import guessing, services
from filtering.models import FilterRun, Guess, Guesser
from filtering.services import guesses as asking
from tests.factories import AssignmentFactory
from tests.filtering.guessable import filter_run, new_twin, writing_in
from tests.races.threads import at_once

ASKERS = 6


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the messages instead of sending them."""
    messages: list[int] = []
    monkeypatch.setattr(
        asking.current_app, "send_task", lambda name, args, **_: messages.append(args[0])
    )
    return messages


@pytest.fixture
def run(sent: list[int]) -> FilterRun:
    guessing._members.cache_clear()
    finished = filter_run()
    sent.clear()
    return finished


def ask(campaign: Campaign, held: Assignment | None = None, **changes: Any) -> Guess | None:
    held = held or writing_in(campaign)
    text = new_twin(**changes)
    return services.ask_guess(worker=held.worker, assignment=held, text=text)


def writers(campaign: Campaign) -> list[Assignment]:
    return [AssignmentFactory(campaign=campaign) for _ in range(ASKERS)]


def overdue(guess: Guess) -> None:
    Guess.objects.filter(pk=guess.pk).update(rung_at=timezone.now() - 2 * Guess.ASK_AGAIN)


def test_of_many_who_ask_at_once_one_rings(run: FilterRun, sent: list[int]) -> None:
    campaign = run.encoding.snapshot.campaign
    asked = at_once(*(partial(ask, campaign, held) for held in writers(campaign)))
    guess = Guess.objects.get()
    assert asked == [guess] * ASKERS
    assert sent == [guess.pk]


def test_of_many_who_ask_again_one_rings(run: FilterRun, sent: list[int]) -> None:
    campaign = run.encoding.snapshot.campaign
    ask(campaign)
    overdue(guess := Guess.objects.get())
    at_once(*(partial(ask, campaign, held) for held in writers(campaign)))
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
        asking._ring_for(guess)


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


# -- one text for each who asks --------------------------------------------------------------------

WORDS = ("trophy", "suitcase", "bench", "number", "fit", "far")


def ask_for_many_texts(campaign: Campaign) -> list[Any]:
    held = writing_in(campaign)
    return at_once(*(partial(ask, campaign, held, options=("because", word)) for word in WORDS))


def test_of_many_texts_of_one_worker_one_waits(run: FilterRun, sent: list[int]) -> None:
    asked = ask_for_many_texts(run.encoding.snapshot.campaign)
    assert len({guess.pk for guess in asked}) == ASKERS
    assert Guess.objects.get().pk == max(guess.pk for guess in asked)


def test_without_taking_turns_some_are_refused_by_the_database(
    run: FilterRun, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "one_at_a_time", lambda worker: None)
    asked = ask_for_many_texts(run.encoding.snapshot.campaign)
    assert any(isinstance(answer, IntegrityError) for answer in asked)
    assert Guess.objects.count() == 1


# -- one trainer -----------------------------------------------------------------------------------


@pytest.fixture
def trainings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Note each training, and let it take its time."""
    noted: list[int] = []
    train = guessing._trained

    def slowly(run: FilterRun) -> Any:
        noted.append(run.pk)
        time.sleep(0.5)
        return train(run)

    monkeypatch.setattr(guessing, "_trained", slowly)
    return noted


def answer_many(run: FilterRun) -> list[Guess]:
    campaign = run.encoding.snapshot.campaign
    for held, word in zip(writers(campaign)[:4], WORDS[:4], strict=True):
        ask(campaign, held, options=("because", word))
    guesses = list(Guess.objects.order_by("pk"))
    assert at_once(*(partial(guessing.answer_guess, guess.pk) for guess in guesses)) == [None] * 4
    return guesses


def test_one_worker_trains_while_the_others_let_their_guesses_wait(
    run: FilterRun, trainings: list[int]
) -> None:
    guesses = answer_many(run)
    assert trainings == [run.pk]
    assert Guess.objects.waiting().count() == 3
    for guess in guesses:
        guessing.answer_guess(guess.pk)
    assert set(Guess.objects.values_list("status", flat=True)) == {"answered"}
    assert trainings == [run.pk]


def test_without_the_lock_all_of_them_train(
    run: FilterRun, trainings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing, "held", lambda name: nullcontext(True))
    answer_many(run)
    assert len(trainings) > 1


def test_a_training_that_fails_lets_the_next_one_train(
    run: FilterRun, trainings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = run.encoding.snapshot.campaign
    ask(campaign)
    with monkeypatch.context() as patch:
        patch.setattr(guessing, "_trained", lambda run: 1 / 0)
        guessing.answer_guess(Guess.objects.get().pk)
    assert Guess.objects.get().status == "failed"
    overdue(Guess.objects.get())
    ask(campaign)
    at_once(partial(guessing.answer_guess, Guess.objects.get().pk))  # by another connection
    assert Guess.objects.get().status == "answered"
