"""Two versions of a release, whose blind keys differ, tell an outsider no blind label.

Two worlds differ in the blind labels and in which of them are corrected. An outsider has the public
files of both versions, and whatever a stranger, a worker and a curator of another campaign are
answered at every address that names these releases, their evaluations, the audit or the panel.
Systems of the outsider's making answered the blind test: if their scores on both versions could be
read, these would tell each label.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from django.db.models import F, Q
from django.test import Client
from django.utils import timezone

from collection.models import Campaign, Question
from corpora import services as corpora
from corpora.models import Draw, Release
from corpora.selectors import labelled, read_index
from evaluation.core import leaderboard as core
from evaluation.models import KeyAudit, KeyPanel
from evaluation.selectors import remaining
from evaluation.services import key_revisions
from evaluation.services.systems import store_predictions
from tests.access.outsiders import outsider
from tests.access.routes import API as API_PATH
from tests.access.routes import Route, every_route
from tests.access.samples import NoSample, Samples, addresses
from tests.api.calls import API, client_of
from tests.blind import undone
from tests.corpora.test_bytes_of_bundles import Files, public, steady, without_hashes
from tests.evaluation.key_panels import against, answered_panel, audit_of, drawn_campaign
from tests.factories import (
    SubmissionFactory,
    UserFactory,
)
from tests.factories.leaderboards import LeaderboardFactory
from tests.filtering.stages import carried
from winoplatform.runs.kinds import execute_here
from workers.models import User

__all__ = ["steady"]  # a fixture
TRAIN, DEV, BLIND = 3, 3, 8
RANDOM = (
    (re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z|[+]\d\d:\d\d)?"), b"<time>"),
    (re.compile(rb"csrfmiddlewaretoken\" value=\"\w+|\"csrf\": \"\w+"), b"<token>"),
    (re.compile(rb"X-CSRFTOKEN[^,}]*"), b"<token>"),
    (re.compile(rb"(nonce[-=]\"?)[\w-]{22}"), b"<nonce>"),
    (re.compile(rb"\b[0-9a-f]{32}\b"), b"<request>"),
    (re.compile(rb"\b[a-z0-9][0-9a-f]{15}\b"), b"<id>"),
    (re.compile(rb"\bw-[0-9a-f]{12}\b"), b"<pseudonym>"),
    # An archive of other hashes may have another size; its members are compared.
    (re.compile(rb"\"size\": ?\d+|[\d.,]+( |\xc2\xa0)(bytes|[kKM]i?B)"), b"<size>"),
    (re.compile(rb"\"(wait|run)_seconds\":[-.\de]+"), b"<seconds>"),
    (re.compile(rb"\d\d:\d\d UTC"), b"<clock>"),
)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """A campaign of twins that are drawn already, so that ids are the same in each world."""
    return drawn_campaign(["train"] * TRAIN + ["dev"] * DEV + ["test"] * BLIND)


def blind_twins(campaign: Campaign) -> list[int]:
    rows = Draw.objects.filter(twin__campaign=campaign, split="test").order_by("twin")
    return list(rows.values_list("twin", flat=True))


def released(campaign: Campaign, name: str) -> Release:
    snapshot = carried(corpora.take_snapshot(campaign=campaign, by=None))
    release = corpora.build_release(snapshot=snapshot, name=name, by=None, is_public=True)
    # The next release takes the names of people from this key.
    release.key = hashlib.sha256(name.encode()).hexdigest()
    release.save(update_fields=["key"])
    made: Release = carried(release)
    return made


Chosen = Callable[[Route], bool]


def world(
    campaign: Campaign, flipped: set[int], corrected: set[int], by: User, chosen: Chosen
) -> Files:
    """Two versions of a release in which some blind twins have other answers, and what is seen."""
    made = Versions.of(campaign, flipped, corrected, by, n_systems=2)
    return public(made.first) | public(made.second) | dict(answers(made, chosen))


@dataclass(frozen=True)
class Versions:
    """Two releases of a campaign, and the panel that decided about keys of the first."""

    first: Release
    second: Release
    row: KeyPanel
    worker: User
    outsider: User

    @classmethod
    def of(
        cls,
        campaign: Campaign,
        flipped: set[int],
        corrected: set[int],
        by: User,
        *,
        n_systems: int,
    ) -> "Versions":
        Question.objects.filter(twin__in=flipped).update(answer=3 - F("answer"))
        first = released(campaign, "one")
        for reversed_number in (None, *blind_numbers(first))[:n_systems]:
            answer_blind(first, reversed_number)
        twins = Question.objects.filter(twin__in=corrected)
        questions = set(twins.values_list("public_id", flat=True))
        ids = {line["qID"] for line in read_index(first) if line["question"] in questions}
        row = answered_panel(audit_of(ids, release=first, split="test"), against(ids))
        key_revisions.revise_questions(row=row, by=by)
        second = released(campaign, "two")
        key_revisions.tell_correction(row=row, by=by)
        worker = UserFactory(username="reader", public_id="w-000000000000")
        curator = outsider()
        User.objects.filter(pk=curator.pk).update(username="outsider")
        return cls(first, second, row, worker, User.objects.get(pk=curator.pk))


# -- systems that an outsider could make -----------------------------------------------------------
def blind_lines(release: Release) -> list[dict[str, Any]]:
    lines = public(release)[f"{release.name}/test.jsonl"].decode().splitlines()
    return [json.loads(line) for line in lines]


def number_of(sentence: str) -> int:
    return int(sentence.split()[2])


def blind_numbers(release: Release) -> list[int]:
    return sorted({number_of(line["sentence"]) for line in blind_lines(release)})


def guess(sentence: str, reversed_number: int | None) -> int:
    """Return the place of the option that is chosen, of both in alphabetical order."""
    return (" full " in sentence) ^ (number_of(sentence) == reversed_number)


def answer_blind(release: Release, reversed_number: int | None) -> None:
    """Score a system that answers the twins of one number the other way round than the first."""
    lines = []
    for row in blind_lines(release):
        options = [row["option1"], row["option2"]]
        chosen = sorted(options)[guess(row["sentence"], reversed_number)]
        lines.append(json.dumps({"qID": row["qID"], "prediction": 1 + options.index(chosen)}))
    run = store_predictions(
        file=io.BytesIO("\n".join(lines).encode()),
        system_name=f"reversed {reversed_number}",
        release=release,
        split="test",
        format="jsonl",
        by=None,
    )
    execute_here(run)


def labels(release: Release) -> dict[int, bool]:
    """Return by number whether the first system is right about the twin: what each label is."""
    items = labelled(KeyAudit(release=release, split="test")).items
    return {
        number_of(item.sentence): item.options[(item.answer or 0) - 1]
        == sorted(item.options)[guess(item.sentence, None)]
        for item in items
    }


def labels_from_scores(made: Versions) -> list[dict[int, bool]]:
    """Attack: compare each system's scores on both versions with those of the first system."""
    path = f"{API}comparisons/release/{made.first.name}/test/versions/"
    rows = client_of(made.worker).get(path).json().get("rows", [])
    scores = {row["system"].split()[1].strip(","): row for row in rows}
    return [
        {
            int(name): row[version]["value"] < scores["None"][version]["value"]
            for name, row in scores.items()
            if name != "None"
        }
        for version in ("before", "after")
    ]


