"""Guesses, asked and answered as writers and workers do."""

from datetime import timedelta

from django.utils import timezone

from collection.models import Campaign
from collection.services import TwinText
from filtering import guessing, services
from filtering.models import Guess
from tests.filtering.guessable import new_twin, writing_in
from workers.models import User

SENT: list[int] = []
"""The guesses that were rung for: see the fixture ``bell``."""


def ask(
    campaign: Campaign, text: TwinText | None = None, worker: User | None = None
) -> Guess | None:
    held = writing_in(campaign, worker)
    return services.ask_guess(worker=held.worker, assignment=held, text=text or new_twin())


def asked(campaign: Campaign, text: TwinText | None = None, worker: User | None = None) -> Guess:
    guess = ask(campaign, text, worker)
    assert guess is not None
    return guess


def answered(campaign: Campaign, text: TwinText | None = None, worker: User | None = None) -> Guess:
    guessing.answer_guess(asked(campaign, text, worker).pk)
    return asked(campaign, text, worker)


def let_time_pass(seconds: float) -> None:
    past = timezone.now() - timedelta(seconds=seconds)
    Guess.objects.update(rung_at=past, created_at=past)
