"""Ensembles, and predictions made elsewhere."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from evaluation import services
from evaluation.models import Evaluation
from tests.evaluation.methods.calls import run_rows
from tests.evaluation.sets import ITEMS, failure_of, requested, small_set, tiny_model
from tests.factories import EvaluationFactory, ReleaseFactory
from tests.filtering.stages import carried, read, rows
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here

RIGHT = [item.answer for item in ITEMS]


def file(*answers: Any, ids: list[str] | None = None) -> io.BytesIO:
    names = ids or [item.id for item in ITEMS]
    lines = (
        json.dumps({"qID": id, **(a if isinstance(a, dict) else {"prediction": a})})
        for id, a in zip(names, answers, strict=False)
    )
    return io.BytesIO("\n".join(lines).encode())


def stored(content: io.BytesIO, **fields: Any) -> Evaluation:
    asked = {"format": "jsonl", "system_name": "GPT", "by": None} | fields
    if not {"release", "reference_set"} & asked.keys():
        asked["reference_set"] = small_set()
    return services.store_predictions(file=content, **asked)


def test_predictions_made_elsewhere_are_an_evaluation() -> None:
    run = carried(stored(file(*RIGHT[:4], 2, 2), system_name="  GPT \n 4 "))
    assert run.metrics["accuracy"]["value"] == pytest.approx(5 / 6)
    assert run.metrics["group_score"]["value"] == pytest.approx(2 / 3)
    assert run.system == "GPT 4 · predictions made elsewhere"
    assert (run.split, run.report["n_understood"], run.report["read_as"]["format"]) == (
        "test", 6, "jsonl",
    )  # fmt: skip
    [first, *_others] = rows(read(run.predictions))
    assert first == {"qID": "0-1", "prediction": 1, "scores": [1, 0]}


def test_an_answer_missing_or_not_understood_counts_as_wrong_and_not_as_a_tie() -> None:
    run = carried(stored(file(1, "No idea", 1, 2)))
    assert run.metrics["accuracy"]["value"] == pytest.approx(3 / 6)
    assert (run.report["n_missing"], run.report["reasons"]) == (2, {"none_named": 1})
    found = rows(read(run.predictions))
    assert found[1] == {"qID": "0-2", "prediction": None, "scores": None,
                        "unanswered": "missing or not understood"}  # fmt: skip
    assert len(found) == run.metrics["accuracy"]["n"] == 6


def test_the_scores_of_a_file_are_kept() -> None:
    answers = [{"scores": [-1.5, -2.5]}, {"prediction": 2, "scores": [3, 3]}, 1, 2, 1, 2]
    found = rows(read(carried(stored(file(*answers))).predictions))
    assert [row["scores"] for row in found[:2]] == [[-1.5, -2.5], [0, 1]]


@pytest.mark.parametrize(
    ("content", "fields", "sentence"),
    [
        (b"\xff\xff", {}, "The line is not UTF-8 text"),
        (b"no", {}, "The first line must name the columns"),
        (b'{"qID": "0-1", "prediction": 0}', {}, "options are numbered from 1"),
        (b'{"qID": "0-1", "prediction": 1}\n' * 2, {}, "ids must differ"),
        (b"1", {"format": "lines"}, "one line per item"),
        (b"", {"format": "xml"}, "format must be one of"),
        (b"", {"format": ""}, "format must be one of"),
        (b"", {"id_column": "id"}, "columns can be named for the format 'csv' only"),
        (b"", {"size": "xl"}, "size must be one of"),
        (b"", {"format": "winogrande"}, "size must be one of"),
        (b"[" * 100_000, {}, "nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_the_reason(
    content: bytes, fields: dict[str, str], sentence: str
) -> None:
    with pytest.raises(DomainError, match=sentence) as told:
        stored(io.BytesIO(content), **fields)
    assert told.value.code == "predictions_unreadable"
    assert not Evaluation.objects.exists()


def test_a_system_has_a_name_of_at_most_100_characters() -> None:
    data = small_set()
    for name in (" ", "x" * 101):
        with pytest.raises(ValidationError):
            stored(file(*RIGHT), reference_set=data, system_name=name)
    assert stored(file(*RIGHT), reference_set=data, system_name="x" * 100).system_name


def test_a_set_that_is_not_ready_or_not_labelled_is_refused() -> None:
    with pytest.raises(DomainError, match="is not done yet"):
        stored(file(1), release=ReleaseFactory())
    partly = small_set([*ITEMS[:1], replace(ITEMS[1], answer=None)])
    with pytest.raises(DomainError, match="are not all known"):
        stored(file(1), reference_set=partly)


def test_the_same_file_of_two_systems_may_be_scored_at_once() -> None:
    data = small_set()
    stored(file(*RIGHT), reference_set=data)
    stored(file(*RIGHT), reference_set=data, system_name="other")
    with pytest.raises(ValidationError, match="under way already"):
        stored(file(*RIGHT), reference_set=data)


def test_predictions_and_ensembles_are_not_requested_without_what_they_need() -> None:
    data = small_set()
    for method in ("predictions", "ensemble"):
        with pytest.raises(DomainError, match="Name the members of an ensemble"):
            services.evaluate(method=method, reference_set=data, by=None)
    with pytest.raises(IntegrityError, match="have_a_file_and_a_name"), transaction.atomic():
        EvaluationFactory(method="predictions")


def test_the_command_stores_what_it_scores(tmp_path: Path, capsys: Any) -> None:
    small_set()
    path = tmp_path / "p.jsonl"
    path.write_bytes(file(*RIGHT).getvalue())
    call_command("score_predictions", "small", str(path), split="test", store="GPT")
    run = Evaluation.objects.get()
    assert (run.status, run.metrics["accuracy"]["value"]) == ("done", 1)
    assert f"Stored as evaluation {run.public_id} of “GPT”." in capsys.readouterr().out
    with pytest.raises(CommandError, match="at most 100 characters"):
        call_command("score_predictions", "small", str(path), split="test", store="x" * 101)


def test_the_command_stores_each_training_size_of_winograndes_list(tmp_path: Path) -> None:
    small_set()
    path = tmp_path / "predictions.lst"
    path.write_text("1,1,1,1,1\n2,1,2,2,2\n" * 3)
    call_command("score_predictions", "small", str(path), split="test", store="WG")
    values = {run.system_name: run.metrics["accuracy"]["value"] for run in Evaluation.objects.all()}
    assert values == {"WG (xs)": 1, "WG (s)": 0.5, "WG (m)": 1, "WG (l)": 1, "WG (xl)": 1}


def three(data: Any) -> list[Evaluation]:
    """Three systems: all right, one pair wrong, all wrong."""
    answers = [RIGHT, [2, 1, *RIGHT[2:]], [3 - (answer or 0) for answer in RIGHT]]
    return [
        carried(stored(file(*each), reference_set=data, system_name=str(n)))
        for n, each in enumerate(answers)
    ]


def test_the_majority_of_an_ensemble_decides() -> None:
    members = three(small_set())
    run = carried(services.combine(members=members, by=None))
    assert set(run.members.all()) == set(members)
    found = rows(read(run.predictions))
    assert found[0]["scores"] == pytest.approx([1 / 3, 2 / 3])
    assert [row["prediction"] for row in found] == [2, 1, *RIGHT[2:]]
    assert run.data_sha256 == members[0].data_sha256
    assert carried(services.combine(members=members[:2], by=None)).metrics["accuracy"]["value"] == (
        pytest.approx(5 / 6)  # ties share
    )


def test_a_member_without_an_answer_votes_for_nobody() -> None:
    data = small_set()
    silent = carried(stored(file(1), reference_set=data, system_name="silent"))
    voting = carried(stored(file(*RIGHT), reference_set=data))
    run = carried(services.combine(members=[silent, voting], by=None))
    assert [row["prediction"] for row in rows(read(run.predictions))] == RIGHT


def test_log_probabilities_are_averaged(tmp_path: Path, settings: Any) -> None:
    data, spec = small_set(), tiny_model(tmp_path, settings)
    runs = [run_rows(spec, data=data, variant=variant)[0] for variant in ("partial", "full")]
    made = services.combine(members=runs, variant="mean_log_probability", by=None)
    found = rows(read(carried(made).predictions))
    both = [rows(read(run.predictions)) for run in runs]
    for row, *members in zip(found, *both, strict=True):
        shares = [np.exp(m["scores"]) / np.exp(m["scores"]).sum() for m in members]
        assert row["scores"] == pytest.approx(np.log(shares).mean(axis=0).tolist(), abs=1e-6)
    vote = services.evaluate(reference_set=data, method="random", by=None)
    with pytest.raises(DomainError, match="are no log-probabilities"):
        services.combine(members=[*runs, carried(vote)], variant="mean_log_probability", by=None)


def test_members_have_scored_the_same_questions() -> None:
    [first, *_others] = three(small_set())
    first.reference_set.name = "first"
    first.reference_set.save()
    other = carried(stored(file(*RIGHT[:4]), reference_set=small_set(ITEMS[:4])))
    with pytest.raises(DomainError, match="has scored other questions"):
        services.combine(members=[first, other], by=None)


def test_a_member_that_changes_meanwhile_fails_the_ensemble() -> None:
    members = three(small_set())
    run = services.combine(members=members, by=None)
    Evaluation.objects.filter(pk=members[1].pk).update(data_sha256="0" * 64)
    execute_here(run)
    assert "has scored other questions" in failure_of(run)


def test_an_ensemble_has_two_members_that_are_done(tmp_path: Path, settings: Any) -> None:
    data = small_set()
    done = carried(stored(file(*RIGHT), reference_set=data))
    with pytest.raises(DomainError, match="at least two different members"):
        services.combine(members=[done, done], by=None)
    waiting = requested(tiny_model(tmp_path, settings), data=data)
    with pytest.raises(DomainError, match="is not done"):
        services.combine(members=[done, waiting], by=None)
    with pytest.raises(ValidationError, match="The variant is one of"):
        services.combine(members=[done, carried(stored(file(1), reference_set=data))],
                         variant="mode", by=None)  # fmt: skip


@pytest.mark.long
def test_the_members_of_special_words_that_dropped_different_items_are_refused(
    tmp_path: Path, settings: Any
) -> None:
    data = small_set([*ITEMS, *[replace(item, id=f"x{item.id}", group="x",
                                        sentence=item.sentence.replace("small", "enormous"))
                                for item in ITEMS[:2]]])  # fmt: skip
    masked = run_rows(tiny_model(tmp_path, settings, "masked"), method="special_word", data=data)[0]
    assert masked.dropped == {"special words: unknown word": 2}
    causal = services.evaluate(
        reference_set=data, method="random", transformation="zero_shot", by=None
    )
    run = services.combine(members=[masked, carried(causal)], by=None)
    execute_here(run)
    assert "scorers must have the same ids" in failure_of(run)
    twice = services.combine(members=[masked, carried_again(masked)], by=None)
    assert carried(twice).dropped == {"left out by every member": 2}


def carried_again(run: Evaluation) -> Evaluation:
    return carried(
        services.evaluate(
            reference_set=run.reference_set, method=run.method, model=run.model, by=None
        )
    )
