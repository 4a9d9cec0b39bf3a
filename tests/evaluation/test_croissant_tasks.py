"""Croissant Tasks of a release: valid by the vocabulary's shapes, and true of release and board."""

import json
from typing import Any

import pyshacl
import pytest
from django.test import Client
from django.urls import reverse
from rdflib import RDF, SH, BNode, Graph, Namespace
from rdflib.collection import Collection

from corpora.core.bundle.documents import documents
from corpora.models import Release
from evaluation import services
from evaluation.core.croissant_tasks import ReleasePlaces, croissant_tasks
from evaluation.core.paper_kit.facts import PositionBaseline
from evaluation.models import Submission
from tests.corpora.core.bundle.releases import manifest_of, small_release
from tests.data_dir import data_dir
from tests.evaluation.boards import board_of, predictions, released
from tests.factories import UserFactory
from tests.frontend.published import lines, published

CR = Namespace("http://mlcommons.org/croissant/")
SHAPES = data_dir() / "croissant" / "croissant-tasks-shapes.ttl"
needs_shapes = pytest.mark.skipif(not SHAPES.is_file(), reason=f"needs {SHAPES}")
POSITION = PositionBaseline(option=2, right=3, questions=4, right_pairs=1, pairs=2)
PAGE = "https://e.org/releases/small-1/"


def shapes() -> Graph:
    """Return the published shapes, with one that SHACL cannot read in a form that it can.

    "A property that is a spec class" is written there as a property shape without a path, with one
    alternative for each property. Here each alternative asks for one value of its class.
    """
    graph = Graph().parse(SHAPES)
    of_problems = CR.TaskProblemShape
    (broken,) = (
        one for one in graph.objects(of_problems, SH.property) if (one, SH.path, None) not in graph
    )
    alternatives = []
    for one in Collection(graph, graph.value(broken, SH["or"])):
        value, asked, shape = BNode(), BNode(), BNode()
        graph.add((value, SH["class"], graph.value(one, SH["class"])))
        graph.add((asked, SH.path, graph.value(one, SH.path)))
        graph.add((asked, SH.qualifiedValueShape, value))
        graph.add((asked, SH.qualifiedMinCount, graph.value(broken, SH.minCount)))
        graph.add((shape, RDF.type, SH.NodeShape))
        graph.add((shape, SH.property, asked))
        alternatives.append(shape)
    graph.remove((of_problems, SH.property, broken))
    either = BNode()
    Collection(graph, either, alternatives)
    graph.add((of_problems, SH["or"], either))
    return graph


def faults(tasks: dict[str, Any]) -> str:
    """Return what the shapes find wrong; nothing if all of it is right.

    Without the ontology: by it a TaskProblem is a Task too, of which the shapes ask that its
    evaluation has no EvaluationSpec, while they allow one to a TaskProblem.
    """
    data = Graph().parse(data=json.dumps(tasks), format="json-ld")
    is_right, _, text = pyshacl.validate(data, shacl_graph=shapes(), inference="none")
    return "" if is_right else text


def of_bundle(**more: Any) -> dict[str, Any]:
    """Return the tasks of a release that has every protocol, and a blind test."""
    found = documents(manifest_of(small_release()))
    places = ReleasePlaces(PAGE, f"{PAGE}croissant.json", f"{PAGE}files", {*found, "dev.jsonl"})
    return croissant_tasks(json.loads(found["croissant.json"]), places=places, **more)


