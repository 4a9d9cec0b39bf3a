"""A trial says how long an evaluation will take, and keeps nothing of what it scored."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db import IntegrityError, transaction
from django.forms.models import model_to_dict

from evaluation import services
from evaluation.methods import METHODS, Block, Job, Method, Scorer
from evaluation.models import Evaluation, ServerAnswer, Trial
from evaluation.runner import scorers, trials
from evaluation.runner.questions import Questions
from evaluation.runner.trials import sample
from evaluation.selectors import Labelled, timings_of
from modeling.loading import load_model
from modeling.specs import SMOLLM2
from tests.evaluation.done import evaluated
from tests.evaluation.sets import ITEMS, small_set, tiny_model
from tests.factories import SnapshotFactory, TrialFactory
from tests.modeling.remote_server import Server, completion, serving
from tests.modeling.tiny import save_tiny
from winoplatform.errors import DomainError
from winoplatform.models import Artifact
from winoplatform.runs.kinds import execute_here

pytestmark = pytest.mark.django_db
BEGIN, PER_LETTER = 5.0, 2e-3


def measured(**asked: Any) -> Trial:
    trial = services.measure(by=None, **asked)
    execute_here(trial)
    trial.refresh_from_db()
    return trial


class Clock:
    """A clock that only methods under test advance."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(trials, "time", found)
    return found


def planted(clock: Clock, begins: Iterator[float]) -> Callable[[Job], Scorer]:
    """Return a method that takes some time to begin, and some for each letter."""

    def begin(job: Job) -> Scorer:
        clock.now += next(begins)
        return score

    def score(block: Block, progress: Callable[[int, int], None]) -> list[Any]:
        clock.now += PER_LETTER * sum(len(item.sentence) for item in block.items)
        return [np.zeros(len(item.options)) for item in block.items]

    return begin


