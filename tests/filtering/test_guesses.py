"""“The machine already guesses this pair”: asked while a twin is written, answered by a worker."""

from typing import Any

import numpy as np
import pytest

from collection.models import Campaign
from filtering import guessing, runner, selectors, services
from filtering.core.encoders import load_encoder
from filtering.core.guessers import count_right
from filtering.core.questions import fill
from filtering.models import FilterRun, Guess, Guesser
from tests.factories import UserFactory
from tests.filtering.guess_asking import SENT, answered, ask, asked, let_time_pass
from tests.filtering.guessable import filter_run, new_twin
from tests.filtering.stages import PUBLISHED, TINY, Killed
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bell")]


def test_a_twin_that_gives_itself_away_is_guessed(campaign: Campaign) -> None:
    guess = answered(campaign)
    finding = selectors.guess_finding(guess)
    assert guess.is_answered
    assert (guess.right1, guess.right2) == (8, 8)
    assert finding is not None
    assert (finding.code, finding.level, finding.value) == ("machine_guesses", "warning", 1.0)
    assert finding.example.endswith("learned from 60 questions.")


def test_a_twin_that_is_the_other_way_round_is_not(campaign: Campaign) -> None:
    guess = answered(campaign, new_twin(answers=(2, 1)))
    assert (guess.right1, guess.right2, guess.scores) == (0, 0, (0.0, 0.0))
    assert selectors.guess_finding(guess) is None


def test_features_are_those_of_the_encoding(campaign: Campaign, run: FilterRun) -> None:
    guess, text = answered(campaign), new_twin()
    members = store.load_array(Guesser.objects.get(filter_run=run).weights)
    filled = [[fill(sentence, option) for option in text.options] for sentence in text.sentences]
    features = np.stack([load_encoder(TINY).encode(pair).ravel() for pair in filled])
    assert members.shape == (8, 257)
    assert count_right(members, features, text.answers).tolist() == [guess.right1, guess.right2]


