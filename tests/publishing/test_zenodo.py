"""A copy of a release on Zenodo: one record with its DOI, whatever dies on the way."""

import hashlib
from itertools import product
from typing import Any

import pytest
import yaml

from corpora.models import Release
from publishing import services
from publishing.adapters.protocol import LONGEST_MESSAGE
from tests.filtering.stages import Killed, carried, lease_ends
from tests.publishing.copies import TO, later_release, sent
from tests.publishing.hub import Hub
from tests.publishing.killing import die_at
from tests.publishing.stand_in import TOKEN, Asked, Reply, serving
from tests.publishing.zenodo import Zenodo
from tests.refusals import refused
from winoplatform.runs.kinds import execute_here


def test_a_record_has_the_archive_as_built_and_documents_with_its_doi(
    release: Release, zenodo: Zenodo
) -> None:
    run = sent(release, "zenodo")
    (record,) = zenodo.records
    archive = f"{release.name}.zip"
    assert record.files.keys() == {"README.md", "CITATION.cff", archive}
    built = release.files.get(name=archive).artifact_id
    assert hashlib.sha256(record.files[archive]).hexdigest() == built
    assert record.files["README.md"].decode().count(f"https://doi.org/{record.doi}") == 1
    assert yaml.safe_load(record.files["CITATION.cff"])["doi"] == record.doi
    assert (run.doi, run.address) == (record.doi, f"{zenodo.url}/records/{record.id}")


def test_a_record_is_described_by_the_release(small: Release, zenodo: Zenodo) -> None:
    sent(small, "zenodo")
    (record,) = zenodo.records
    described = record.metadata
    assert described["title"] == "Twins"
    assert described["creators"] == [{"name": "Ada Group"}]
    assert (described["license"], described["version"]) == ("cc-by-4.0", "1.0.0")
    assert (described["access_right"], described["publication_date"]) == ("open", "2026-11-01")


def test_a_second_run_sends_nothing(small: Release, zenodo: Zenodo) -> None:
    run = sent(small, "zenodo")
    n = len(zenodo.log)
    assert services.publish_release(release=small, to="zenodo", by=None) == run
    assert len(zenodo.log) == n


