"""What is not for workers looks to them as if it were not there, however they ask."""

import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.api.calls import API, client_of, ok
from tests.corpora.sets import imported
from tests.factories import (
    ArtifactFactory,
    EvaluationFactory,
    FilterRunFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    UserFactory,
)
from winoplatform.models import Artifact
from winoplatform.runs.models import RunStatus

METHODS = ("get", "head", "options", "post", "put", "patch", "delete")
WAYS: tuple[dict[str, str], ...] = (
    {},
    {"HTTP_IF_NONE_MATCH": "*"},
    {"HTTP_IF_MATCH": "*"},
    {"HTTP_RANGE": "bytes=0-0"},
    {"HTTP_ACCEPT": "text/html"},
    {"QUERY_STRING": "status=failed&ordering=name&search=a&page_size=1&format=json"},
)
SECRET = b"a blind label"
ABSENT = str(uuid.UUID(int=9))
Places = tuple[str, str]  # where something hidden is, and where nothing is


def a_draft(status: str) -> Places:
    release = ReleaseFactory(name="draft", status=status)
    ReleaseFileFactory(release=release, artifact=ArtifactFactory(content=SECRET))
    return f"releases/{release.public_id}/", f"releases/{ABSENT}/"


def files_of_a_draft() -> Places:
    hidden, absent = a_draft(RunStatus.RUNNING)
    return f"{hidden}files/", f"{absent}files/"


def a_file_of_a_draft() -> Places:
    hidden, absent = files_of_a_draft()
    return f"{hidden}train_xl.jsonl", f"{absent}train_xl.jsonl"


def one_that_is_not_public() -> Places:
    release = ReleaseFactory(name="draft", finished=True)
    ReleaseFileFactory(release=release, artifact=ArtifactFactory(content=SECRET))
    return f"releases/{release.public_id}/", f"releases/{ABSENT}/"


def a_file_that_is_not_public() -> Places:
    hidden, absent = one_that_is_not_public()
    return f"{hidden}files/train_xl.jsonl", f"{absent}files/train_xl.jsonl"


def a_restricted_file() -> Places:
    release = ReleaseFactory(name="v1", finished=True, is_public=True)
    artifact = ArtifactFactory(content=SECRET)
    ReleaseFileFactory(release=release, name="labels.lst", restricted=True, artifact=artifact)
    files = f"releases/{release.public_id}/files/"
    return f"{files}labels.lst", f"{files}nothing.lst"


def a_hidden_set() -> Places:
    imported("hidden")
    return "reference-sets/hidden/", "reference-sets/absent/"


def a_split_of_a_hidden_set() -> Places:
    hidden, absent = a_hidden_set()
    return f"{hidden}splits/test/", f"{absent}splits/test/"


def a_snapshot() -> Places:
    snapshot = ReleaseFactory(finished=True).snapshot
    return f"snapshots/{snapshot.public_id}/", f"snapshots/{ABSENT}/"


def a_selection() -> Places:
    run = FilterRunFactory(finished=True, kept=ArtifactFactory(content=SECRET))
    return f"filter-runs/{run.public_id}/kept/", f"filter-runs/{ABSENT}/kept/"


def predictions() -> Places:
    artifact = ArtifactFactory(content=SECRET)
    run = EvaluationFactory(finished=True, predictions=artifact)
    return f"evaluations/{run.public_id}/predictions/", f"evaluations/{ABSENT}/predictions/"


HIDDEN: tuple[Callable[[], Places], ...] = (
    *(lambda status=status: a_draft(status) for status in set(RunStatus) - {RunStatus.DONE}),
    files_of_a_draft,
    a_file_of_a_draft,
    one_that_is_not_public,
    a_file_that_is_not_public,
    a_restricted_file,
    a_hidden_set,
    a_split_of_a_hidden_set,
    a_snapshot,
    a_selection,
    predictions,
)


def told(client: Any, path: str) -> Iterator[tuple[str, dict[str, str], int, dict[str, str], str]]:
    """Ask in every way; yield all of each answer, without the name that was asked for."""
    name = re.escape(path.strip("/").rpartition("/")[2])
    for method in METHODS:
        for way in WAYS:
            response = getattr(client, method)(f"{API}{path}", **way)
            body = b"".join(response) if response.streaming else response.content
            assert SECRET not in body
            headers = dict(response.items()) | {"Content-Length": "", "X-Request-ID": ""}
            text = re.sub(name, "<name>", body.decode())
            yield method, way, response.status_code, headers, text


@pytest.mark.parametrize("make", HIDDEN)
@pytest.mark.parametrize("is_signed_in", [True, False])
def test_what_is_hidden_answers_as_what_is_absent(
    make: Callable[[], Places], is_signed_in: bool
) -> None:
    hidden, absent = make()
    client = client_of(UserFactory() if is_signed_in else None)
    assert list(told(client, hidden)) == list(told(client, absent))
    curator = client_of(UserFactory(curator=True))
    assert (
        curator.get(f"{API}{hidden}").status_code,
        curator.get(f"{API}{absent}").status_code,
    ) == (200, 404)


def test_no_list_that_a_worker_has_names_what_is_hidden_whatever_it_is_asked_for() -> None:
    for make in HIDDEN:
        if make not in (
            a_file_of_a_draft,
            a_split_of_a_hidden_set,
            files_of_a_draft,
            a_file_that_is_not_public,
        ):
            ReleaseFactory._meta.model.objects.filter(name="draft").delete()
            make()
    worker = client_of(UserFactory())
    asked = [f"status={status}" for status in RunStatus] + [
        "name=draft", "name=hidden", "is_public=false", "search=hidden", "ordering=is_public",
        "ordering=-key", "restricted=true", "campaign=campaign-1", "page_size=500", "",
    ]  # fmt: skip
    seen = ""
    for query in asked:
        for path in ("releases/", "reference-sets/"):
            seen += worker.get(f"{API}{path}?{query}").content.decode()
    done = [row["id"] for row in ok(worker.get(f"{API}releases/"))["results"]]
    assert done
    for id in done:
        files = ok(worker.get(f"{API}releases/{id}/files/?restricted=true"))
        seen += str(files)
    hashes = Artifact.objects.filter(size=len(SECRET)).values_list("pk", flat=True)
    assert not any(word in seen for word in ("draft", "hidden", "labels.lst", *hashes))
