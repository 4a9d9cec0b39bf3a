"""Who is who in two releases, as an outsider guesses it who has all public files of both."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.stats import poisson

Files = Mapping[str, str]
Link = tuple[str, str]
PEOPLE = 50
TIMES = ("seconds_local", "seconds")
# What an outsider expects of anybody: a mean with the weight of this many votes.
PRIOR = 8
RARE = 1e-5


@dataclass(frozen=True, slots=True)
class Work:
    """What stands beside one name: the places of its lines, texts, and values by feature."""

    places: list[int]
    texts: list[tuple[str, ...]]
    values: dict[str, list[float]]


def votes_by_name(
    files: Files,
    *,
    of: Collection[str] | None = None,
    called: Callable[[str], str] = str,
) -> dict[str, Work]:
    """The votes of each validator's name, in the order of the file; *of* these sentences alone.

    *called* is what the release had called a name, for controls.
    """
    shown = _questions(files)
    names: dict[str, Work] = {}
    for place, vote in enumerate(_rows(files["provenance/votes.jsonl"])):
        question = shown[vote["qID"]]
        if of is not None and question["sentence"] not in of:
            continue
        work = names.setdefault(called(vote["validator"]), Work([], [], defaultdict(list)))
        work.places.append(place)
        options = (_option(question, vote[name]) for name in ("option", "local_option"))
        work.texts.append((question["sentence"], str(vote["ambiguous"]), *options))
        work.values["right"].append(str(vote["option"]) == question["answer"])
        work.values["unclear"].append(vote["ambiguous"])
        work.values["guesses"].append(vote["local_option"] is not None)
        for name in TIMES:
            if vote.get(name):
                work.values[name].append(float(np.log(vote[name])))
    return names


def twins_by_name(files: Files) -> dict[str, Work]:
    """The questions of each writer's name."""
    shown = _questions(files)
    names: dict[str, Work] = {}
    for place, about in enumerate(_rows(files["provenance/questions.jsonl"])):
        work = names.setdefault(about["writer"], Work([], [], defaultdict(list)))
        work.places.append(place)
        work.texts.append((shown[about["qID"]]["sentence"],))
        if about.get("seconds"):
            work.values["seconds"].append(float(np.log(about["seconds"])))
    return names


def sentences(files: Files) -> set[str]:
    return {row["sentence"] for row in _questions(files).values()}


def by_name(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    """Names that both releases have."""
    return [(name, name) for name in one if name in other]


def by_order(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    """The names in the order in which they first stand in the file."""
    return list(zip(*(sorted(of, key=lambda name: of[name].places[0]) for of in (one, other)),
                    strict=False))  # fmt: skip


def by_spelling(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    """The names in alphabetical order, as numbered ones would stand."""
    return list(zip(sorted(one), sorted(other), strict=False))


def by_count(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    return _nearest(one, other, _count_distance(one, other))


def by_times(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    return _nearest(one, other, _distance(one, other, TIMES))


def by_habits(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    """How often a name is right, finds a question ambiguous, and answers the local context."""
    return _nearest(one, other, _distance(one, other, ("right", "unclear", "guesses")))


def by_all(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    features = ("right", "unclear", "guesses", *TIMES)
    return _nearest(one, other, _count_distance(one, other) + _distance(one, other, features))


def by_answers(one: Mapping[str, Work], other: Mapping[str, Work]) -> list[Link]:
    """The same answers about the same sentences."""
    said = [set(work.texts) for work in one.values()]
    again = [set(work.texts) for work in other.values()]
    same = np.array([[len(a & b) for b in again] for a in said], float)
    links = _nearest(one, other, -same)
    places = {name: at for at, name in enumerate(one)}, {name: at for at, name in enumerate(other)}
    return [link for link in links if same[places[0][link[0]], places[1][link[1]]] > 0]


Attack = Callable[[Mapping[str, Work], Mapping[str, Work]], list[Link]]
ATTACKS: dict[str, Attack] = {
    "name": by_name,
    "spelling": by_spelling,
    "order": by_order,
    "count": by_count,
    "times": by_times,
    "habits": by_habits,
    "all": by_all,
}


@dataclass(frozen=True, slots=True)
class Matched:
    """Of 50 people: how many are matched, what chance gives, and what it exceeds very rarely."""

    people: float
    chance: float
    bound: float

    @property
    def is_chance(self) -> bool:
        return self.people <= self.bound


def matched(
    links: Collection[Link], truth: Mapping[str, int], one: Collection[str], other: Collection[str]
) -> Matched:
    """Compare guesses with the truth: the person behind each name of both releases.

    A person can have several names in a release: then 50 times the share of names that are right.
    """
    first = Counter(truth[name] for name in one)
    second = Counter(truth[name] for name in other)
    n = min(len(one), len(other))
    right = sum(truth[a] == truth[b] for a, b in links)
    share = sum(first[who] * second[who] for who in first) / (len(one) * len(other))
    return Matched(
        people=PEOPLE * right / n,
        chance=PEOPLE * share,
        bound=PEOPLE * float(poisson.isf(RARE, share * n)) / n,
    )


def _nearest(one: Mapping[str, Work], other: Mapping[str, Work], distance: Any) -> list[Link]:
    """Match names so that the sum of the distances is least; equal ones in no order."""
    rng, names = np.random.default_rng(0), (list(one), list(other))
    rows, columns = linear_sum_assignment(distance + 1e-6 * rng.random(distance.shape))
    return [(names[0][row], names[1][column]) for row, column in zip(rows, columns, strict=True)]


def _count_distance(one: Mapping[str, Work], other: Mapping[str, Work]) -> Any:
    """Squared difference of square roots, whose standard deviation is one half."""
    counts = [np.sqrt([len(work.places) for work in of.values()]) for of in (one, other)]
    return 2 * (counts[0][:, None] - counts[1][None]) ** 2


def _distance(one: Mapping[str, Work], other: Mapping[str, Work], features: Collection[str]) -> Any:
    """Squared differences of means, each divided by its variance as far as votes tell it."""
    total = np.zeros((len(one), len(other)))
    for feature in features:
        every = [x for of in (one, other) for work in of.values() for x in work.values[feature]]
        if not every:
            continue
        mean, variance = np.mean(every), np.var(every) + 1e-9
        (m1, v1), (m2, v2) = (_means(of, feature, mean, variance) for of in (one, other))
        total += (m1[:, None] - m2[None]) ** 2 / (v1[:, None] + v2[None])
    return total


def _means(of: Mapping[str, Work], feature: str, mean: Any, variance: Any) -> tuple[Any, Any]:
    n = np.array([len(work.values[feature]) + PRIOR for work in of.values()])
    sums = np.array([sum(work.values[feature]) + PRIOR * mean for work in of.values()])
    return sums / n, variance / n


def _questions(files: Files) -> dict[str, dict[str, Any]]:
    return {
        row["qID"]: row for name in ("train_xl", "dev") for row in _rows(files[f"{name}.jsonl"])
    }


def _option(question: Mapping[str, Any], number: int | None) -> str:
    return "" if number is None else str(question[f"option{number}"])


def _rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]
