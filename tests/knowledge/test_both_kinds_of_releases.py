"""What releases of questions and of knowledge share: hashes, archive, exports, name, retraction."""

import hashlib
import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from corpora.core.bundle.canary import sentence
from corpora.core.bundle.responsible import REQUIRED
from corpora.models import Release
from corpora.selectors import metadata_for
from corpora.services import build_release, retract_release
from knowledge import proving
from knowledge.models import KnowledgeRelease
from knowledge.prover.process import Prover
from tests.corpora.test_unfiltered_releases import unfiltered
from tests.factories import UserFactory
from tests.filtering.stages import frozen, snapshot_of
from tests.knowledge.releasing import Files, archive, asked, files, released, unpacked, validated
from winoplatform.errors import DomainError

pytestmark = pytest.mark.django_db
NAME = "same-1"
MADE_OF_FACTS = {
    "questions": {
        "README.md", "CHANGELOG.md", "CITATION.cff", "manifest.json", "croissant.json", "score.py",
        f"harness/{NAME}.yaml", f"harness/{NAME}_answers.yaml", "harness/utils.py",
        "inspect/answers.py", "eval.yaml",
    },
    "knowledge": {"README.md", "manifest.json", "croissant.json"},
}  # fmt: skip


def of_questions() -> Release:
    snapshot = snapshot_of(frozen(pairs=40, unpaired=4), dev_share="0.20", test_share="0.20")
    return unfiltered(snapshot, name=NAME)


def of_knowledge() -> KnowledgeRelease:
    return released(validated(), NAME, title="Kitchen: *knowledge*", authors=["Dana Doe"])


MAKE: dict[str, Callable[[], Release | KnowledgeRelease]] = {
    "questions": of_questions,
    "knowledge": of_knowledge,
}


@pytest.fixture(params=MAKE)
def kind(request: pytest.FixtureRequest, prover: Prover, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(proving, "shared", lambda: prover)
    return str(request.param)


def by_command(kind: str, folder: Path) -> Files:
    command, *to = ("export_release",) if kind == "questions" else ("export_knowledge", "--out")
    for target in (folder, folder / f"{NAME}.zip"):
        call_command(command, NAME, *to, str(target))
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.long
def test_command_rest_and_page_give_the_same_bytes(kind: str, tmp_path: Path) -> None:
    release = MAKE[kind]()
    found = by_command(kind, tmp_path)
    assert set(found) == {one.name for one in release.files.filter(restricted=False)}
    client = Client()
    if kind == "questions":
        Release.objects.update(is_public=True)  # so that no account is needed
    else:
        client.force_login(UserFactory(curator=True))
    resource, page = {
        "questions": ("releases", "release-file"),
        "knowledge": ("knowledge-releases", "knowledge-release-file"),
    }[kind]
    for name, content in found.items():
        over_rest = f"/api/v1/{resource}/{release.public_id}/files/{name}"
        for address in (over_rest, reverse(page, args=[NAME, name])):
            assert b"".join(client.get(address).streaming_content) == content, name


@pytest.mark.long
def test_hashes_are_those_of_the_files_and_of_the_archive(kind: str) -> None:
    release = MAKE[kind]()
    found = files(release)
    assert unpacked(archive(release)) == found
    sums = dict(line.split("  ")[::-1] for line in found["SHA256SUMS"].decode().splitlines())
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}
    assert release.content_hash == hashes.pop("SHA256SUMS")
    assert sums == hashes
    listed = json.loads(found["manifest.json"])["files"]
    told = {one["name"]: one["sha256"] for one in listed}
    assert told == {name: sums[name] for name in sums.keys() - MADE_OF_FACTS[kind]}
    if isinstance(release, KnowledgeRelease):
        assert release.problems_id == sums["data/problems.parquet"]


@pytest.mark.long
def test_one_that_is_done_keeps_its_name_and_is_retracted_with_a_reason(kind: str) -> None:
    release = MAKE[kind]()
    again = (
        partial(build_release, snapshot=release.snapshot, name=NAME, by=None)
        if isinstance(release, Release)
        else partial(asked, release.knowledge_set, NAME)
    )
    with pytest.raises(ValidationError, match="Choose another name"):
        again()
    curator, before = UserFactory(curator=True), files(release)
    retract_release(release=release, reason="half of it is wrong", by=curator)
    assert (release.retraction_reason, release.retracted_by) == ("half of it is wrong", curator)
    assert files(release) == before
    with pytest.raises(DomainError) as refused:
        retract_release(release=release, reason="again", by=curator)
    assert refused.value.code == "not_retractable"


@pytest.mark.long
def test_addresses_stand_in_a_description_beside_the_release_and_on_its_page(
    kind: str, tmp_path: Path
) -> None:
    release = MAKE[kind]()
    command, *to = ("export_release",) if kind == "questions" else ("export_knowledge", "--out")
    base = "https://data.example.org/first"
    target = tmp_path / "out"
    call_command(command, NAME, *to, str(target), base_url=base)
    beside = json.loads((tmp_path / "out.croissant.json").read_text())
    sealed = files(release)
    there = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert there == sealed.keys()
    listed = json.loads(sealed["croissant.json"])["distribution"]
    addresses = [one["contentUrl"] for one in beside["distribution"]]
    assert addresses == [f"{base}/{one['contentUrl']}" for one in listed]
    client = Client()
    client.force_login(UserFactory(curator=True))
    page = {"questions": "release", "knowledge": "knowledge-release"}[kind]
    found = client.get(reverse(f"{page}-metadata", args=[NAME]))
    assert found["Content-Type"] == "application/ld+json"
    for one in found.json()["distribution"]:
        content = b"".join(client.get(one["contentUrl"]).streaming_content)
        assert hashlib.sha256(content).hexdigest() == one["sha256"]


@pytest.mark.long
def test_a_description_says_that_its_release_is_retracted(kind: str) -> None:
    release = MAKE[kind]()
    before = metadata_for(release, "https://example.org")
    retract_release(release=release, reason="half is wrong", by=UserFactory(curator=True))
    after = metadata_for(release, "https://example.org")
    assert before is not None
    assert after is not None
    assert after["description"] == f"Retracted: half is wrong {before['description']}"
    assert "creativeWorkStatus" not in before


@pytest.mark.long
@pytest.mark.parametrize("address", ["data.example.org", "https://a/?b"])
def test_nothing_is_written_for_what_is_no_address(address: str, kind: str, tmp_path: Path) -> None:
    MAKE[kind]()
    command, *to = ("export_release",) if kind == "questions" else ("export_knowledge", "--out")
    with pytest.raises(CommandError, match="base_url must be"):
        call_command(command, NAME, *to, str(tmp_path / "out"), base_url=address)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_all_eight_fields_and_the_canary_are_there_and_no_row_has_it(kind: str) -> None:
    release = MAKE[kind]()
    found = files(release)
    about = json.loads(found["croissant.json"])
    assert [name for name in REQUIRED if about.get(name) in (None, "", [])] == []
    manifest = json.loads(found["manifest.json"])
    canary = sentence(manifest.get("canary") or manifest["about"]["canary"]).encode()
    tables = {name for name in found if name.endswith(".parquet")}
    assert {name for name, content in found.items() if canary in content} == {
        "README.md",
        "croissant.json",
        *tables,
    }
    for name in tables:
        table = pq.read_table(io.BytesIO(found[name]))
        assert canary.decode() not in json.dumps(table.to_pylist())