def kill_and_go_on(
    release: Release, number: int, *, is_before: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Die at a request, and go on."""
    run = services.publish_release(release=release, to="zenodo", by=None)
    with monkeypatch.context() as patch:
        die_at(patch, number, is_before=is_before)
        with pytest.raises(Killed):
            execute_here(run)
    lease_ends(run)
    carried(run)


@pytest.mark.long
def test_killed_at_every_request_it_ends_as_one_record(
    small: Release, settings: Any, monkeypatch: pytest.MonkeyPatch, zenodo: Zenodo
) -> None:
    sent(small, "zenodo")
    requests, whole = len(zenodo.log), zenodo.records[0].files.keys()
    assert requests >= 10
    for number, is_before in product(range(1, requests + 1), (True, False)):
        with serving(Zenodo()) as other:
            settings.ZENODO_URL = other.url
            kill_and_go_on(small, number, is_before=is_before, monkeypatch=monkeypatch)
            (one,) = other.depositions.values()
            assert one.is_published
            assert one.files.keys() == whole
            assert one.doi.encode() in one.files["README.md"]


def test_the_next_release_is_a_new_version_with_its_own_files(
    small: Release, zenodo: Zenodo
) -> None:
    first = sent(small, "zenodo")
    second = sent(later_release(small), "zenodo")
    old, new = zenodo.records
    assert (str(old.id), str(new.id)) == (first.revision, second.revision)
    assert old.concept == new.concept
    assert old.files.keys() == {"README.md", "CITATION.cff", "small.zip"}
    assert new.files.keys() == {"README.md", "CITATION.cff", "later.zip"}
    assert new.metadata["version"] == "2.0.0"
    assert new.doi.encode() in new.files["README.md"]
    assert old.doi.encode() not in new.files["README.md"]


@pytest.mark.long
def test_killed_at_every_request_a_new_version_ends_as_one_record(
    small: Release, settings: Any, monkeypatch: pytest.MonkeyPatch, zenodo: Zenodo
) -> None:
    later = later_release(small)
    sent(small, "zenodo")
    before = len(zenodo.log)
    sent(later, "zenodo")
    requests = len(zenodo.log) - before
    for number in range(1, requests + 1):
        with serving(Zenodo()) as other:
            settings.ZENODO_URL = other.url
            sent(small, "zenodo")
            kill_and_go_on(later, number, is_before=False, monkeypatch=monkeypatch)
            old, new = other.depositions.values()
            assert (old.is_published, new.is_published, old.concept) == (True, True, new.concept)
            assert new.files.keys() == {"README.md", "CITATION.cff", "later.zip"}


def test_failures_of_zenodo_are_repeated(small: Release, zenodo: Zenodo) -> None:
    zenodo.failures = {
        1: Reply(503, b"down"),
        3: Reply(429, {}, {"Retry-After": "0"}),
        6: Reply(502, b"<html>"),
        9: Reply(200, b"<html>"),
    }
    run = sent(small, "zenodo")
    assert zenodo.failures == {}
    assert (run.attempt, len(zenodo.depositions), len(zenodo.records)) == (1, 1, 1)


@pytest.mark.long
def test_a_copy_on_the_hub_names_the_doi_when_it_is_sent_again(
    small: Release, hub: Hub, zenodo: Zenodo
) -> None:
    sent(small)
    record = sent(small, "zenodo")
    before = dict(hub.files("our-group/twins"))
    plan = services.plan_publication(release=small, to=TO)
    assert [file["name"] for file in plan.files if file["is_new"]] == ["README.md", "CITATION.cff"]
    sent(small)
    after = hub.files("our-group/twins")
    assert {name for name in after if after[name] != before[name]} == {"README.md", "CITATION.cff"}
    assert record.doi.encode() in after["README.md"]
    assert yaml.safe_load(after["README.md"].decode().split("---\n")[1])["configs"]


def test_a_redirect_is_not_followed(small: Release, zenodo: Zenodo) -> None:
    with serving(Zenodo()) as other:
        zenodo.failures = {1: Reply(301, b"", {"Location": f"{other.url}/api"})}
        run = services.publish_release(release=small, to="zenodo", by=None)
        execute_here(run)
        run.refresh_from_db()
        assert (run.failure, other.log) == ("Zenodo redirects to another address.", [])


def test_a_bucket_elsewhere_gets_no_token(small: Release, zenodo: Zenodo) -> None:
    with serving(Zenodo()) as other:
        answer = zenodo.answer

        def elsewhere(asked: Asked) -> Reply:
            reply = answer(asked)
            if isinstance(reply.content, dict) and "links" in reply.content:
                reply.content["links"]["bucket"] = f"{other.url}/api/files/1"
            return reply

        zenodo.answer = elsewhere  # type: ignore[method-assign]
        run = services.publish_release(release=small, to="zenodo", by=None)
        execute_here(run)
        run.refresh_from_db()
        assert run.failure == "Zenodo asked to send the token to another address."
        assert other.log == []


def test_no_part_of_a_token_stays_where_a_message_is_cut(small: Release, zenodo: Zenodo) -> None:
    message = "x" * (LONGEST_MESSAGE - len(TOKEN) // 2) + TOKEN
    zenodo.failures = {1: Reply(400, {"message": message})}
    run = services.publish_release(release=small, to="zenodo", by=None)
    execute_here(run)
    run.refresh_from_db()
    assert "status 400): xxx" in run.failure
    assert TOKEN[:3] not in run.failure


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"authors": []}, "authors_missing"), ({"licence": "ask us"}, "licence_unknown")],
)
def test_what_zenodo_would_fill_in_is_refused(
    small: Release, zenodo: Zenodo, fields: dict[str, Any], code: str
) -> None:
    Release.objects.filter(pk=small.pk).update(**fields)
    with refused(code):
        services.publish_release(release=small, to="zenodo", by=None)
