"""Predictions made elsewhere and ensembles, in the browser."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from evaluation.models import Evaluation
from tests.corpora.sets import imported
from tests.evaluation.done import evaluated
from tests.evaluation.methods.test_corpora import CORPUS, YELLED
from tests.evaluation.sets import small_set
from tests.factories import UserFactory
from tests.frontend.pages import source, words
from winoplatform.artifacts import store
from winoplatform.runs.kinds import execute_here
from workers.models import User

TINY = "reference-set:tiny:test"
ANSWERS = """{"qID": "a-1", "prediction": "the cup"}
{"qID": "a-2", "prediction": "I cannot say"}
{"qID": "b-1", "prediction": 1}
{"qID": "z-9", "prediction": 1}
"""


def read(client: Client, content: str = ANSWERS, name: str = "out.jsonl", **fields: Any) -> Any:
    file = SimpleUploadedFile(name, content.encode())
    asked = {"questions": TINY, "system_name": "GPT", "file": file} | fields
    return client.post(reverse("new-predictions"), asked)


def keep(client: Client, response: HttpResponse) -> HttpResponse:
    checked = response.context["checked"]  # type: ignore[attr-defined]
    return client.post(reverse("store-predictions"), {"checked": checked})  # type: ignore[return-value]


@pytest.mark.long
def test_what_was_not_understood_is_shown_before_anything_is_stored(as_dana: Client) -> None:
    imported()
    response = read(as_dana)
    text = words(response)
    assert "out.jsonl, by GPT" in text
    assert "Read as JSON lines" in text
    assert "2 of 6 questions" in text
    assert "1: It says that the question cannot be answered. a-2 “I cannot say”" in text
    assert "No answer 3: b-2 c-1 c-2" in text
    assert "Unknown ids 1: z-9" in text
    assert not Evaluation.objects.exists()
    made = keep(as_dana, response)
    run = Evaluation.objects.get()
    assert made["Location"] == reverse("evaluation", args=[run.public_id])
    execute_here(run)
    text = words(as_dana.get(made["Location"]))  # type: ignore[arg-type]
    assert "GPT · predictions made elsewhere" in text
    assert "not answered, which counts as wrong" in text
    assert "It says that the question cannot be answered." in text


@pytest.mark.long
@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"name": "out.dat"}, "format", "choose it"),
        ({"name": "out.lst"}, "size", "Choose the training size"),
        ({"size": "xl"}, "size", "Only WinoGrande’s list"),
        ({"content": "{"}, "file", "line 1: The line is not valid JSON"),
        ({"system_name": ""}, "system_name", "required"),
        ({"questions": "reference-set:other:test"}, "questions", "valid choice"),
        ({"file": ""}, "file", "required"),
    ],
)
def test_a_file_that_cannot_be_read_is_said_at_its_field(
    as_dana: Client, fields: dict[str, Any], field: str, said: str
) -> None:
    imported()
    response = read(as_dana, **fields)
    assert response.status_code == 400
    assert said in response.context["form"].errors[field][0]


def test_a_table_is_read_by_its_columns(as_dana: Client) -> None:
    imported()
    asked = {"name": "out.csv", "id_column": "key", "prediction_column": "said"}
    response = read(as_dana, "key,said\na-1,the cup\n", **asked)
    assert "1 of 6 questions" in words(response)
    assert keep(as_dana, response).status_code == 302
    assert Evaluation.objects.get().report["read_as"]["id_column"] == "key"  # type: ignore[index]


def test_only_the_curator_who_read_a_file_can_store_it_and_only_that_file(
    as_dana: Client, browse: Callable[[User], Client]
) -> None:
    imported()
    response = read(as_dana)
    keep(browse(UserFactory(curator=True)), response)
    other = store.put_bytes(b"{}").sha256
    for forged in ("", "x", other, response.context["checked"][:-1] + "x"):
        as_dana.post(reverse("store-predictions"), {"checked": forged})
    assert not Evaluation.objects.exists()


# -- ensembles -------------------------------------------------------------------------------------
PLACE = ["reference-set", "tiny", "test"]


@pytest.mark.long
def test_finished_evaluations_of_the_same_questions_are_combined(as_dana: Client) -> None:
    data = imported()
    runs = [evaluated(data), evaluated(data, "random"), evaluated(data, "random", seed=1)]
    link = reverse("new-ensemble", args=PLACE)
    assert link in source(as_dana.get(reverse("comparison", args=PLACE)))  # type: ignore[arg-type]
    assert "vote only" in words(as_dana.get(link))  # type: ignore[arg-type]
    members = [str(run.public_id) for run in runs]
    made = as_dana.post(link, {"members": members, "variant": "vote"})
    ensemble = Evaluation.objects.get(method="ensemble")
    assert made["Location"] == reverse("evaluation", args=[ensemble.public_id])
    assert set(ensemble.members.all()) == set(runs)
    execute_here(ensemble)
    text = words(as_dana.get(reverse("comparison", args=PLACE)))  # type: ignore[arg-type]
    assert "ensemble · majority vote" in text


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "variant", "said"),
    [
        (0, "vote", "Choose at least two systems."),
        (1, "vote", "at least two different members"),
        (2, "mean_log_probability", "are no log-probabilities"),
    ],
)
def test_what_cannot_be_combined_is_said_and_the_choice_kept(
    as_dana: Client, n: int, variant: str, said: str
) -> None:
    data = imported()
    members = [str(evaluated(data, "random", seed=seed).public_id) for seed in range(2)][:n]
    sent = {"members": members, "variant": variant}
    response: Any = as_dana.post(reverse("new-ensemble", args=PLACE), sent)
    assert response.status_code == 400
    assert said in words(response)
    assert source(response).count(" checked") == n + 1


# -- evidence --------------------------------------------------------------------------------------
def test_the_evidence_of_an_answer_is_shown_to_curators(
    as_dana: Client, as_carol: Client, tmp_path: Any, settings: Any
) -> None:
    settings.CORPUS_FILE = str(tmp_path / "corpus.txt")
    (tmp_path / "corpus.txt").write_text(" ".join(CORPUS))
    unknown = replace(YELLED, id="n", group="n", sentence="Ann sang to Joan because _ was late.")
    run = evaluated(small_set([YELLED, unknown], is_public=True), "retrieval")
    path = reverse("evaluation", args=[run.public_id])
    text = words(as_dana.get(path))  # type: ignore[arg-type]
    assert "1 passage of the corpus" in text
    assert CORPUS[0] in text
    assert "For: Ann · query: yell + upset · rule: same word" in text
    assert "No evidence:" in text
    others = words(as_carol.get(path))  # type: ignore[arg-type]
    assert "Ann (answer)" in others
    assert CORPUS[0] not in others
