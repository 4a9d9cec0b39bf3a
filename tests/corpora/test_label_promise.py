"""The promise that nothing published tells a label, on a release of real questions.

WinoGrande 1.1 breaks it: the ending of a qID equals the answer, in the blind test file too. So
the same clues are tried on the source file first, where one of them must be found out.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.imports.winogrande import import_winogrande
from collection.models import Campaign
from corpora import services as corpora
from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.report import leak_report
from corpora.models import Release
from corpora.selectors import read_index
from filtering import services
from tests.api.calls import API, assert_error, client_of, ok
from tests.data_dir import needs_data
from tests.factories import UserFactory
from tests.filtering.stages import TINY, assert_done, contents, release_of, rows
from tests.winogrande_data import winogrande_path
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run

pytestmark = needs_data

SPLITS = ("train_xl", "dev", "test")
# One honest release in a million fails by chance, all clues and splits together.
ALPHA = 1e-6
Row = dict[str, Any]


def told(files: Mapping[str, tuple[list[Row], list[int]]]) -> tuple[str, ...]:
    """The leaks in files, by name: their rows and labels."""
    published = [
        PublishedFile(name, rows, labels, len(rows)) for name, (rows, labels) in files.items()
    ]
    return leak_report(published, alpha=ALPHA, blind=()).leak_sentences


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


@pytest.mark.long
def test_the_source_file_breaks_the_promise_and_is_found_out() -> None:
    with winogrande_path("train_m").open(encoding="utf-8") as lines:
        source = [json.loads(line) for line in lines]
    (leak,) = told({"train_m.jsonl": (source, [int(row["answer"]) for row in source])})
    assert "ending of qID" in leak


@pytest.mark.long
def test_a_real_release_keeps_the_promise(release: Release) -> None:
    files = contents(release)
    answers = {row["qID"]: row["answer"] for row in read_index(release)}
    published = {split: rows(files[f"{split}.jsonl"]) for split in SPLITS}
    assert sum(map(len, published.values())) == len(answers) > 1000
    labelled = {
        f"{split}.jsonl": (part, [answers[row["qID"]] for row in part])
        for split, part in published.items()
    }
    assert told(labelled) == ()
    _nobody_but_curators_gets_labels(release, published["test"])


def _nobody_but_curators_gets_labels(release: Release, test: Sequence[Row]) -> None:
    """What a worker can reach names the blind questions once, and never with an answer."""
    assert {tuple(row) for row in test} == {("qID", "sentence", "option1", "option2")}
    type(release).objects.filter(pk=release.pk).update(is_public=True)
    worker, url = client_of(UserFactory()), f"{API}releases/{release.public_id}/files/"
    names = {file["name"] for file in ok(worker.get(url))}
    hidden = set(release.files.values_list("name", flat=True)) - names
    assert hidden == {"test-labels.lst", "index.jsonl", "opening.jsonl"}
    for name in hidden:
        assert_error(worker.get(f"{url}{name}"), 404, "not_found")
    public = {name: _download(worker, f"{url}{name}") for name in names}
    commitments = "provenance/commitments.jsonl"
    assert [row["qID"] for row in rows(public[commitments])] == [row["qID"] for row in test]
    everything = "".join(text for name, text in public.items() if name != commitments)
    assert all(everything.count(row["qID"]) == 1 for row in test)
    assert release.key not in "".join(public.values())


def _download(client: APIClient, url: str) -> str:
    return b"".join(client.get(url).streaming_content).decode(errors="replace")