def test_asking_rings_once_and_the_same_text_is_the_same_guess(
    campaign: Campaign, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        first, again = asked(campaign), asked(campaign)
        other = asked(campaign, new_twin(answers=(2, 1)))
    assert first == again != other
    assert [first.pk, other.pk] == SENT


def test_a_worker_waits_for_one_guess_at_a_time(campaign: Campaign) -> None:
    alice, bob = UserFactory(), UserFactory()
    first, theirs = asked(campaign, worker=alice), new_twin(options=("trophy", "bench"))
    other = asked(campaign, theirs, worker=bob)
    done = answered(campaign, new_twin(answers=(2, 1)), worker=alice)
    assert not Guess.objects.filter(pk=first.pk).exists()
    assert set(Guess.objects.all()) == {other, done}
    newer = asked(campaign, worker=alice)
    assert set(Guess.objects.all()) == {other, done, newer}
    let_time_pass(20)
    assert asked(campaign, theirs, worker=alice).asked_by == alice
    assert set(Guess.objects.all()) == {other, done}


def test_what_nobody_answers_is_not_rung_for_without_end(
    campaign: Campaign, django_capture_on_commit_callbacks: Any
) -> None:
    asked(campaign)
    let_time_pass(Guess.ASKED_FOR.total_seconds() + 1)
    with django_capture_on_commit_callbacks(execute=True):
        guess = asked(campaign)
        asked(campaign)
    assert (guess.status, guess.failure) == ("failed", "Nobody answered in time.")
    assert SENT == []


def test_a_guess_whose_worker_died_is_rung_for_again(
    campaign: Campaign, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess = asked(campaign)
    with monkeypatch.context() as patch:
        patch.setattr(guessing, "_end", kill)
        with pytest.raises(Killed):
            guessing.answer_guess(guess.pk)
    let_time_pass(20)
    with django_capture_on_commit_callbacks(execute=True):
        asked(campaign), asked(campaign)
    assert [guess.pk] == SENT
    guessing.answer_guess(guess.pk)
    assert asked(campaign).scores == (1.0, 1.0)


def kill(*_: object, **__: object) -> None:
    raise Killed


def test_delivered_twice_it_is_answered_once(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess = asked(campaign)
    count = guessing._count_right

    def slowly(pk: Any) -> Any:
        monkeypatch.setattr(guessing, "_count_right", count)
        guessing.answer_guess(guess.pk)
        first.append(Guess.objects.get(pk=guess.pk).answered_at)
        return count(pk)

    first: list[Any] = []
    monkeypatch.setattr(guessing, "_count_right", slowly)
    guessing.answer_guess(guess.pk)
    assert [asked(campaign).answered_at] == first != [None]


def test_an_answer_stands_and_is_not_rung_for(
    campaign: Campaign, django_capture_on_commit_callbacks: Any
) -> None:
    answered(campaign)
    let_time_pass(20)
    with django_capture_on_commit_callbacks(execute=True):
        assert asked(campaign).is_answered
    assert SENT == []


def test_the_classifiers_are_trained_once_for_a_run(campaign: Campaign, run: FilterRun) -> None:
    answered(campaign)
    answered(campaign, new_twin(answers=(2, 1)))
    first = Guesser.objects.get(filter_run=run)
    again = guessing._guesser(FilterRun.objects.get(pk=run.pk))
    assert again == first
    assert store.put_array(guessing._trained(run)) == first.weights


def test_a_later_run_is_asked_anew(campaign: Campaign, run: FilterRun) -> None:
    first = asked(campaign)
    encoding = run.encoding
    later = services.start_filter_run(encoding=encoding, by=None, n=4, m=30, k=5, **PUBLISHED)
    guessing_run = selectors.guessing_run(campaign)
    assert guessing_run == run
    runner.carry_filter_run(later.pk)
    assert asked(campaign).filter_run == later != first.filter_run


def test_without_a_run_that_trained_classifiers_there_is_nothing_to_ask(campaign: Campaign) -> None:
    FilterRun.objects.all().delete()
    assert ask(campaign) is None
    untrained = filter_run(m=5000)
    assert untrained.steps.count() == 0
    assert ask(untrained.encoding.snapshot.campaign) is None


def test_half_a_twin_is_not_asked_for(campaign: Campaign) -> None:
    assert ask(campaign, new_twin(answers=(1, 0))) is None
    assert not Guess.objects.exists()


@pytest.mark.parametrize("error", [ValueError("no kernel\x00"), MemoryError(), OSError("/srv/x")])
def test_whatever_goes_wrong_ends_the_guess_and_is_logged(
    error: Exception,
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(guessing, "count_right", fail)
    guess = answered(campaign)
    assert guess.status == "failed"
    assert guess.failure.startswith(type(error).__name__)
    assert "/srv" not in guess.failure  # a place on this machine
    assert caplog.records[-1].exc_info


def test_an_encoder_that_is_gone_fails_the_guess_with_the_way_out(
    campaign: Campaign, run: FilterRun, settings: Any
) -> None:
    settings.ENCODER_FOLDERS = ["/no/such"]
    type(run.encoding).objects.update(encoder="/no/such/folder")
    guess = answered(campaign)
    assert (guess.status, guess.scores) == ("failed", None)
    assert guess.is_answered  # nobody need wait any longer
    assert selectors.guess_finding(guess) is None
    assert "/no/such/folder" in guess.failure
    type(run.encoding).objects.update(encoder=TINY)
    let_time_pass(20)
    assert answered(campaign).scores == (1.0, 1.0)


def test_a_guess_whose_run_is_deleted_ends_quietly(
    campaign: Campaign, run: FilterRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    guess = asked(campaign)
    count = guessing._count_right

    def while_it_is_counted(waiting: Guess) -> Any:
        right = count(waiting)
        run.delete()
        return right

    monkeypatch.setattr(guessing, "_count_right", while_it_is_counted)
    guessing.answer_guess(guess.pk)
    guessing.answer_guess(guess.pk)
    assert not Guess.objects.exists()
    assert ask(campaign) is None


def test_a_run_that_was_cancelled_guesses_nothing(campaign: Campaign, run: FilterRun) -> None:
    FilterRun.objects.filter(pk=run.pk).update(status=RunStatus.CANCELLED)
    assert ask(campaign) is None
