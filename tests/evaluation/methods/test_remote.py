"""A model on the operator's server: the local scores, asked once, and nothing blind by mistake."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from corpora.core.forms import clozes
from corpora.core.transformations import TELL_ANSWERS, TRANSFORMATIONS, Transformed
from evaluation import services
from evaluation.checks import server_can_be_used
from evaluation.models import Evaluation, ServerAnswer
from modeling.loading import load_model
from modeling.scoring import causal_scores
from tests.evaluation.sets import ITEMS, failure_of, small_set
from tests.factories import EvaluationFactory
from tests.filtering.stages import carried, filtered, frozen, killed_after, read, release_of, rows
from tests.modeling.remote_server import Reply, Server, completion, serving
from tests.modeling.tiny import save_tiny
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.start import resume

KEY, START = "sk-never-shown", "<|endoftext|>"


@pytest.fixture
def server(tmp_path: Path, settings: Any) -> Iterator[Server]:
    model = load_model(save_tiny(tmp_path, "causal"), "causal")
    with serving(lambda request: completion(model, request, start=START)) as found:
        settings.REMOTE_MODEL_URL = found.url
        settings.REMOTE_MODEL_KEY = KEY
        settings.REMOTE_MODEL_RETRIES = 0
        yield found


def requested(**fields: Any) -> Evaluation:
    asked = {"method": "remote", "model": "tiny/causal:4", "by": None} | fields
    if not {"release", "snapshot", "reference_set"} & asked.keys():
        asked["reference_set"] = small_set()
    return services.evaluate(**asked)


@pytest.mark.long
@pytest.mark.parametrize("variant", ["partial", "full_mean"])
def test_the_scores_are_those_of_the_same_weights_here(
    server: Server, tmp_path: Path, variant: str
) -> None:
    run = carried(requested(variant=variant))
    expected = causal_scores(
        load_model(str(tmp_path), "causal"),
        clozes(ITEMS),
        partial="partial" in variant,
        mean="mean" in variant,
    )
    for row, scores in zip(rows(read(run.predictions)), expected, strict=True):
        assert row["scores"] == pytest.approx(scores.tolist(), abs=1e-3)
    assert run.system.startswith("tiny/causal:4 · causal language model on a server · ")
    assert {asked["model"] for asked in server.asked} == {"tiny/causal:4"}
    assert set(server.keys) == {f"Bearer {KEY}"}


@pytest.mark.long
def test_no_text_is_sent_twice_but_to_other_weights(server: Server, settings: Any) -> None:
    data = small_set()
    first = carried(requested(reference_set=data))
    n = len(server.asked)
    assert ServerAnswer.objects.count() == n == 12
    again = carried(requested(reference_set=data))
    assert len(server.asked) == n
    assert again.predictions == first.predictions
    settings.REMOTE_MODEL_REVISION = "second"
    other = carried(requested(reference_set=data))
    assert (len(server.asked), other.revision) == (2 * n, "second")
    carried(requested(reference_set=data, model="another"))
    assert len(server.asked) == 3 * n


def test_a_resumed_evaluation_goes_on_with_the_same_server_only(
    server: Server, settings: Any
) -> None:
    run = requested()
    Evaluation.objects.filter(pk=run.pk).update(block_size=2)
    killed_after(run, 1)
    settings.REMOTE_MODEL_START = "."
    execute_here(run)
    assert "have config_sha256" in failure_of(run)
    settings.REMOTE_MODEL_START = ""
    resume(run)
    carried(run)


def echo(token: Any, value: Any = None) -> Reply:
    found = {"tokens": [token, "b"], "token_logprobs": [value, value], "text_offset": [0, 1]}
    return Reply(200, {"choices": [{"logprobs": found}]})


@pytest.mark.long
@pytest.mark.parametrize(
    "reply",
    [
        Reply(401, {"error": {"message": f"bad key {KEY}"}}),
        Reply(400, {"error": f"{KEY} is no key"}),
        Reply(302, KEY, {"Location": f"http://127.0.0.1:1/{KEY}"}),
        echo(KEY),
        echo("t", f"{KEY}" * 1000),
    ],
)
def test_the_key_is_in_no_message_row_or_log(
    server: Server, caplog: pytest.LogCaptureFixture, capsys: Any, reply: Reply
) -> None:
    caplog.set_level(logging.DEBUG)
    server.answer = lambda request: reply
    small_set()
    with pytest.raises(CommandError) as told:
        call_command("evaluate", "small", method="remote", model="m")
    stored = [str(values) for values in Evaluation.objects.values()]
    assert KEY not in f"{told.value}{capsys.readouterr()}{caplog.text}{stored}"
    assert len(failure_of(Evaluation.objects.get())) <= 500


@pytest.mark.long
@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (Reply(302, "", {"Location": "http://127.0.0.1:1/"}), "redirects to another address"),
        (Reply(200, {"choices": []}), "must support “echo” together with “logprobs”"),
        (Reply(200, b"x" * 5_000_000), "answers with more than"),
        (Reply(503, "busy"), "still answers with status 503"),
    ],
)
def test_a_server_that_cannot_be_used_fails_the_evaluation_with_a_sentence(
    server: Server, reply: Reply, sentence: str
) -> None:
    server.answer = lambda request: reply
    run = requested()
    execute_here(run)
    assert sentence in failure_of(run)
    assert not ServerAnswer.objects.exists()


def test_without_a_server_the_method_is_refused(settings: Any) -> None:
    settings.REMOTE_MODEL_URL = ""
    with pytest.raises(DomainError, match="REMOTE_MODEL_URL"):
        requested()


def test_a_model_has_a_name(server: Server) -> None:
    with pytest.raises(ValidationError, match="This method needs a model"):
        requested(model="  ")


@pytest.mark.long
def test_blind_questions_are_sent_only_if_a_curator_confirms_it(server: Server) -> None:
    release = carried(release_of(filtered(frozen(pairs=20), dev_share="0.4"), "first"))
    for blind in ({"release": release, "split": "test"}, {"snapshot": release.snapshot}):
        with pytest.raises(DomainError, match="These questions are blind"):
            requested(**blind)
        assert requested(**blind, confirm_remote=True).remote_confirmed
    assert not requested(release=release).remote_confirmed
    assert not services.evaluate(
        release=release, method="random", by=None, confirm_remote=True
    ).remote_confirmed
    assert not server.asked


def test_blind_answers_are_never_sent(server: Server) -> None:
    release = carried(release_of(filtered(frozen(pairs=20), dev_share="0.4"), "first"))
    for blind in ({"release": release, "split": "test"}, {"snapshot": release.snapshot}):
        with pytest.raises(DomainError, match="writes the right answers into the sentences"):
            requested(**blind, confirm_remote=True, transformation="zero_shot")
    assert requested(release=release, transformation="zero_shot")


def test_the_transformations_that_tell_answers_are_those_whose_texts_depend_on_them() -> None:
    other = [replace(item, answer=3 - (item.answer or 0)) for item in ITEMS]
    tell = {
        name
        for name, transform in TRANSFORMATIONS.items()
        if texts(transform(ITEMS)) != texts(transform(other))
    }
    assert tell == TELL_ANSWERS


def texts(made: Transformed) -> list[tuple[str, frozenset[str]]]:
    return [(item.sentence, frozenset(item.options)) for item in made.items]


def test_the_database_refuses_an_unconfirmed_blind_evaluation() -> None:
    with pytest.raises(IntegrityError, match="blind_questions_are_sent"), transaction.atomic():
        EvaluationFactory(method="remote", model="m", split="test")


def test_no_answer_leaves_with_a_question(server: Server) -> None:
    carried(requested())
    for asked in server.asked:
        assert set(asked) == {
            "model", "prompt", "echo", "logprobs", "max_tokens", "temperature",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "n_errors"),
    [
        ({"REMOTE_MODEL_URL": ""}, 0),
        ({}, 0),
        ({"REMOTE_MODEL_URL": "ftp://host"}, 1),
        ({"REMOTE_MODEL_URL": "http://u:p@host/v1"}, 1),
        ({"REMOTE_MODEL_KEY": "ключ"}, 1),
        ({"REMOTE_MODEL_CONCURRENCY": 0}, 1),
        ({"REMOTE_MODEL_SECONDS": 0.0}, 1),
    ],
)
def test_settings_that_cannot_be_used_are_told_at_the_start(
    settings: Any, changes: dict[str, Any], n_errors: int
) -> None:
    for name, value in {"REMOTE_MODEL_URL": "http://127.0.0.1:8/v1", **changes}.items():
        setattr(settings, name, value)
    errors = server_can_be_used(None)
    assert len(errors) == n_errors
    assert not any("ключ" in error.msg or "u:p" in error.msg for error in errors)