# -- what is answered ------------------------------------------------------------------------------
def known_of(made: Versions, route: Route) -> Samples:
    """Values for the parameters of an address about the versions, by what stands before."""
    releases = (made.first, made.second)
    names, ids = [one.name for one in releases], [str(one.public_id) for one in releases]
    audit, panel = str(made.row.audit.public_id), str(made.row.panel.public_id)
    return {
        "releases": names if "<name>" in route.path else ids,
        "by-name": names,
        "files": ["labels/test-labels.lst"],
        "splits": ["test"],
        "<kind>": names,
        "<name>": ["test"],
        "comparisons": ["release"],
        "comparison.": ["csv"],
        "evaluations": [str(made.first.evaluations.earliest("pk").public_id)],
        "human-evaluations": [panel],
        "key-audits": [audit],
        "key-audit": [audit],
        "keys": ["1"],
    }


LISTS = {
    *("releases/", "evaluations/", f"{API_PATH}releases/", f"{API_PATH}evaluations/"),
    *(f"{API_PATH}human-evaluations/", f"{API_PATH}human-evaluations/open/"),
}
"""Addresses that name nothing and list some of it."""
CHANGES = ("panels/", "panels/cost/", "keys/revise/", "keys/erratum/")
"""Ends of addresses of the API that are asked with POST as well."""