def of_kind(tasks: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {
        one["@id"].rpartition("#")[2]: one
        for one in tasks["@graph"]
        if one["@type"] == f"cr:{kind}"
    }


def scores(tasks: dict[str, Any], key: str) -> dict[str, Any]:
    results = of_kind(tasks, "EvaluationTask")[f"{key}-evaluation"]["cr:evaluationResults"]
    return {one["cr:metric"]: one["cr:value"] for one in results}


pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")


@needs_shapes
def test_the_shapes_accept_the_tasks() -> None:
    assert faults(of_bundle(baseline=POSITION)) == ""
    assert faults(of_bundle()) == ""


@needs_shapes
@pytest.mark.parametrize(
    ("kind", "key", "said"),
    [
        ("TaskProblem", None, "at least one property|OrConstraint"),
        ("TaskSolution", "isBasedOn", "linked to a TaskProblem"),
        ("TaskSolution", "cr:implementation", "OrConstraint"),
        ("EvaluationTask", "cr:evaluatedSolution", "exactly one TaskSolution"),
    ],
)
def test_the_shapes_find_what_is_missing(kind: str, key: str | None, said: str) -> None:
    """Else the test above could not fail."""
    tasks = of_bundle(baseline=POSITION)
    one = next(iter(of_kind(tasks, kind).values()))
    for name in [key] if key else ["cr:output", "cr:implementation"]:
        del one[name]
    found = faults(tasks)
    assert any(words in found for words in said.split("|")), found


def test_there_is_a_problem_for_each_protocol_that_the_release_has() -> None:
    tasks = of_bundle(baseline=POSITION)
    problems = of_kind(tasks, "TaskProblem")
    assert [*problems] == ["likelihood", "answers", "blind-test"]
    environments = {
        key: [address.rpartition("files/")[2] for address in one["cr:implementation"].get(
            "cr:environment", [])]
        for key, one in problems.items()
    }  # fmt: skip
    assert environments == {
        "likelihood": ["harness/small-1.yaml"],
        "answers": ["harness/small-1_answers.yaml", "inspect/answers.py", "eval.yaml"],
        "blind-test": [],
    }


def test_baselines_are_solutions_of_the_tasks_on_dev_alone() -> None:
    tasks = of_bundle(baseline=POSITION)
    problems = [f"{PAGE}#likelihood", f"{PAGE}#answers"]
    solutions = of_kind(tasks, "TaskSolution")
    assert {key: one["isBasedOn"] for key, one in solutions.items()} == {
        "chance": problems, "position": problems,
    }  # fmt: skip
    values = {key: one["value"] for key, one in scores(tasks, "position").items()}
    assert values == {"accuracy": 0.75, "pair accuracy": 0.5}
    assert of_kind(of_bundle(), "TaskSolution") == {}


def test_without_pairs_and_without_dev_nothing_is_said_of_them() -> None:
    unpaired = PositionBaseline(option=1, right=1, questions=2, right_pairs=0, pairs=0)
    assert {*scores(of_bundle(baseline=unpaired), "chance")} == {"accuracy"}
    found = documents(manifest_of(small_release(dev=[], test=[])))
    places = ReleasePlaces(PAGE, f"{PAGE}croissant.json", f"{PAGE}files", {*found})
    tasks = croissant_tasks(json.loads(found["croissant.json"]), places=places, baseline=POSITION)
    assert [one["@type"] for one in tasks["@graph"]] == ["Dataset"]


def tasks_page(release: Release) -> dict[str, Any]:
    response = Client().get(reverse("release-tasks", args=[release.name]))
    assert response.status_code == 200
    assert response["Content-Type"] == "application/ld+json"
    return dict(response.json())


@pytest.mark.long
@needs_shapes
def test_a_stranger_reads_the_tasks_of_a_public_release(db: None) -> None:
    release = published()
    tasks = tasks_page(release)
    assert faults(tasks) == ""
    dev = lines(release, "dev.jsonl")
    values = {key: one["value"] for key, one in scores(tasks, "position").items()}
    option = of_kind(tasks, "TaskSolution")["position"]["name"][-1]
    assert values["accuracy"] == sum(row["answer"] == option for row in dev) / len(dev)
    address = tasks["@graph"][1]["distribution"][0]["contentUrl"]
    assert Client().get(address.removeprefix("http://testserver")).status_code == 200


@pytest.mark.long
@needs_shapes
def test_each_submission_is_a_solution_with_the_noisy_scores_of_the_board(db: None) -> None:
    release = released()
    Release.objects.filter(pk=release.pk).update(is_public=True)
    board_of(release)
    by = UserFactory()
    services.submit(
        release=release, by=by, file=predictions(release, wrong=20), file_name="a.lst", format="",
        system='Model </script> "x"', link="https://example.org/paper",
    )  # fmt: skip
    row = Submission.objects.get()
    tasks = tasks_page(release)
    assert faults(tasks) == ""
    solution = of_kind(tasks, "TaskSolution")[f"system-{row.public_id}"]
    assert solution["isBasedOn"] == [f"http://testserver/releases/{release.name}/#blind-test"]
    assert solution["cr:implementation"]["url"] == "https://example.org/paper"
    accuracy = scores(tasks, f"system-{row.public_id}")["accuracy"]
    assert accuracy["value"] == row.accuracy
    assert accuracy["minValue"] <= row.accuracy <= accuracy["maxValue"]
    assert by.username not in json.dumps(tasks)
