"""Evaluations in the browser: chosen, estimated and started."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import ReferenceSet
from evaluation.models import Evaluation, EvaluationBlock
from frontend.evaluations import plans
from frontend.evaluations.plans import MOST_RUNS
from frontend.shell.choices import model_choices
from modeling.specs import SMOLLM2, TINY_ENCODER
from tests.corpora.sets import imported
from tests.evaluation.done import evaluated
from tests.factories import EvaluationFactory, SnapshotFactory
from tests.frontend.evaluation_pages import TINY, chosen, comparison, cost, page, post
from tests.frontend.pages import source, words
from winoplatform.runs.models import RunStatus
from workers.models import User


def test_a_first_evaluation_needs_no_choice(as_dana: Client) -> None:
    imported()
    assert reverse("new-evaluations") in source(as_dana.get(reverse("evaluations")))
    text = source(as_dana.get(reverse("new-evaluations")))
    assert f'value="{TINY}" checked' in text
    assert f'value="{SMOLLM2}" checked' in text
    assert "2 evaluations" in cost(as_dana, methods=["causal:partial", "majority:"])


def test_without_questions_the_page_says_where_they_come_from(as_dana: Client) -> None:
    text = words(as_dana.get(reverse("new-evaluations")))
    assert "There are no labelled questions yet." in text
    assert "Import a reference set" in text
    assert post(as_dana).status_code == 400


@pytest.mark.long
def test_every_combination_that_fits_is_started(as_dana: Client, dana: User) -> None:
    imported()
    snapshot = SnapshotFactory(finished=True, n_questions=9_000)
    data = [TINY, f"snapshot:{snapshot.public_id}:all"]
    methods = ["causal:partial", "causal:full", "random:", "linear:"]
    assert post(as_dana, questions=data, methods=methods, seeds="1-2").status_code == 302
    runs = Evaluation.objects.all()
    assert {run.created_by for run in runs} == {dana}
    assert sorted((run.method, run.variant, run.seed, run.model) for run in runs) == sorted(
        2 * [("causal", "full", 0, SMOLLM2), ("causal", "partial", 0, SMOLLM2),
             ("random", "", 1, ""), ("random", "", 2, "")]
    )  # fmt: skip


def test_the_cost_is_known_before(as_dana: Client) -> None:
    imported()
    text = cost(as_dana, methods=["causal:partial"])
    assert "1 evaluation · 6 questions · 12 texts scored by a model" in text
    assert "time not known yet" in text
    run = evaluated(ReferenceSet.objects.get())
    EvaluationBlock.objects.filter(run=run).update(seconds=120)
    assert "about 2 min" in cost(as_dana)
    assert "time not known yet" not in cost(as_dana)


def test_an_evaluation_that_has_begun_tells_the_time_until_one_has_ended(as_dana: Client) -> None:
    imported()
    slow, ended = (evaluated(ReferenceSet.objects.get()) for _ in range(2))
    EvaluationBlock.objects.filter(run=slow).update(seconds=120)
    EvaluationBlock.objects.filter(run=ended).update(seconds=60)
    Evaluation.objects.filter(pk=slow.pk).update(status=RunStatus.CANCELLED)
    assert "about 1 min" in cost(as_dana)
    ended.delete()
    assert "about 2 min" in cost(as_dana)


def test_the_options_of_a_large_reference_set_are_not_guessed(
    as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "READ_AT_MOST", 5)
    imported()
    text = cost(as_dana, methods=["causal:partial"])
    assert "1 evaluation · at least 6 questions" in text
    assert "12 texts" not in text
    snapshot = SnapshotFactory(finished=True, n_questions=9_000)
    data = [f"snapshot:{snapshot.public_id}:all"]
    text = cost(as_dana, questions=data, methods=["causal:partial"])
    assert "1 evaluation · 9,000 questions · 18,000 texts" in text


def test_what_does_not_fit_together_is_left_out_with_the_reason(
    as_dana: Client, settings: Any
) -> None:
    imported()
    settings.ENCODER_HUB_IDS = ["roberta-*"]
    text = cost(as_dana, methods=["masked:span", "linear:", "majority:"])
    assert "1 evaluation · 6 questions" in text
    assert "Left out: The method “masked language model” needs a masked language model" in text
    assert "Left out: The linear model reads the encoding of a release" in text
    assert "3 evaluations" not in text
    named = cost(as_dana, models=[], other_model="roberta-large", methods=["masked:span"])
    assert "roberta-large · masked language model · the option masked" in named
    assert "What kind of model roberta-large is can be known only when a worker has" in named


def test_a_typed_model_is_known_by_its_configuration_and_methods_follow_it(
    as_dana: Client, settings: Any, tmp_path: Path
) -> None:
    imported()
    settings.ENCODER_FOLDERS = [str(tmp_path)]
    for name, head in (("masked", "BertForMaskedLM"), ("t5", "T5ForConditionalGeneration")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps({"architectures": [head]}))
    named = {"models": [], "methods": [], "other_model": str(tmp_path / "masked")}
    text = cost(as_dana, **named)
    assert "masked is a masked language model, by its configuration here." in text
    assert text.index("the option masked") < text.index("Methods for other models: Causal")
    text = cost(as_dana, **named | {"other_model": str(tmp_path / "t5")})
    assert "t5 is a sequence-to-sequence model, which no method takes" in text
    text = cost(as_dana, **named | {"other_model": "acme/large"})
    assert "is not among those that the operator of this platform permits" in text


def test_methods_are_offered_by_kind_and_those_without_a_model_of_the_kind_are_folded(
    as_dana: Client,
) -> None:
    imported()
    text = source(as_dana.get(reverse("new-evaluations")))
    places = [text.index(f'value="{name}"') for name in (
        "causal:partial", "causal:full", "pmi:", "majority:", "random:", "linear:", "retrieval:",
        "masked:pseudo", "special_word:", "choice:pair", "entailment:",
    )]  # fmt: skip
    assert places == sorted(places)
    folded = "Methods for other models: Masked language models, Models with a multiple-choice head"
    assert text.index("majority:") < text.index(folded) < text.index("masked:pseudo")
    evaluated(ReferenceSet.objects.get(), "majority")
    Evaluation.objects.update(model=TINY_ENCODER, method="masked", variant="pseudo")
    of_masked = chosen(models=[TINY_ENCODER])
    assert folded not in source(as_dana.get(reverse("new-evaluations"), of_masked))  # type: ignore[arg-type]


def test_a_model_is_shown_by_its_short_name_with_the_whole_one(as_dana: Client) -> None:
    imported()
    text = words(as_dana.get(reverse("new-evaluations")))
    assert f"SmolLM2-135M-Instruct.Q4_1 {SMOLLM2}" in text


def test_installed_models_are_offered_with_what_they_can_do(
    as_dana: Client, settings: Any, tmp_path: Path
) -> None:
    imported()
    for name, head in (("roberta-mine", "RobertaForMaskedLM"), ("mini", "BertModel")):
        (tmp_path / name).mkdir()
        config = {"architectures": [head], "model_type": "bert"}
        (tmp_path / name / "config.json").write_text(json.dumps(config))
    (tmp_path / "notes").mkdir()
    settings.ENCODER_FOLDERS = [str(tmp_path), "relative", str(tmp_path / "missing")]
    text = words(as_dana.get(reverse("new-evaluations")))
    assert "roberta-mine" in text
    assert "notes" not in text
    asked = {"methods": ["causal:partial"], "models": [str(tmp_path / "roberta-mine")]}
    assert "1 evaluation" not in cost(as_dana, **asked)
    choices = {choice.spec: choice.kinds for choice in model_choices()}
    assert choices[str(tmp_path / "mini")] == {"pooled"}  # its configuration names no head
    assert "mini an encoder" in text
    assert choices[str(tmp_path / "roberta-mine")] == {"pooled", "masked"}


@pytest.mark.long
def test_only_methods_that_the_form_can_start_are_offered(as_dana: Client, settings: Any) -> None:
    data = imported()
    text = source(as_dana.get(reverse("new-evaluations")))
    assert not any(f'value="{name}:' in text for name in ("ensemble", "predictions", "remote"))
    settings.REMOTE_MODEL_URL = "http://127.0.0.1:1/v1"
    model = "tiny/causal:4"  # a server's own form of a name
    run = evaluated(data)
    Evaluation.objects.filter(pk=run.pk).update(method="remote", variant="partial", model=model)
    text = cost(as_dana, models=[model], methods=["remote:partial", "causal:full"])
    assert "1 evaluation ·" in text
    assert f"{model} · causal language model on a server · text after the option" in text
    assert model in page(as_dana, run)
    assert model in words(comparison(as_dana))
    path = reverse("comparison-file", args=["reference-set", "tiny", "test", "csv"])
    assert model in source(as_dana.get(path))


def test_a_method_that_needs_a_transformation_has_it_once(as_dana: Client) -> None:
    imported()
    text = cost(as_dana, methods=["special_word_causal:partial"], transformations=["", "zero_shot"])
    assert "1 evaluation ·" in text
    text = cost(
        as_dana, methods=["special_word_causal:partial", "majority:"], transformations=["switched"]
    )
    assert "Left out: The method “special word, causal language model” makes" in text
    assert "1 evaluation ·" in text


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"questions": []}, "Choose what to score."),
        ({"methods": []}, "Choose a method."),
        ({"models": [], "methods": ["causal:full"]}, "no chosen model is known to be one"),
        ({"other_model": "no model!"}, "model must be"),
        ({"seeds": "many"}, "Enter whole numbers"),
        ({"methods": ["random:"], "seeds": "1-20", "transformations": ["", "switched"]}, "At most"),
        ({"questions": ["reference-set:other:test"]}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_started_is_said_and_starts_nothing(
    as_dana: Client, changes: dict[str, Any], said: str
) -> None:
    imported()
    response = post(as_dana, **changes)
    assert response.status_code == 400
    assert said in words(response)
    assert not Evaluation.objects.exists()


@pytest.mark.long
def test_a_refused_evaluation_does_not_stop_the_others(as_dana: Client) -> None:
    imported()
    assert post(as_dana).status_code == 302
    assert "under way already" in words(post(as_dana))
    response = as_dana.post(
        reverse("new-evaluations"), chosen(methods=["majority:", "random:"]), follow=True
    )
    assert "1 evaluation is queued." in words(response)
    assert "under way already" in words(response)
    assert Evaluation.objects.count() == 2


def test_the_number_at_a_time_is_limited(as_dana: Client) -> None:
    imported()
    text = cost(as_dana, methods=["random:"], seeds="1-20", transformations=["", "switched"])
    assert f"at most {MOST_RUNS} start at a time" in text


# -- a server --------------------------------------------------------------------------------------
@pytest.fixture
def server(settings: Any) -> str:
    """The address of a server that nobody asks here."""
    settings.REMOTE_MODEL_URL = "http://127.0.0.1:1/v1"
    return str(settings.REMOTE_MODEL_URL)


def remote(**changes: Any) -> dict[str, Any]:
    asked = {"models": [], "methods": ["remote:partial"], "server_model": "llama3:8b"}
    return asked | changes


def test_a_servers_model_is_named_as_the_server_names_it(as_dana: Client, server: str) -> None:
    imported()
    assert "A model on the operator’s server" in words(as_dana.get(reverse("new-evaluations")))
    text = cost(as_dana, **remote(methods=["remote:partial", "causal:full"]))
    assert "1 evaluation ·" in text
    assert "llama3:8b · causal language model on a server" in text
    assert post(as_dana, **remote()).status_code == 302
    assert Evaluation.objects.get().model == "llama3:8b"
    EvaluationFactory(
        release=None, reference_set=ReferenceSet.objects.get(), split="test", method="remote",
        variant="partial", model="qwen3:4b", finished=True,
    )  # fmt: skip
    named = remote(models=["qwen3:4b"], server_model="")
    assert "qwen3:4b · causal language model on a server" in cost(as_dana, **named)


def test_blind_questions_are_sent_only_when_that_is_confirmed(as_dana: Client, server: str) -> None:
    snapshot = SnapshotFactory(finished=True)
    blind = remote(questions=[f"snapshot:{snapshot.public_id}:all"])
    text = cost(as_dana, **blind)
    assert "I confirm that these blind questions may be sent to the server." in text
    assert "the server of the operator would receive each sentence with each option" in text
    assert "Confirm that the server may receive" in words(post(as_dana, **blind))
    assert not Evaluation.objects.exists()
    link = as_dana.get(reverse("new-evaluations"), chosen(**blind, confirm_remote="on"))
    assert 'name="confirm_remote" checked' not in source(link)  # type: ignore[arg-type]
    assert post(as_dana, **blind, confirm_remote="on").status_code == 302
    assert Evaluation.objects.get().remote_confirmed


def test_published_questions_need_no_confirmation(as_dana: Client, server: str) -> None:
    imported()
    assert "I confirm" not in cost(as_dana, **remote())
