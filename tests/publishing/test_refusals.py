"""What may not leave the platform, and what nobody sees of the tokens."""

import io
import json
import logging
import zipfile
from typing import Any

import pytest
from django.core import serializers
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.utils import timezone

from corpora.models import Release
from publishing import services
from publishing.adapters.protocol import LONGEST_MESSAGE
from publishing.models import Publication, PublicationStep
from tests.factories import ProposalFactory, PublicationFactory, ReleaseFileFactory
from tests.filtering.stages import read
from tests.publishing.copies import NAME, TO, public_files, sent
from tests.publishing.hub import Hub
from tests.publishing.stand_in import TOKEN, Reply
from tests.publishing.zenodo import Zenodo
from tests.refusals import refused
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from workers.models import AuditEvent, Proposal

REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("run_not_done", {"status": "queued", "content_hash": None}),
    ("release_not_public", {"is_public": False}),
    ("release_retracted", {"retracted_at": timezone.now(), "retraction_reason": "Wrong."}),
]


@pytest.mark.parametrize(("code", "fields"), REFUSED)
@pytest.mark.parametrize("to", [TO, "zenodo"])
def test_a_release_that_is_not_public_or_does_not_stand_is_refused(
    small: Release, hub: Hub, zenodo: Zenodo, code: str, fields: dict[str, Any], to: str
) -> None:
    Release.objects.filter(pk=small.pk).update(**fields)
    small.refresh_from_db()
    for act in (services.plan_publication, services.publish_release):
        with refused(code):
            act(release=small, to=to, **({} if act is services.plan_publication else {"by": None}))
    assert hub.log == zenodo.log == []


@pytest.mark.parametrize("kind", [Proposal.Kind.RELEASE, Proposal.Kind.RETRACTION])
def test_a_release_that_waits_for_a_second_person_is_refused(
    small: Release, hub: Hub, kind: str
) -> None:
    proposal = ProposalFactory(of=small, kind=kind)
    with refused("needs_second_person"):
        services.publish_release(release=small, to=TO, by=None)
    proposal.delete()
    services.publish_release(release=small, to=TO, by=None)


@pytest.mark.parametrize("fields", [fields for _, fields in REFUSED[1:]])
def test_what_changes_while_it_waits_is_refused_by_the_worker(
    small: Release, hub: Hub, fields: dict[str, Any]
) -> None:
    run = services.publish_release(release=small, to=TO, by=None)
    Release.objects.filter(pk=small.pk).update(**fields)
    execute_here(run)
    run.refresh_from_db()
    assert (run.status, hub.log) == ("failed", [])