def answers(made: Versions, chosen: Chosen) -> Iterator[tuple[str, bytes]]:
    """What a stranger, a worker and a curator of another campaign are answered everywhere."""
    readers = {"stranger": None, "worker": made.worker, "outsider": made.outsider}
    for who, user in readers.items():
        browser, api = Client(raise_request_exception=False), client_of(user)
        if user is not None:
            browser.force_login(user)
        for route in filter(chosen, every_route()):
            client = api if route.path.startswith(API_PATH) else browser
            for place, (method, address) in enumerate(requests_of(route, known_of(made, route))):
                with undone():
                    yield f"{method} {route.path} {place} {who}", body(client, method, address)


def requests_of(route: Route, known: Samples) -> Iterator[tuple[str, str]]:
    """Yield methods and addresses that name something of the versions, or list it."""
    if "<" not in route.path and route.path not in LISTS:
        return
    ways = ("get", "post") if route.path.endswith(CHANGES) else ("get",)
    methods = [method for method in ways if method in route.methods]
    try:
        for address, _values in addresses(route, known):
            yield from ((method, address) for method in methods)
    except NoSample:
        return


def body(client: Any, method: str, address: str) -> bytes:
    response = getattr(client, method)(address)
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if response["Content-Type"] == "application/zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = b"\n".join(archive.read(name) for name in archive.namelist())
    return f"{response.status_code} ".encode() + content


def worlds(
    campaign: Campaign, again: Callable[[], None], by: User, chosen: Chosen
) -> tuple[Files, Files]:
    twins = blind_twins(campaign)
    each = [(set(), set(twins[:2])), (set(twins[::2]), set(twins[3:5]))]
    found = []
    for flipped, corrected in each:
        again()
        with transaction.atomic():
            found.append(world(campaign, flipped, corrected, by, chosen))
            transaction.set_rollback(True)
    return found[0], found[1]


def differing(one: Files, other: Files) -> list[str]:
    assert one.keys() == other.keys()
    return [
        f"{name}: {first_difference(neutral(one[name]), neutral(other[name]))!r}"
        for name in one
        if neutral(one[name]) != neutral(other[name])
    ]


def first_difference(one: bytes, other: bytes) -> tuple[bytes, bytes]:
    """Return what stands where two texts begin to differ."""
    shorter = min(len(one), len(other))
    at = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    return one[at - 40 : at + 40], other[at - 40 : at + 40]


def neutral(content: bytes) -> bytes:
    for pattern, word in RANDOM:
        content = pattern.sub(word, content)
    return without_hashes(content)


def is_about_keys(route: Route) -> bool:
    """Select the addresses that tell most: of audits, votes on keys, versions and scores."""
    parts = ("key", "versions", "errata", "comparisons", "leaderboard", "human-evaluations/")
    return route.path == "releases/<name>/" or any(part in route.path for part in parts)


@pytest.mark.long
@pytest.mark.parametrize(
    "chosen",
    [is_about_keys, pytest.param(lambda route: True, id="all", marks=pytest.mark.long)],
)
def test_two_versions_look_the_same_whatever_the_blind_keys_and_corrections_are(
    campaign: Campaign, steady: Callable[[], None], dana: User, chosen: Chosen
) -> None:
    one, other = worlds(campaign, steady, dana, chosen)
    assert differing(one, other) == []
    assert len([name for name in one if name.startswith(("get", "post"))]) > 60
    pages = b"".join(one.values())
    assert b"has other keys for 4 of test, by 5 fresh votes" in pages
    assert one["two/manifest.json"] != one["one/manifest.json"]


def plant_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """An erratum that names the blind questions."""
    monkeypatch.setattr(
        key_revisions, "_of_split", lambda split, ids: f"{split}: {', '.join(sorted(ids))}"
    )


