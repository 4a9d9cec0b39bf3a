"""Two versions of a release, whose blind keys differ, tell an outsider no blind label.

Two worlds differ in the blind labels and in which of them are corrected. An outsider has the public
files of both versions, their pages, the answers of the API and the leaderboard.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from django.db import transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Question
from corpora import services as corpora
from corpora.models import Draw, Release
from corpora.selectors import read_index
from evaluation.core import leaderboard as core
from evaluation.models import KeyPanel
from evaluation.selectors import remaining
from evaluation.services import key_revisions
from tests.api.calls import API, client_of
from tests.corpora.test_bytes_of_bundles import Files, public, steady, without_hashes
from tests.evaluation.done import evaluated
from tests.evaluation.key_panels import against, answered_panel, audit_of
from tests.factories import (
    CampaignFactory,
    SubmissionFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.factories.leaderboards import LeaderboardFactory
from tests.filtering.stages import carried
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
    made: Campaign = CampaignFactory(near_duplicate=1)
    splits = ["train"] * TRAIN + ["dev"] * DEV + ["test"] * BLIND
    for number, split in enumerate(splits):
        sentences = [f"The cup {number} _ was {end} in June." for end in ("full", "empty")]
        twin = TwinFactory(campaign=made, sentences=sentences)
        for question in twin.questions.all():
            VerdictFactory(question=question)
        Draw.objects.create(twin=twin, split=split, origin="linked", is_pair=True)
    return made


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


def world(campaign: Campaign, flipped: set[int], corrected: set[int], by: User) -> Files:
    """Two versions of a release in which some blind twins have other answers, and what is seen."""
    Question.objects.filter(twin__in=flipped).update(answer=3 - F("answer"))
    first = released(campaign, "one")
    evaluated(None, "majority", reference_set=None, release=first, split="test")
    questions = set(Question.objects.filter(twin__in=corrected).values_list("public_id", flat=True))
    ids = {line["qID"] for line in read_index(first) if line["question"] in questions}
    row = answered_panel(audit_of(ids, release=first, split="test"), against(ids))
    key_revisions.revise_questions(row=row, by=by)
    second = released(campaign, "two")
    key_revisions.tell_correction(row=row, release=second, by=by)
    return public(first) | public(second) | dict(answers(first, second, row))


def answers(first: Release, second: Release, row: KeyPanel) -> Iterator[tuple[str, bytes]]:
    """What a stranger and a worker get of both versions, and of the panel."""
    stranger, worker = Client(raise_request_exception=False), Client(raise_request_exception=False)
    user = UserFactory(username="reader", public_id="w-000000000000")
    worker.force_login(user)
    api = client_of(user)
    panel = row.panel.public_id
    paths = ["/releases/", reverse("evaluations"), reverse("key-votes", args=[panel])]
    paths += [reverse("human-evaluation", args=[panel]), reverse("answer-human", args=[panel])]
    paths.append(reverse("new-key-panel", args=[row.audit.public_id]))
    asked = [f"{API}releases/", f"{API}human-evaluations/", f"{API}human-evaluations/open/"]
    asked += [f"{API}evaluations/", f"{API}key-audits/"]
    for release in (first, second):
        paths.append(reverse("release", args=[release.name]))
        paths.append(reverse("leaderboard", args=[release.name]))
        for split in ("dev", "test"):
            paths.append(reverse("comparison", args=["release", release.name, split]))
            paths.append(reverse("both-versions", args=["release", release.name, split]))
        asked += [f"{API}releases/{release.public_id}/{part}" for part in ("", "files/", "errata/")]
    for place, path in enumerate(paths):
        for who, browser in (("stranger", stranger), ("worker", worker)):
            yield f"page {place} {who}", browser.get(path).content
    for place, path in enumerate(asked):
        yield f"api {place}", api.get(path).content


def worlds(campaign: Campaign, again: Callable[[], None], by: User) -> tuple[Files, Files]:
    twins = blind_twins(campaign)
    each = [(set(), set(twins[:2])), (set(twins[::2]), set(twins[3:5]))]
    found = []
    for flipped, corrected in each:
        again()
        with transaction.atomic():
            found.append(world(campaign, flipped, corrected, by))
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


@pytest.mark.long
def test_two_versions_look_the_same_whatever_the_blind_keys_and_corrections_are(
    campaign: Campaign, steady: Callable[[], None], dana: User
) -> None:
    one, other = worlds(campaign, steady, dana)
    assert differing(one, other) == []
    pages = b"".join(one.values())
    assert b"has other keys for 4 of test, by 5 fresh votes" in pages
    assert one["two/manifest.json"] != one["one/manifest.json"]


def plant_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """An erratum that names the blind questions."""
    monkeypatch.setattr(
        key_revisions, "_of_split", lambda split, ids: f"{split}: {', '.join(sorted(ids))}"
    )


@pytest.mark.long
def test_a_planted_leak_is_found(
    campaign: Campaign,
    steady: Callable[[], None],
    dana: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control."""
    plant_ids(monkeypatch)
    one, other = worlds(campaign, steady, dana)
    assert differing(one, other)


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
