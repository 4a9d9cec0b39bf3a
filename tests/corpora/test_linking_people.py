"""Whether an outsider with all public files of two releases can match the people behind them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from django.utils import timezone

from collection.models import Campaign, Twin
from corpora import services
from corpora.core.publish import NAME_HOLDS, Publisher
from tests.corpora.linking import (
    ATTACKS,
    TIMES,
    Matched,
    Work,
    by_all,
    by_answers,
    by_count,
    by_name,
    by_spelling,
    by_times,
    matched,
    sentences,
    twins_by_name,
    votes_by_name,
)
from tests.corpora.simulated_people import people, work
from tests.factories import CampaignFactory
from tests.filtering.stages import carried, contents

TWINS = 600
Works = dict[str, Work]
Facts = dict[str, Any]


@pytest.fixture(scope="module")
def path(kept: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The public files of three releases, and who is behind each name.

    ``later`` has no question of ``first``; ``both`` has the questions of both.
    """
    rng, truth = np.random.default_rng(5), dict[str, int]()
    campaign = CampaignFactory(dev_share="0.2", test_share="0", near_duplicate=1)
    everybody = people(rng)
    with noted(truth):
        work(campaign, everybody, rng, twins=TWINS, month=0)
        releases = {"first": published(campaign, "first")}
        work(campaign, everybody, rng, twins=TWINS, month=1)
        releases["both"] = published(campaign, "both")
        old = campaign.twins.filter(created_at__lt="2026-02-02T12:00Z")
        Twin.objects.filter(pk__in=old).update(withdrawn_at=timezone.now())
        releases["later"] = published(campaign, "later")
    place: Path = tmp_path_factory.mktemp("linking") / "facts.json"
    quick = {
        one.pk: float(two) for one, two in zip(everybody.account, everybody.quick, strict=True)
    }
    place.write_text(json.dumps({"releases": releases, "truth": truth, "quick": quick}))
    return place


@contextmanager
def noted(truth: dict[str, int]) -> Iterator[None]:
    """Note who gets which name."""
    pseudonym = Publisher.pseudonym

    def noting(self: Publisher, worker: Any, **more: Any) -> str:
        name = pseudonym(self, worker, **more)
        truth[name] = worker
        return name

    with mock.patch.object(Publisher, "pseudonym", noting):
        yield


def published(campaign: Campaign, name: str) -> dict[str, str]:
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    release = carried(services.build_release(snapshot=snapshot, name=name, by=None))
    public = set(release.files.filter(restricted=False).values_list("name", flat=True))
    kinds = (".jsonl", ".lst", ".md", ".json")
    return {n: text for n, text in contents(release).items() if n in public and n.endswith(kinds)}


@pytest.fixture
def facts(path: Path) -> Facts:
    found: Facts = json.loads(path.read_text())
    return found


def two(facts: Facts, *, common: bool, **called: Any) -> tuple[Works, Works]:
    """The votes of two releases: of all questions, or of those that are new in the second one."""
    files = facts["releases"]
    one, other = files["first"], files["both" if common else "later"]
    new = sentences(other) - sentences(one)
    return votes_by_name(one, **called), votes_by_name(other, of=new, **called)


def measured(attack: Any, facts: Facts, one: Works, other: Works) -> Matched:
    return matched(attack(one, other), facts["truth"], one, other)


@pytest.mark.long
@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("way", ["name", "spelling", "order", "count", "times"])
def test_names_of_new_questions_are_matched_by_chance_alone(
    facts: Facts, way: str, common: bool
) -> None:
    one, other = two(facts, common=common)
    assert measured(ATTACKS[way], facts, one, other).is_chance


@pytest.mark.long
@pytest.mark.parametrize("way", ["name", "spelling", "order", "count", "times"])
def test_writers_are_matched_by_chance_alone(facts: Facts, way: str) -> None:
    one, other = (twins_by_name(facts["releases"][name]) for name in ("first", "later"))
    assert measured(ATTACKS[way], facts, one, other).is_chance


@pytest.mark.long
@pytest.mark.parametrize("common", [False, True])
def test_habits_in_answers_match_more_than_chance_and_few(facts: Facts, common: bool) -> None:
    """What remains, and the card says."""
    one, other = two(facts, common=common)
    assert measured(by_all, facts, one, other).people < 12


@pytest.mark.long
def test_common_questions_have_the_same_names_and_tell_no_others(facts: Facts) -> None:
    first, both = (votes_by_name(facts["releases"][name]) for name in ("first", "both"))
    assert first.keys() <= both.keys()
    assert measured(by_answers, facts, first, both).people > 49
    new = two(facts, common=True)[1]
    assert not first.keys() & new.keys()


@pytest.mark.long
def test_the_attacks_find_people_where_something_tells_them(facts: Facts) -> None:
    """Controls: names that all releases share, numbers by sign-up, one name each, times."""
    truth = facts["truth"]
    numbers = {who: f"{place:03}" for place, who in enumerate(sorted(set(truth.values())))}
    facts["truth"] = {number: who for who, number in numbers.items()}
    one, other = two(facts, common=False, called=lambda name: numbers[truth[name]])
    assert measured(by_name, facts, one, other).people > 48
    assert measured(by_spelling, facts, one, other).people > 40
    assert not measured(by_all, facts, one, other).is_chance
    rng = np.random.default_rng(1)
    for works in (one, other):
        for name, its in works.items():
            quick = facts["quick"][str(facts["truth"][name])]
            for time in TIMES:
                its.values[time] = list(quick + rng.normal(0, 0.5, len(its.places)))
    assert not measured(by_times, facts, one, other).is_chance
    assert measured(by_all, facts, one, other).people > 25


@pytest.mark.long
def test_no_file_has_a_time_beside_a_name_or_a_question(facts: Facts) -> None:
    for files in facts["releases"].values():
        for name in ("votes", "questions"):
            lines = files[f"provenance/{name}.jsonl"].splitlines()
            assert not any("seconds" in key for line in lines for key in json.loads(line))
        for name in ("times", "rates"):
            lines = [json.loads(line) for line in files[f"provenance/{name}.jsonl"].splitlines()]
            assert lines
            assert {key for line in lines for key in line} <= {"work", "rate", *TIMES}
        times = files["provenance/times.jsonl"].splitlines()
        assert times == sorted(times)


def named(counts: Any, key: bytes, *, in_turn: bool) -> tuple[Works, dict[str, int]]:
    """The names of people with so many votes, each in turn or with one name."""
    publisher, works, truth = Publisher(key), dict[str, Work](), dict[str, int]()
    for who, count in enumerate(counts):
        for turn in range(count):
            name = publisher.pseudonym(who, turn=turn if in_turn else None)
            works.setdefault(name, Work([], [], {})).places.append(turn)
            truth[name] = who
    return works, truth


@pytest.mark.long
@pytest.mark.parametrize("mean", [15, 200])
def test_counts_of_names_do_not_tell_counts_of_people(mean: int) -> None:
    rng = np.random.default_rng(mean)
    busy = rng.lognormal(np.log(mean), 1, 50)
    for in_turn in (True, False):
        halves = [named(rng.poisson(busy), key * 16, in_turn=in_turn) for key in (b"a", b"b")]
        (one, truth), (other, more) = halves
        assert not truth.keys() & more.keys()
        found = matched(by_count(one, other), truth | more, one, other)
        assert found.is_chance if in_turn else found.people > 3
        if in_turn:
            assert max(len(its.places) for its in one.values()) == NAME_HOLDS
