"""One command scores a set in this process and prints the figures."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import Evaluation
from modeling.specs import SMOLLM2
from tests.corpora.sets import imported
from tests.data_dir import data_dir, needs_data
from tests.evaluation.knowledge_sets import POSITIONS, problems, reasons, release_of
from tests.evaluation.sets import small_set, tiny_model
from tests.factories import ReleaseFactory
from tests.filtering.stages import frozen, snapshot_of


def test_the_command_prints_the_figures(
    tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    small_set()
    model = tiny_model(tmp_path, settings)
    call_command("evaluate", "small", method="causal", model=model, variant="full")
    title, warning, accuracy, group_score, chance, end = capsys.readouterr().out.splitlines()
    assert title == "causal · causal language model · whole sentence · small test"
    assert warning.startswith("Warning: The language-model head is at chance level")
    run = Evaluation.objects.get()
    assert accuracy.startswith(f"accuracy     {run.metrics['accuracy']['value']:.1%} (")
    assert accuracy.endswith(", n = 6)")
    assert group_score.startswith("group score  ")
    assert chance == "chance       50.0% (n = 6)"
    assert end.endswith(f"evaluation {run.public_id}")


@pytest.mark.long
def test_the_command_asks_about_the_statements_of_a_knowledge_release_and_about_reasons(
    tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    release_of(problems(2))
    reasons(10)
    model = tiny_model(tmp_path, settings, positions=POSITIONS)
    for data in ("known", "winowhy"):
        call_command("evaluate", data, method="causal", model=model)
        printed = capsys.readouterr().out
        assert printed.startswith(f"causal · causal language model · {data} all\n")
        assert "Measured here" not in printed
        assert ", n = " in printed


def test_the_command_finds_a_snapshot_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    snapshot = snapshot_of(frozen(pairs=2))
    call_command("evaluate", str(snapshot.public_id), method="random")
    assert f"random answers · {snapshot.public_id} all\n" in capsys.readouterr().out


def test_a_failed_evaluation_ends_the_command_with_its_sentence(
    tmp_path: Path, settings: Any
) -> None:
    small_set()
    model = tiny_model(tmp_path, settings, "masked")
    (Path(model) / "model.safetensors").unlink()
    with pytest.raises(CommandError, match=r"has no model\.safetensors"):
        call_command("evaluate", "small", method="masked", model=model)
    assert Evaluation.objects.get().status == "failed"


def test_a_model_that_lacks_the_head_is_refused_before_the_start(
    tmp_path: Path, settings: Any
) -> None:
    small_set()
    model = tiny_model(tmp_path, settings, "masked")
    with pytest.raises(CommandError, match="needs a causal language model"):
        call_command("evaluate", "small", method="causal", model=model)
    assert not Evaluation.objects.exists()


@pytest.mark.parametrize(
    ("data", "options", "sentence"),
    [
        ("none", {"method": "random"}, "There is no reference set, release or snapshot “none”."),
        ("small", {"method": "causal"}, "This method needs a model."),
        ("small", {"method": "random", "split": "dev"}, "has no split “dev”"),
        ("both", {"method": "random"}, "A reference set and a release are called “both”"),
    ],
)
def test_a_request_that_cannot_be_met_is_a_sentence(
    data: str, options: dict[str, str], sentence: str
) -> None:
    small_set()
    if data == "both":
        imported("both")
        ReleaseFactory(name="both", finished=True)
    with pytest.raises(CommandError, match=sentence):
        call_command("evaluate", data, **options)


@pytest.mark.long
@needs_data
@pytest.mark.parametrize(("variant", "expected"), [("partial", 0.623), ("full", 0.560)])
def test_smollm2_on_wsc273(variant: str, expected: float) -> None:
    path = data_dir() / "wsc" / "wsc273.txt"
    call_command("import_reference_set", "wsc273", f"test={path}", format="wsc273")
    call_command("evaluate", "wsc273", method="causal", variant=variant, model=SMOLLM2)
    found = Evaluation.objects.get().metrics["accuracy"]
    assert found["value"] == pytest.approx(expected, abs=0.008)
