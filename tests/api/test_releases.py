"""releases/: what is published, and its files."""

import csv
import hashlib
import io
import json

import pytest
from rest_framework.test import APIClient

from corpora.core.bundle.archive import write_parquet
from corpora.core.bundle.layout import COLUMNS
from corpora.models import Release, SplitForm
from corpora.services import split_forms
from tests.api.calls import API, assert_error, ok
from tests.factories import (
    ArtifactFactory,
    FilterRunFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    SnapshotFactory,
)
from winoplatform.signals import run_done

CONTENT = b'{"qID": "x-1"}\n'


@pytest.fixture
def release(db: None) -> Release:
    """A public release with one file for everybody and one for curators."""
    release = ReleaseFactory(name="v1", finished=True, is_public=True)
    ReleaseFileFactory(release=release, artifact=ArtifactFactory(content=CONTENT))
    ReleaseFileFactory(release=release, name="test-labels.lst", restricted=True)
    return release


def files(release: Release) -> str:
    return f"{API}releases/{release.public_id}/files/"


def test_workers_see_only_public_releases_that_are_done(
    as_carol: APIClient, as_dana: APIClient, release: Release
) -> None:
    waiting = ReleaseFactory(filter_run=release.selection.filter_run, is_public=True)
    own = ReleaseFactory(filter_run=release.selection.filter_run, finished=True)
    ReleaseFileFactory(release=own, artifact=ArtifactFactory(content=CONTENT))
    [row] = ok(as_carol.get(f"{API}releases/"))["results"]
    assert row["name"] == "v1"
    for hidden in (waiting, own):
        assert_error(as_carol.get(f"{API}releases/{hidden.public_id}/"), 404, "not_found")
        assert_error(as_carol.get(files(hidden)), 404, "not_found")
    assert_error(as_carol.get(f"{files(own)}train_xl.jsonl"), 404, "not_found")
    assert len(ok(as_dana.get(f"{API}releases/"))["results"]) == 3


def test_a_file_comes_whole_with_its_hash_as_etag(as_carol: APIClient, release: Release) -> None:
    [file] = ok(as_carol.get(files(release)))
    response = as_carol.get(f"{files(release)}{file['name']}", HTTP_ACCEPT="application/x-ndjson")
    body = b"".join(response.streaming_content)
    assert body == CONTENT
    assert file["sha256"] == hashlib.sha256(body).hexdigest()
    assert response["ETag"] == f'"{file["sha256"]}"'
    assert int(response["Content-Length"]) == len(CONTENT) == file["size"]
    assert response["Content-Type"] == "application/x-ndjson"
    assert 'filename="train_xl.jsonl"' in response["Content-Disposition"]


def test_an_unchanged_file_is_not_sent_again(as_carol: APIClient, release: Release) -> None:
    url = f"{files(release)}train_xl.jsonl"
    etag = as_carol.get(url)["ETag"]
    assert as_carol.get(url, HTTP_IF_NONE_MATCH=etag).status_code == 304


def test_blind_labels_are_for_curators_only(
    as_carol: APIClient, as_dana: APIClient, release: Release
) -> None:
    url = f"{files(release)}test-labels.lst"
    assert_error(as_carol.get(url), 404, "not_found")
    assert as_dana.get(url).status_code == 200
    assert len(ok(as_dana.get(files(release)))) == 2


@pytest.mark.parametrize("name", ["none.jsonl", "..%2f..%2fsecret_key", "a%00b", "%ff", "x" * 90])
def test_a_name_that_is_no_file_is_not_found(
    as_dana: APIClient, release: Release, name: str
) -> None:
    assert_error(as_dana.get(f"{files(release)}{name}"), 404, "not_found")


def test_the_key_that_undoes_the_shuffling_is_in_no_answer(
    as_dana: APIClient, release: Release
) -> None:
    for path in ("releases/", f"releases/{release.public_id}/"):
        response = as_dana.get(f"{API}{path}")
        assert release.key.encode() not in response.content
        assert b'"key"' not in response.content


def test_a_release_is_named_once(as_dana: APIClient, release: Release) -> None:
    body = {"selection": str(FilterRunFactory(finished=True).public_id), "name": "v1"}
    details = assert_error(as_dana.post(f"{API}releases/", body), 400, "invalid")
    assert set(details["fields"]) == {"name"}


def test_a_release_waits_for_its_filter_run(as_dana: APIClient) -> None:
    run = FilterRunFactory()
    body = {"selection": str(run.public_id), "name": "v2"}
    made = ok(as_dana.post(f"{API}releases/", body), 201)
    assert made["status"] == "queued"
    assert made["selection"] == str(run.public_id)


def test_a_snapshot_is_released_without_a_selection(as_dana: APIClient) -> None:
    snapshot = str(SnapshotFactory().public_id)
    made = ok(as_dana.post(f"{API}releases/", {"snapshot": snapshot, "name": "all"}), 201)
    assert (made["snapshot"], made["selection"], made["status"]) == (snapshot, None, "queued")
    assert ok(as_dana.get(f"{API}releases/{made['id']}/"))["selection"] is None


def test_a_release_names_what_it_publishes(as_dana: APIClient) -> None:
    details = assert_error(as_dana.post(f"{API}releases/", {"name": "none"}), 400, "invalid")
    assert set(details["fields"]) == {"snapshot"}


def test_a_selection_of_another_snapshot_is_refused(as_dana: APIClient) -> None:
    asked = {
        "snapshot": str(SnapshotFactory(finished=True).public_id),
        "selection": str(FilterRunFactory(finished=True).public_id),
        "name": "mixed",
    }
    assert_error(as_dana.post(f"{API}releases/", asked), 400, "selection_of_other_snapshot")
    assert not Release.objects.exists()


