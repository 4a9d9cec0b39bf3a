"""The page of a release and its files."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    ArtifactFactory,
    EvaluationFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    SnapshotFactory,
)
from tests.frontend.pages import source, words
from winoplatform.runs.models import RunStatus


def test_a_release_lists_its_files_with_their_hashes(as_dana: Client) -> None:
    release = ReleaseFactory(finished=True, name="kitchen-1")
    file = ReleaseFileFactory(release=release, rows=1200)
    ReleaseFileFactory(release=release, name="test-labels.jsonl", restricted=True)
    text = words(as_dana.get(reverse("release", args=["kitchen-1"])))
    assert f"train_xl.jsonl 1,200 {file.artifact.size}" in text
    assert file.artifact.sha256 in text
    assert "Curators only: these contain blind labels" in text


def test_a_release_that_nothing_has_filtered_says_so_and_leads_to_no_run(as_dana: Client) -> None:
    snapshot = SnapshotFactory(finished=True, n_questions=1510)
    ReleaseFactory(finished=True, name="all", filter_run=None, snapshot=snapshot, selection=None)
    page = as_dana.get(reverse("release", args=["all"]))
    assert "Source the snapshot, unfiltered" in words(page)
    assert "/runs/filter/" not in source(page)


def test_a_file_is_downloaded_as_it_was_stored_and_never_opened_as_a_page(as_dana: Client) -> None:
    content = b"<script>alert(1)</script>\n"
    file = ReleaseFileFactory(artifact=ArtifactFactory(content=content))
    response = as_dana.get(reverse("release-file", args=[file.release.name, file.name]))
    assert b"".join(response.streaming_content) == content
    # The very name that SHA256SUMS lists, so that `sha256sum -c` finds it.
    assert response["Content-Disposition"] == 'attachment; filename="train_xl.jsonl"'
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"


def test_the_key_of_a_release_is_on_no_page(as_dana: Client) -> None:
    release = ReleaseFactory(finished=True)
    assert release.key not in words(as_dana.get(reverse("release", args=[release.name])))


def test_scores_stand_with_interval_and_n(as_dana: Client) -> None:
    release = ReleaseFactory(finished=True)
    metric = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 90}
    none = {"value": None, "low": None, "high": None, "n": 0}
    EvaluationFactory(
        release=release, finished=True, metrics={"accuracy": metric, "group_score": none}
    )
    EvaluationFactory(release=release, method="linear")
    text = words(as_dana.get(reverse("release", args=[release.name])))
    assert "50.0% (40.0% – 60.0%, n = 90) none (n = 0)" in text
    assert "linear model on the encoding dev waiting –" in text


def test_the_answers_of_an_evaluation_that_is_done_can_be_downloaded(as_dana: Client) -> None:
    release = ReleaseFactory(finished=True)
    line = b'{"qID": "x-1", "prediction": 2}\n'
    done = EvaluationFactory(
        release=release, finished=True, predictions=ArtifactFactory(content=line)
    )
    EvaluationFactory(release=release, method="linear")
    text = source(as_dana.get(reverse("release", args=[release.name])))
    assert text.count("/predictions/") == 1
    path = reverse("evaluation-predictions", args=[done.public_id])
    assert f'href="{path}"' in text
    assert b"".join(as_dana.get(path).streaming_content) == line


@pytest.mark.long
def test_the_page_of_a_name_is_that_of_the_release_that_holds_it(as_dana: Client) -> None:
    release = ReleaseFactory(name="kitchen-1", finished=True)
    file = ReleaseFileFactory(release=release)
    ReleaseFactory(name="kitchen-1", status=RunStatus.FAILED, failure="The disk is full.")
    page = reverse("release", args=["kitchen-1"])
    assert "The disk is full." not in words(as_dana.get(page))
    assert as_dana.get(reverse("release-file", args=["kitchen-1", file.name])).status_code == 200
    release.files.all().delete()
    release.delete()
    assert "The disk is full." in words(as_dana.get(page))


def test_a_release_that_is_not_built_says_what_it_waits_for(as_dana: Client) -> None:
    release = ReleaseFactory()
    text = words(as_dana.get(reverse("release", args=[release.name])))
    assert "The files appear here when the release is built." in text


def test_a_release_page_asks_again_until_the_release_has_ended(as_dana: Client) -> None:
    for finished in (False, True):
        release = ReleaseFactory(finished=finished)
        page = source(as_dana.get(reverse("release", args=[release.name])))
        assert ("load delay:2s" in page) is not finished


@pytest.mark.parametrize("path", ["/releases/none/", "/releases/none/files/train_xl.jsonl"])
def test_a_release_that_is_not_there_is_not_found(path: str, as_dana: Client) -> None:
    response = as_dana.get(path)
    assert response.status_code == 404
    assert "There is no such release." in words(response)