def plant_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact scores of the blind test on both versions for everybody."""
    everywhere = lambda user: Q(release__in=Release.objects.public())  # noqa: E731
    monkeypatch.setattr("evaluation.selectors.visibility.in_open_splits", everywhere)
    monkeypatch.setattr("evaluation.selectors.versions.BLIND", "none")


@pytest.mark.parametrize(
    ("plant", "leaking"),
    [(plant_ids, ["get releases/<name>/"]), (plant_scores, [
        "get comparisons/<kind>/<name>/<split>/versions/", "get evaluations/<public_id>/",
        "get api/v1/comparisons/<kind>/<name>/<split>/versions/",
    ])],
)  # fmt: skip
@pytest.mark.long
def test_a_planted_leak_is_found(
    campaign: Campaign,
    steady: Callable[[], None],
    dana: User,
    monkeypatch: pytest.MonkeyPatch,
    plant: Callable[[pytest.MonkeyPatch], None],
    leaking: list[str],
) -> None:
    """The controls."""
    plant(monkeypatch)
    one, other = worlds(campaign, steady, dana, lambda route: f"get {route.path}" in leaking)
    names = {" ".join(line.partition(":")[0].split()[:2]) for line in differing(one, other)}
    assert names >= set(leaking)


@pytest.mark.long
def test_scores_that_everybody_reads_tell_every_blind_label_of_both_versions(
    campaign: Campaign, dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the attack by scores."""
    twins = blind_twins(campaign)
    made = Versions.of(campaign, set(twins[::2]), set(twins[3:5]), dana, n_systems=1 + BLIND)
    assert labels_from_scores(made) == [{}, {}]
    plant_scores(monkeypatch)
    before, after = labels_from_scores(made)
    assert (before, after) == (labels(made.first), labels(made.second))
    assert {number for number in before if before[number] != after[number]} == {
        number_of(question.sentence)
        for question in Question.objects.filter(twin__in=twins[3:5])
    }  # fmt: skip


# -- the leaderboard -------------------------------------------------------------------------------
PAIRS, PER_YEAR = 500, 4
SHAPE = core.Shape(n_unpaired=0, n_pairs=PAIRS)


def told_by_difference(noise: core.Noise, rng: np.random.Generator) -> bool:
    """Submit one file to both versions, and guess the corrected pair's label by the difference.

    The attacker even knows which pair was corrected, by whatever means.
    """
    first = rng.integers(1, 3, PAIRS)
    answers = np.stack([first, 3 - first], axis=1).ravel()
    corrected = answers.copy()
    corrected[:2] = 3 - corrected[:2]
    groups = np.repeat(np.arange(PAIRS), 2)
    file = {"": np.tile([1, 2], PAIRS)}

    def accuracy(keys: Any) -> float:
        scores = core.score(file, keys, groups=groups, sizes=None, noise=noise, rng=rng)
        return scores.accuracy

    rises = accuracy(corrected) > accuracy(answers)
    return bool(rises == (corrected[0] == 1))


def test_a_file_on_both_versions_tells_the_corrected_label_hardly_better_than_chance() -> None:
    rng = np.random.default_rng(0)
    noise = core.noise(SHAPE, per_year=PER_YEAR)
    right = np.mean([told_by_difference(noise, rng) for _ in range(4000)])
    # A difference of two figures: 2 / n over noise of sd · √2, so right in Φ(that / 2) of cases.
    assert right < 0.56
    exact = core.Noise(1e-12, 1e-12)
    assert np.mean([told_by_difference(exact, rng) for _ in range(50)]) == 1  # the control


def test_what_scores_on_both_versions_tell_is_within_one_bound() -> None:
    """Half of the year's submissions to each version: the sum is what a year of one may tell."""
    noise = core.noise(SHAPE, per_year=PER_YEAR)
    told = PER_YEAR / 2 * core.labels_told(SHAPE, noise) * 2
    assert told == pytest.approx(core.SHARE * SHAPE.n_questions)


def test_submissions_to_both_versions_use_up_one_year(db: None) -> None:
    board = LeaderboardFactory(per_year=4)
    for _version in range(2):
        SubmissionFactory(leaderboard=board, share_told=0.005)
    left = remaining(board, user=None, now=timezone.now())
    assert left.of_all == 0
    assert left.share_told == pytest.approx(0.01)
    assert len({row.release_id for row in board.submissions.all()}) == 2
