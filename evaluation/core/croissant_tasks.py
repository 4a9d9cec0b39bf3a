"""The evaluation of a release in the terms of Croissant Tasks (JSON-LD).

*Source*: MLCommons Croissant, ``tasks/croissant-tasks.ttl`` and its shapes: what a task gives is a
concrete thing, such as a data set, and what a solution has to bring is a specification.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from corpora.core.bundle import layout
from evaluation.core.paper_kit.facts import PositionBaseline
from stats.intervals import Estimate

ACCURACY = "accuracy"
PAIR_ACCURACY = "pair accuracy"
_CONTEXT = {
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "cr:dataType": {"@type": "@vocab"},
    "cr:environment": {"@type": "@id"},
    "contentUrl": {"@type": "@id"},
    "isBasedOn": {"@type": "@id"},
    "subjectOf": {"@type": "@id"},
    "url": {"@type": "@id"},
}
_LIKELIHOOD = (
    "Each option is put in place of the blank, and the option is chosen with which a model finds "
    "the text after the blank more likely (partial scoring). A tie counts one half."
)
_ANSWERS = (
    "A model is asked for the number of the right option, and writes its most likely words. The "
    "first 1 or 2 that stands alone is its answer; without one the answer is wrong."
)
_BLIND = (
    "The labels are secret. A file of predictions is scored where the release was published; what "
    "reads the questions, and how, is free."
)
_NOISE = (
    "Each score has random noise, so that scores do not tell labels; its ends are those of a 95 % "
    "interval, which includes the noise."
)
_METRICS = (
    "accuracy: the share of right answers. pair accuracy: the share of complete pairs with both "
    "answers right."
)


@dataclass(frozen=True, slots=True)
class SystemScores:
    """A system that was scored on the blind test.

    Parameters
    ----------
    key : str
        What names it in addresses.
    name : str
    link : str
        An address, or empty.
    date : str
        ISO 8601.
    accuracy : Estimate
        A share, from 0 to 1, with noise; its interval includes the noise.
    pair_accuracy : Estimate, or None
    """

    key: str
    name: str
    link: str
    date: str
    accuracy: Estimate
    pair_accuracy: Estimate | None


@dataclass(frozen=True, slots=True)
class ReleasePlaces:
    """Where a release is on the web.

    Parameters
    ----------
    page : str
        The address of its page.
    description : str
        That of its Croissant description.
    base_url : str
        That of the folder with its files, without a slash at the end.
    files : collection of str
        The names of its public files.
    """

    page: str
    description: str
    base_url: str
    files: Collection[str]

    def addresses(self, *names: str) -> list[str]:
        """Return the addresses of those of some files that the release has."""
        return [f"{self.base_url}/{name}" for name in names if name in self.files]


def croissant_tasks(
    metadata: Mapping[str, Any],
    *,
    places: ReleasePlaces,
    baseline: PositionBaseline | None = None,
    systems: Collection[SystemScores] = (),
) -> dict[str, Any]:
    """Return the tasks of a release of questions, with the solutions that are known.

    Parameters
    ----------
    metadata : mapping
        The release's Croissant description.
    places : ReleasePlaces
    baseline : PositionBaseline, optional
        None where training or dev has no questions.
    systems : collection of SystemScores
        Those of the leaderboard.

    Returns
    -------
    dict
        JSON-LD: a TaskProblem for each protocol whose task the release has, and for the blind test
        if it has one. Each TaskSolution has an EvaluationTask with its results.
    """
    sets = {str(one["name"]) for one in metadata.get("recordSet", ())}
    name = str(metadata.get("alternateName", metadata["name"]))
    of_dev = [*_protocols(name, places)] if layout.DEV in sets else []
    of_blind = [_blind_test(places)] if layout.BLIND in sets else []
    graph = [_release(metadata, places)]
    for stem, problems in ((layout.DEV, of_dev), (layout.BLIND, of_blind)):
        if problems:
            graph += [_questions(stem, places), _predictions(stem, places), *problems]
    if of_dev and baseline is not None:
        graph += _solutions(_baselines(baseline), of_dev, layout.DEV, places)
    if of_blind:
        graph += _solutions(map(_system, systems), of_blind, layout.BLIND, places)
    return {"@context": _CONTEXT, "@graph": graph}


def _release(metadata: Mapping[str, Any], places: ReleasePlaces) -> dict[str, Any]:
    told = ("name", "alternateName", "description", "version", "license", "creativeWorkStatus")
    return {
        "@id": places.page,
        "@type": "Dataset",
        **{key: metadata[key] for key in told if key in metadata},
        "url": places.page,
        "subjectOf": places.description,
    }


def _questions(stem: str, places: ReleasePlaces) -> dict[str, Any]:
    """Return the questions of a split, which a task gives."""
    return {
        "@id": _in(places, stem),
        "@type": "Dataset",
        "name": stem,
        "isPartOf": {"@id": places.page},
        "distribution": [
            {"@type": "DataDownload", "contentUrl": address}
            for address in places.addresses(layout.jsonl(stem), layout.parquet(stem))
        ],
    }


def _predictions(stem: str, places: ReleasePlaces) -> dict[str, Any]:
    """Return what a solution has to bring."""
    records = _in(places, f"{stem}-predictions-records")
    columns = {"qID": "Text", "prediction": "Integer"}
    return {
        "@id": _in(places, f"{stem}-predictions"),
        "@type": "cr:OutputSpec",
        "description": f"1 or 2, the number of the chosen option, for each question of {stem}.",
        "cr:schema": {
            "@id": records,
            "@type": "cr:RecordSet",
            "name": f"{stem}-predictions",
            "cr:field": [
                {
                    "@id": f"{records}/{name}",
                    "@type": "cr:Field",
                    "name": name,
                    "cr:dataType": kind,
                }
                for name, kind in columns.items()
            ],
        },
    }


def _protocols(name: str, places: ReleasePlaces) -> Iterator[dict[str, Any]]:
    """Yield the protocols on dev for which the release has a task."""
    likelihood = places.addresses(layout.harness_task(name))
    if likelihood:
        yield _problem("likelihood", layout.DEV, _LIKELIHOOD, likelihood, places)
    answers = places.addresses(
        layout.harness_task(layout.answers(name)), layout.INSPECT, layout.BENCHMARK
    )
    if answers:
        yield _problem("answers", layout.DEV, _ANSWERS, answers, places)


def _blind_test(places: ReleasePlaces) -> dict[str, Any]:
    return _problem("blind-test", layout.BLIND, _BLIND, [], places)


def _problem(
    key: str, stem: str, text: str, tasks: list[str], places: ReleasePlaces
) -> dict[str, Any]:
    scorer = places.addresses(layout.SCORER) if stem == layout.DEV else []
    return {
        "@id": _in(places, key),
        "@type": "cr:TaskProblem",
        "name": f"{key} ({stem})",
        "description": text,
        "cr:input": {"@id": _in(places, stem)},
        "cr:output": {"@id": _in(places, f"{stem}-predictions")},
        "cr:implementation": {
            "@id": _in(places, f"{key}-system"),
            "@type": "cr:ImplementationSpec",
            "name": "A system that chooses one of two options",
            **({"cr:environment": tasks} if tasks else {}),
        },
        "cr:evaluation": {
            "@id": _in(places, f"{key}-metrics"),
            "@type": "cr:EvaluationSpec",
            "description": _METRICS if stem == layout.DEV else f"{_METRICS} {_NOISE}",
            **({"url": scorer} if scorer else {}),
        },
    }


@dataclass(frozen=True, slots=True)
class _Solution:
    """A solution: what names it, what it is, and its results."""

    key: str
    system: Mapping[str, Any]
    about: Mapping[str, Any]
    results: Mapping[str, Estimate]


def _baselines(position: PositionBaseline) -> Iterator[_Solution]:
    def exact(value: float, n: int) -> Estimate:
        return Estimate(value, None, None, n)

    pairs, n = position.pairs, position.questions
    chance = {ACCURACY: exact(0.5, n), PAIR_ACCURACY: exact(0.25, pairs)}
    always = {ACCURACY: exact(position.right / n, n)}
    if pairs:
        always[PAIR_ACCURACY] = exact(position.right_pairs / pairs, pairs)
    else:
        del chance[PAIR_ACCURACY]
    yield _Solution(
        "chance",
        {"name": "A random guess"},
        {"description": "The scores that are expected; the two guesses of a pair are independent."},
        chance,
    )
    yield _Solution(
        "position",
        {"name": f"Always option {position.option}"},
        {"description": "The option that is right at least as often in the full training set."},
        always,
    )


def _system(one: SystemScores) -> _Solution:
    pairs = {} if one.pair_accuracy is None else {PAIR_ACCURACY: one.pair_accuracy}
    link = {"url": one.link} if one.link else {}
    return _Solution(
        f"system-{one.key}",
        {"name": one.name, **link},
        {"dateCreated": one.date, "description": _NOISE},
        {ACCURACY: one.accuracy, **pairs},
    )


def _solutions(
    scored: Iterable[_Solution], problems: list[dict[str, Any]], stem: str, places: ReleasePlaces
) -> Iterator[dict[str, Any]]:
    """Yield each solution, which solves all of some problems, and its evaluation."""
    for one in scored:
        solution, evaluation = _in(places, one.key), _in(places, f"{one.key}-evaluation")
        yield {
            "@id": solution,
            "@type": "cr:TaskSolution",
            "name": one.system["name"],
            "isBasedOn": [problem["@id"] for problem in problems],
            "cr:input": {"@id": _in(places, stem)},
            "cr:implementation": {"@type": "SoftwareApplication", **one.system},
            "cr:evaluation": {"@id": evaluation},
        }
        yield {
            "@id": evaluation,
            "@type": "cr:EvaluationTask",
            **one.about,
            "cr:evaluatedSolution": {"@id": solution},
            "cr:evaluationResults": [_result(*each) for each in one.results.items()],
        }


def _result(metric: str, figure: Estimate) -> dict[str, Any]:
    ends = {"minValue": figure.low, "maxValue": figure.high}
    return {
        "@type": "cr:EvaluationResult",
        "cr:metric": metric,
        "cr:value": {
            "@type": "QuantitativeValue",
            "value": figure.value,
            **{name: end for name, end in ends.items() if end is not None},
        },
    }


def _in(places: ReleasePlaces, key: str) -> str:
    return f"{places.page}#{key}"