def test_what_changes_while_it_is_sent_is_not_made_visible(
    small: Release, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = hub.answer

    def retracting(asked: Any) -> Reply:
        if "/storage/" in asked.path:
            hidden.append(asked)
        return answer(asked)

    hidden: list[Any] = []
    hub.answer = retracting  # type: ignore[method-assign]
    run = services.publish_release(release=small, to=TO, by=None)
    store = PublicationStep.save

    def save(step: PublicationStep, *args: Any, **options: Any) -> None:
        store(step, *args, **options)
        Release.objects.filter(pk=small.pk).update(is_public=False)

    monkeypatch.setattr(PublicationStep, "save", save)
    execute_here(run)
    run.refresh_from_db()
    assert hidden
    assert (run.status, hub.files(NAME)) == ("failed", {})


def test_no_restricted_file_is_sent(release: Release, hub: Hub, zenodo: Zenodo) -> None:
    restricted = release.files.filter(restricted=True)
    assert {"test-labels.lst", "index.jsonl", "opening.jsonl"} <= {file.name for file in restricted}
    sent(release)
    sent(release, "zenodo")
    asked = [one.json["files"] for one in hub.log if one.path.endswith("/preupload/main")]
    assert {file["path"] for files in asked for file in files} == public_files(release).keys()
    assert hub.files(NAME).keys() == public_files(release).keys()
    secrets = [read(file.artifact) for file in restricted if file.name != "test-labels.lst"]
    lines = [line for text in secrets for line in text.splitlines()]
    assert lines
    everything = b"".join([*hub.files(NAME).values(), *hub.storage.values()]).decode("latin-1")
    assert not any(line in everything for line in lines)
    archive = zipfile.ZipFile(io.BytesIO(zenodo.records[0].files[f"{release.name}.zip"]))
    names = {name.partition("/")[2] for name in archive.namelist()}
    assert names == public_files(release).keys()


@pytest.mark.parametrize("name", ["test-labels.lst", "opening.jsonl"])
def test_a_blind_file_is_not_sent_even_if_its_row_says_that_it_is_public(
    small: Release, hub: Hub, zenodo: Zenodo, name: str
) -> None:
    small.files.filter(name=name).delete()
    ReleaseFileFactory(release=small, name=name, restricted=False)
    with pytest.raises(ValueError, match=f"files must be public, got {name}"):
        services.publish_release(release=small, to=TO, by=None)
    assert hub.log == []


def test_no_token_no_publication_but_a_plan(small: Release, settings: Any) -> None:
    settings.HUB_TOKEN = settings.ZENODO_TOKEN = ""
    for to in (TO, "zenodo"):
        assert services.plan_publication(release=small, to=to).files
        with refused("target_not_set_up"):
            services.publish_release(release=small, to=to, by=None)


NO_PLACES = ("hub", "hub:", "hub:twins", "hub:a/b/c", "hub:a/..", "hub:-a/b", "zenodo:x", "")


@pytest.mark.parametrize("to", NO_PLACES)
def test_a_place_that_is_none_is_refused(small: Release, to: str) -> None:
    with refused("place_unknown"):
        services.plan_publication(release=small, to=to)


def test_the_tokens_are_in_no_row_log_or_output(
    small: Release, hub: Hub, zenodo: Zenodo, caplog: Any, capfd: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    # A target that repeats what it got.
    echo = {"error": f"not for Bearer {TOKEN}", "message": f"not for Bearer {TOKEN}"}
    refused_ones = {5: Reply(400, echo, {"X-Error-Message": f"not for {TOKEN}"})}
    for service, to in ((hub, TO), (zenodo, "zenodo")):
        service.failures = dict(refused_ones)
        with pytest.raises(CommandError) as caught:
            call_command("publish", small.name, to=to)
        assert "status 400" in str(caught.value)
        assert TOKEN not in str(caught.value)
        call_command("publish", small.name, to=to)
    assert hub.log[0].headers["authorization"] == f"Bearer {TOKEN}"
    rows = [*Publication.objects.all(), *PublicationStep.objects.all(), *AuditEvent.objects.all()]
    assert len(rows) > 10
    output = capfd.readouterr()
    for text in (serializers.serialize("json", rows), caplog.text, output.out, output.err):
        assert TOKEN not in text
    assert "DOI 10.5281/zenodo." in output.out


def test_a_dry_run_says_what_would_be_sent_and_sends_nothing(
    small: Release, hub: Hub, capsys: Any
) -> None:
    call_command("publish", small.name, to=TO, dry_run=True)
    said = capsys.readouterr().out
    for name, sha256 in public_files(small).items():
        assert any(line.startswith(sha256) and line.endswith(name) for line in said.splitlines())
    assert f"To {TO} at {hub.url}, public" in said
    assert "Nothing was sent." in said
    assert (hub.log, Publication.objects.count()) == ([], 0)


def test_a_request_is_in_the_audit_log_with_the_place(small: Release, hub: Hub, dana: Any) -> None:
    services.publish_release(release=small, to=TO, by=dana)
    event = AuditEvent.objects.filter(kind=AuditEvent.Kind.PUBLISHED).first()
    assert event is not None
    assert (event.by, event.what) == (dana, f"release small to {TO}")


def test_what_began_at_another_address_is_not_continued_here(
    small: Release, hub: Hub, settings: Any
) -> None:
    run = PublicationFactory(release=small, endpoint="https://hub.example")
    execute_here(run)
    run.refresh_from_db()
    assert "began at https://hub.example" in run.failure
    assert hub.log == []


@pytest.mark.parametrize(
    "address", ["http://hub.example", "https://a:b@hub.example", "https://hub.example/x", "hub"]
)
@pytest.mark.parametrize("name", ["HF_ENDPOINT", "ZENODO_URL"])
def test_a_token_is_sent_to_https_alone(settings: Any, name: str, address: str) -> None:
    setattr(settings, name, address)
    assert [error.id for error in run_checks()].count("winoplatform.E008") == 1
    assert name in json.dumps([error.msg for error in run_checks()])


def test_a_token_that_ends_in_a_line_break_is_refused_before_a_client_quotes_it(
    small: Release, settings: Any
) -> None:
    settings.HUB_TOKEN = settings.ZENODO_TOKEN = f"{TOKEN}\n"
    for to in (TO, "zenodo"):
        with pytest.raises(DomainError) as caught:
            services.publish_release(release=small, to=to, by=None)
        assert caught.value.code == "target_not_set_up"
        assert TOKEN not in str(caught.value)


def test_no_part_of_a_token_is_told_where_a_long_message_is_cut(
    small: Release, zenodo: Zenodo
) -> None:
    said = "x" * (LONGEST_MESSAGE - 10) + TOKEN  # ten characters of it would be left
    zenodo.failures = {5: Reply(400, {"message": said})}
    with pytest.raises(CommandError) as caught:
        call_command("publish", small.name, to="zenodo")
    assert "status 400" in str(caught.value)
    assert TOKEN[:5] not in str(caught.value)
