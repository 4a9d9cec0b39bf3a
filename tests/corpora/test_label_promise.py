"""The promise that nothing published tells a label, on a release of real questions.

WinoGrande 1.1 breaks it: the ending of a qID equals the answer, in the blind test file too. So
the same clues are tried on the source file first, where one of them must be found out.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import pytest
from rest_framework.test import APIClient
from scipy.stats import binomtest

from collection.imports.winogrande import import_winogrande
from collection.models import Campaign
from corpora import release_files
from corpora import services as corpora
from corpora.models import Release
from filtering import services
from tests.api.calls import API, assert_error, client_of, ok
from tests.data_dir import needs_data
from tests.factories import UserFactory
from tests.filtering.stages import TINY, assert_done, contents, release_of, rows
from tests.winogrande_data import winogrande_path
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run

pytestmark = [pytest.mark.django_db, needs_data]

SPLITS = ("train", "dev", "test")
# One honest release in a million fails by chance, all clues and splits together.
ALPHA = 1e-6
Row = dict[str, Any]
Clue = Callable[[int, Row], bool]  # (place in its file, row as published) -> "the answer is 1"
CLUES: dict[str, Clue] = {
    "ending of qID": lambda place, row: row["qID"].endswith("1"),
    **{
        f"character {i} of qID": lambda place, row, i=i: ord(row["qID"][i]) % 2 == 0
        for i in range(30)
    },
    "qID in the first half of the alphabet": lambda place, row: row["qID"][0] < "N",
    "odd or even row": lambda place, row: place % 2 == 0,
    "every other pair of rows": lambda place, row: place % 4 < 2,
    "option that comes first in the alphabet": lambda place, row: row["option1"] < row["option2"],
    "longer option": lambda place, row: len(row["option1"]) > len(row["option2"]),
    "option that comes first in the sentence": lambda place, row: (
        row["sentence"].lower().find(row["option1"].lower())
        < row["sentence"].lower().find(row["option2"].lower())
    ),
}


def told(files: Iterable[tuple[Sequence[Row], dict[str, int]]]) -> list[str]:
    """The clues that agree with the answers more, or less, than chance would let them.

    Twins answer oppositely, so each pair is one throw: its first row. Exact binomial test,
    divided among the clues.
    """
    throws = [
        (place, row, answers[row["qID"]]) for rows, answers in files for place, row in _units(rows)
    ]
    found = []
    for name, clue in CLUES.items():
        agreed = sum(clue(place, row) == (answer == 1) for place, row, answer in throws)
        if binomtest(agreed, len(throws)).pvalue < ALPHA / len(CLUES):
            found.append(f"{name}: {agreed} of {len(throws)}")
    return found


def _units(rows: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    for _, twins in groupby(enumerate(rows), key=lambda item: item[1]["qID"].rpartition("-")[0]):
        yield next(twins)


@pytest.fixture
def release() -> Release:
    """WinoGrande's train_m, imported, frozen, encoded, filtered and published."""
    import_winogrande(path=winogrande_path("train_m"), slug="winogrande")
    Campaign.objects.update(test_share="0.30")
    campaign = Campaign.objects.get(slug="winogrande")
    snapshot = corpora.take_snapshot(campaign=campaign, by=None)
    _execute(snapshot)
    encoding = services.encode(snapshot=snapshot, by=None, encoder=TINY)
    _execute(encoding)
    settings = {"n": 16, "m": 1500, "k": 100, "partition": "grouped"}
    run = services.start_filter_run(encoding=encoding, by=None, **settings)
    _execute(run)
    release = release_of(run, "real")
    _execute(release)
    return release


def _execute(run: Run) -> None:
    execute_here(run)
    assert_done(run)


def test_the_source_file_breaks_the_promise_and_is_found_out() -> None:
    with winogrande_path("train_m").open(encoding="utf-8") as lines:
        source = sorted((json.loads(line) for line in lines), key=lambda row: row["qID"])
    answers = {row["qID"]: int(row["answer"]) for row in source}
    assert any(clue.startswith("ending of qID") for clue in told([(source, answers)]))


def test_a_real_release_keeps_the_promise(release: Release) -> None:
    files = contents(release)
    answers = {row["qID"]: row["answer"] for row in release_files.read_index(release)}
    published = {split: rows(files[f"{split}.jsonl"]) for split in SPLITS}
    assert sum(map(len, published.values())) == len(answers) > 1000
    assert told((part, answers) for part in published.values()) == []
    assert told([(published["test"], answers)]) == []
    _nobody_but_curators_gets_labels(release, published["test"])


def _nobody_but_curators_gets_labels(release: Release, test: Sequence[Row]) -> None:
    """What a worker can reach names the blind questions once, and never with an answer."""
    assert {tuple(row) for row in test} == {("qID", "sentence", "option1", "option2")}
    worker, url = client_of(UserFactory()), f"{API}releases/{release.public_id}/files/"
    names = {file["name"] for file in ok(worker.get(url))}
    hidden = set(release.files.values_list("name", flat=True)) - names
    assert hidden == {"test-labels.lst", "index.jsonl"}
    for name in hidden:
        assert_error(worker.get(f"{url}{name}"), 404, "not_found")
    public = {name: _download(worker, f"{url}{name}") for name in names}
    origins = {row["qID"]: row["origin"] for row in rows(public["origin.jsonl"])}
    # Twins answer oppositely, so a flag that both of them share tells neither answer.
    by_twin = {(qid.rpartition("-")[0], flag) for qid, flag in origins.items()}
    assert len(by_twin) == len({base for base, _ in by_twin})
    everything = "".join(text for name, text in public.items() if name != "origin.jsonl")
    assert all(everything.count(row["qID"]) == 1 for row in test)
    assert release.key not in "".join(public.values())


def _download(client: APIClient, url: str) -> str:
    return b"".join(client.get(url).streaming_content).decode()