def test_a_file_that_broke_off_is_continued(as_carol: APIClient, release: Release) -> None:
    url = f"{files(release)}train_xl.jsonl"
    etag = as_carol.get(url)["ETag"]
    rest = as_carol.get(url, headers={"Range": "bytes=5-", "If-Range": etag})
    assert (rest.status_code, b"".join(rest)) == (206, CONTENT[5:])
    assert rest["Content-Range"] == f"bytes 5-{len(CONTENT) - 1}/{len(CONTENT)}"
    assert int(rest["Content-Length"]) == len(CONTENT) - 5
    for asked, content in {
        "bytes=2-3": CONTENT[2:4],
        "bytes=-4": CONTENT[-4:],
        "bytes=3-99999": CONTENT[3:],
        "bytes=0-1,4-5": CONTENT,  # several ranges: all of it
        "bytes=5-2": CONTENT,
        "lines=1-2": CONTENT,
    }.items():
        response = as_carol.get(url, headers={"Range": asked})
        assert response.status_code == (200 if content == CONTENT else 206)
        assert b"".join(response) == content
    changed = as_carol.get(url, headers={"Range": "bytes=5-", "If-Range": '"other"'})
    assert (changed.status_code, b"".join(changed)) == (200, CONTENT)
    for asked in ("bytes=99-", "bytes=-0"):
        beyond = as_carol.get(url, headers={"Range": asked})
        assert_error(beyond, 416, "range_not_satisfiable")
        assert beyond["Content-Range"] == f"bytes */{len(CONTENT)}"
    head = as_carol.head(url, headers={"Range": "bytes=5-"})
    assert (head.status_code, head["Accept-Ranges"]) == (200, "bytes")
    assert int(head["Content-Length"]) == len(CONTENT)


def a_row(number: int, **values: str) -> dict[str, str]:
    return dict.fromkeys(COLUMNS, "x") | {"qID": f"x-{number}", "answer": str(number)} | values


def test_a_split_comes_by_name_in_each_form(as_carol: APIClient, release: Release) -> None:
    rows = {
        "dev": [a_row(n, sentence=f'=a "b", _\n{n}') for n in (1, 2)],
        "test": [a_row(3, answer="")],
    }
    stored = {}
    for split, data in rows.items():
        file = io.BytesIO()
        write_parquet(data, file)
        stored[split] = file.getvalue()
        artifact = ArtifactFactory(content=stored[split])
        ReleaseFileFactory(release=release, name=f"data/{split}.parquet", artifact=artifact)
    [found] = ok(as_carol.get(f"{API}releases/?name=v1"))["results"]
    for split, data in rows.items():
        url = f"{API}releases/{found['name']}/splits/{split}"
        assert [json.loads(line) for line in b"".join(as_carol.get(url)).splitlines()] == data
        table = b"".join(as_carol.get(url, headers={"Accept": "text/csv"})).decode()
        read = list(csv.DictReader(io.StringIO(table, newline="")))
        safe = [row | {"sentence": row["sentence"].replace("=", "'=")} for row in data]
        assert read == safe
        response = as_carol.get(f"{url}?format=parquet")
        assert b"".join(response) == stored[split]
        for form in ("jsonl", "csv", "parquet"):
            response = as_carol.get(f"{url}?format={form}")
            whole = b"".join(response)
            headers = {"Range": "bytes=50-", "If-Range": response["ETag"]}
            rest = as_carol.get(f"{url}?format={form}", headers=headers)
            assert (rest.status_code, whole[:50] + b"".join(rest)) == (206, whole)
    assert_error(as_carol.get(f"{API}releases/v1/splits/test-labels"), 404, "not_found")
    assert_error(as_carol.get(f"{url}?format=xml"), 400, "invalid")


def test_a_split_is_converted_once_and_then_sent_as_stored(
    as_carol: APIClient, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = io.BytesIO()
    write_parquet([a_row(n) for n in (1, 2)], file)
    artifact = ArtifactFactory(content=file.getvalue())
    ReleaseFileFactory(release=release, name="data/dev.parquet", artifact=artifact)
    url = f"{API}releases/v1/splits/dev?format=csv"
    whole = as_carol.get(url)
    data = b"".join(whole)
    monkeypatch.setattr(split_forms, "read_parquet", None)  # a second conversion would fail
    again = as_carol.get(url)
    assert b"".join(again) == data
    assert again["ETag"] == f'"{hashlib.sha256(data).hexdigest()}"'
    assert again["Content-Length"] == str(len(data))
    one = as_carol.get(url, headers={"Range": "bytes=0-0"})
    assert (one.status_code, b"".join(one)) == (206, data[:1])
    assert one["Content-Range"] == f"bytes 0-0/{len(data)}"
    same = as_carol.get(url, headers={"If-None-Match": whole["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert SplitForm.objects.get().artifact_id == hashlib.sha256(data).hexdigest()


def test_public_releases_are_converted_when_they_are_built(release: Release) -> None:
    file = io.BytesIO()
    write_parquet([a_row(1)], file)
    artifact = ArtifactFactory(content=file.getvalue())
    ReleaseFileFactory(release=release, name="data/dev.parquet", artifact=artifact)
    run_done.send(sender=Release, run=release)
    assert sorted(SplitForm.objects.values_list("form", flat=True)) == ["csv", "jsonl"]
    hidden = ReleaseFactory(filter_run=release.selection.filter_run, finished=True)
    ReleaseFileFactory(release=hidden, name="data/dev.parquet", artifact=artifact)
    run_done.send(sender=Release, run=hidden)
    assert not SplitForm.objects.filter(file__release=hidden).exists()
