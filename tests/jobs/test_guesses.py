"""Guesses, answered by a real worker, which may die over one."""

import signal

from collection.models import Campaign
from filtering import services
from filtering.models import Guess, Guesser
from tests.filtering.guessable import filter_run, new_twin, writing_in
from tests.jobs.worker import Worker, wait_until


def ask(campaign: Campaign) -> Guess:
    held = writing_in(campaign)
    guess = services.ask_guess(worker=held.worker, assignment=held, text=new_twin())
    assert guess is not None
    return guess


def test_a_worker_answers_while_the_page_asks(worker: Worker) -> None:
    campaign = filter_run().encoding.snapshot.campaign
    worker.start(beat=False)
    wait_until(lambda: ask(campaign).is_answered, what="the guess is answered")
    guess = Guess.objects.get()
    assert (guess.right1, guess.right2) == (8, 8)


def test_a_worker_that_dies_over_a_guess_leaves_it_to_the_next(worker: Worker) -> None:
    campaign = filter_run().encoding.snapshot.campaign
    worker.start(beat=False)
    ask(campaign)
    # Loading an encoder takes seconds, so the answer is not there yet.
    worker.child().send_signal(signal.SIGKILL)
    wait_until(lambda: ask(campaign).is_answered, what="somebody else answers")
    assert (Guess.objects.count(), Guesser.objects.count()) == (1, 1)
