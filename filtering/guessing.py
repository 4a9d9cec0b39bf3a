"""Answers guesses: what the classifiers of a filter run say of a twin that is being written."""

import logging
from functools import lru_cache
from typing import Any, cast

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from filtering import selectors
from filtering.core.aflite import AFLite
from filtering.core.encoders import Encoder
from filtering.core.features import FeatureKind, option_features
from filtering.core.guessers import count_right, first_members
from filtering.core.questions import fill
from filtering.loading import Wanted
from filtering.models import AFLITE_SETTINGS, FilterRun, Guess, Guesser
from winoplatform.artifacts import store
from winoplatform.locks import held

Members = NDArray[np.float32]
log = logging.getLogger(__name__)


class BeingTrained(Exception):
    """Somebody else trains the classifiers at this moment."""


def answer_guess(pk: int) -> None:
    """Answer a guess that still waits; a second delivery finds it answered and does nothing.

    Whatever goes wrong ends it, or it would be rung for again and again. While another worker
    trains the classifiers it stays waiting, and is rung for when they are there.
    """
    rows = Guess.objects.select_related(
        "filter_run__encoding__snapshot", "filter_run__encoding__tuning", "filter_run__guesser"
    )
    guess = rows.filter(pk=pk).waiting().first()
    if guess is None:
        return
    try:
        right = _count_right(guess)
    except BeingTrained:
        return
    except Exception as error:
        log.exception("%s has failed", guess)
        _end(guess, status=Guess.Status.FAILED, failure=_reason(error))
        return
    _end(
        guess,
        status=Guess.Status.ANSWERED,
        right1=int(right[0]),
        right2=int(right[1]),
        answered_at=timezone.now(),
    )


def _reason(error: Exception) -> str:
    """Only a ``ValueError`` has a sentence for people: others may name places on this machine."""
    said = str(error) if isinstance(error, ValueError) else "see the worker's log."
    return f"{type(error).__name__}: {said}".replace("\x00", "\ufffd")


def _end(guess: Guess, **changes: object) -> None:
    Guess.objects.filter(pk=guess.pk).waiting().update(**changes)


def prune_guesses() -> None:
    """Delete all that is stale, a few rows at a time."""
    while Guess.objects.prune(now=timezone.now()):
        pass


def _count_right(guess: Guess) -> NDArray[np.int64]:
    encoding = guess.filter_run.encoding
    members = _members(_guesser(guess.filter_run).weights_id)
    sentences, options = guess.text["sentences"], guess.text["options"]
    filled = [fill(sentence, option) for sentence in sentences for option in options]
    vectors = _loaded(Wanted.by(encoding)).encode(filled).reshape(2, 2, -1)  # (sentence, option, d)
    features = option_features(vectors[:, 0], vectors[:, 1], cast(FeatureKind, encoding.features))
    return count_right(members, features, guess.text["answers"])


@lru_cache(maxsize=2)
def _loaded(wanted: Wanted) -> Encoder:
    """The encoder as the encoding had it; other weights are refused, with the way out."""
    return wanted.load()


@lru_cache(maxsize=8)
def _members(weights_sha256: str) -> Members:
    weights = Guesser.objects.select_related("weights").filter(weights=weights_sha256).first()
    assert weights is not None
    return np.array(store.load_array(weights.weights), dtype=np.float32)


def _guesser(run: FilterRun) -> Guesser:
    """The run's classifiers, trained again the first time: seconds for tens of thousands."""
    if hasattr(run, "guesser"):
        return run.guesser
    # One worker trains: without the lock each guess that comes meanwhile would train them anew.
    with held(f"guesser {run.pk}") as ours:
        if not ours:
            raise BeingTrained
        trained = Guesser.objects.filter(filter_run=run).first()
        if trained is not None:
            return trained
        weights = store.put_array(_trained(run))
        return Guesser.objects.get_or_create(filter_run=run, defaults={"weights": weights})[0]


def _trained(run: FilterRun) -> Members:
    questions = selectors.encoded_questions(run.encoding)
    assert run.encoding.matrix is not None
    return first_members(
        estimator(run),
        store.load_array(run.encoding.matrix),
        np.array([question.answer for question in questions]),
        groups=[question.twin for question in questions],
        ids=[question.id for question in questions],
    )


def estimator(run: FilterRun, *, device: str = "auto") -> AFLite:
    """Return AFLite with the run's settings."""
    settings: dict[str, Any] = {name: getattr(run, name) for name in AFLITE_SETTINGS}
    return AFLite(**settings | {"device": device})