@pytest.fixture
def slow_method(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> str:
    method = Method(name="slow", title="slow", begin=planted(clock, repeat(BEGIN)))
    monkeypatch.setitem(METHODS, "slow", method)
    return "slow"


def test_the_estimate_is_the_planted_time(slow_method: str) -> None:
    lengths = np.random.default_rng(0).geometric(0.02, size=300) + 5
    items = [
        replace(ITEMS[0], id=str(n), group=str(n), sentence=f"{'x' * k} _ .")
        for n, k in enumerate(lengths)
    ]
    data = small_set(items)
    trial = measured(reference_set=data, method=slow_method)
    truth = BEGIN + PER_LETTER * sum(len(item.sentence) for item in items)
    found = timings_of([])["", slow_method, "", "float32"]
    assert (trial.status, trial.done) == ("done", 96)
    assert found.seconds(300) == pytest.approx(truth, rel=0.1)
    evaluated(data, slow_method)  # what happened replaces what was measured
    Trial.objects.update(seconds_per_question=9)
    assert timings_of([])["", slow_method, "", "float32"].per_question < 1


def test_what_only_the_first_model_of_a_worker_takes_is_not_counted(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = planted(clock, iter([100 * BEGIN, BEGIN]))
    method = Method(name="slow", title="slow", begin=begin, use="causal")
    monkeypatch.setitem(METHODS, "slow", method)
    monkeypatch.setattr(scorers, "_model", lambda *_: None)
    trial = measured(reference_set=small_set(), method="slow", model=SMOLLM2)
    assert trial.begin_seconds == pytest.approx(BEGIN, rel=0.1)


def test_a_sample_has_the_lengths_of_all_questions_in_every_block() -> None:
    lengths = np.random.default_rng(1).lognormal(4, 0.6, size=500).astype(int) + 4
    items = [
        replace(ITEMS[0], id=str(n), group=str(n), sentence="_" + "x" * k)
        for n, k in enumerate(lengths)
    ]
    blocks = sample(Questions(items, Labelled(items, []), None))  # type: ignore[arg-type]
    assert [len(block.items) for block in blocks] == [32, 32, 32]
    assert len({item.id for block in blocks for item in block.items}) == 96
    assert all(item.answer is None for block in blocks for item in block.items)
    means = [np.mean([len(item.sentence) for item in block.items]) for block in blocks]
    assert np.mean(means) == pytest.approx(lengths.mean(), rel=0.03)
    assert max(means) / min(means) < 1.5


def test_a_sample_has_whole_groups() -> None:
    """Twins share the text before the blank: apart, a question takes longer than together."""
    items = [
        replace(ITEMS[0], id=f"{n}-{twin}", group=str(n), sentence="_" + "x" * (n + 7 * twin))
        for n in range(200)
        for twin in range(2)
    ]
    blocks = sample(Questions(items, Labelled(items, []), None))  # type: ignore[arg-type]
    assert [len(block.items) for block in blocks] == [32, 32, 32]
    for block in blocks:
        assert set(Counter(item.group for item in block.items).values()) == {2}


def test_a_group_of_all_questions_is_cut() -> None:
    items = [replace(ITEMS[0], id=str(n), group="one") for n in range(500)]
    blocks = sample(Questions(items, Labelled(items, []), None))  # type: ignore[arg-type]
    assert [len(block.items) for block in blocks] == [64]


def test_few_questions_are_all_in_the_sample() -> None:
    for n in (1, 3, 6):
        blocks = sample(Questions(ITEMS[:n], Labelled([], []), None))  # type: ignore[arg-type]
        assert sorted(item.id for block in blocks for item in block.items) == [
            item.id for item in ITEMS[:n]
        ]


def test_a_trial_of_a_model_keeps_no_scores(tmp_path: Path, settings: Any) -> None:
    before = Artifact.objects.count()
    data = small_set()
    stored = Artifact.objects.count()
    model = tiny_model(tmp_path, settings)
    trial = measured(reference_set=data, method="causal", model=model)
    assert trial.status == "done", trial.failure
    assert min(trial.begin_seconds or 0, trial.seconds_per_question or 0) > 0
    assert (stored - before, Artifact.objects.count() - stored) == (1, 0)
    assert not Evaluation.objects.exists()
    kept = {**model_to_dict(trial), "begin": trial.begin_seconds}
    numbers = {name for name, value in kept.items() if isinstance(value, float)}
    assert numbers == {"begin"}


def test_a_model_that_does_not_fit_is_said_before_the_evaluation(
    tmp_path: Path, settings: Any
) -> None:
    model = tiny_model(tmp_path, settings, "masked")
    config = Path(model, "config.json")  # it does not say what the model is for
    config.write_text(config.read_text().replace("architectures", "of"))
    trial = measured(reference_set=small_set(), method="causal", model=model)
    assert trial.status == "failed"
    assert trial.failure
    assert not timings_of([model])


@pytest.fixture
def server(tmp_path: Path, settings: Any) -> Iterator[Server]:
    model = load_model(save_tiny(tmp_path, "causal"), "causal")
    with serving(lambda request: completion(model, request, start="<|endoftext|>")) as found:
        settings.REMOTE_MODEL_URL = found.url
        yield found


def test_a_trial_sends_no_blind_question_without_confirmation(server: Server) -> None:
    asked = {"snapshot": SnapshotFactory(finished=True), "method": "remote", "model": "llama3:8b"}
    with pytest.raises(DomainError) as caught:
        services.measure(by=None, **asked)
    assert (caught.value.code, server.asked) == ("blind_unconfirmed", [])
    with pytest.raises(IntegrityError, match="are_sent_if_confirmed"), transaction.atomic():
        TrialFactory(release=None, snapshot=SnapshotFactory(), split="all", method="remote")


def test_a_trial_on_a_server_keeps_no_answer_of_it(server: Server) -> None:
    trial = measured(
        snapshot=SnapshotFactory(finished=True),
        method="remote",
        model="llama3:8b",
        confirm_remote=True,
    )
    assert trial.status == "done", trial.failure
    assert server.asked
    assert not ServerAnswer.objects.exists()
    columns = Trial.objects.filter(pk=trial.pk).values().get()
    assert "logprob" not in json.dumps(columns, default=str)


def test_the_same_trial_is_not_started_twice() -> None:
    data = small_set()
    first = services.measure(reference_set=data, method="random", by=None)
    assert services.measure(reference_set=data, method="random", by=None) == first
    with pytest.raises(IntegrityError, match="evaluation_trial_is_open_once"), transaction.atomic():
        TrialFactory(release=None, reference_set=data, split="test", method="random")


def test_a_set_is_deleted_with_its_trials() -> None:
    data = small_set()
    measured(reference_set=data, method="random")
    data.delete()
    assert not Trial.objects.exists()
