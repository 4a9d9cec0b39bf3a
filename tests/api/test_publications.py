"""Copies of releases over HTTP."""

import uuid
from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Membership
from corpora.models import Release
from publishing.models import Publication
from tests.api.calls import assert_error, client_of
from tests.factories import ArtifactFactory, ReleaseFactory, ReleaseFileFactory, UserFactory
from workers.models import User

TO = "hub:our-group/twins"


@pytest.fixture
def release(settings: Any) -> Release:
    settings.HUB_TOKEN = "token-never-to-be-seen"
    made: Release = ReleaseFactory(finished=True, is_public=True, version="1.0.0", name="twins-1")
    ReleaseFileFactory(release=made, name="dev.jsonl", artifact=ArtifactFactory())
    return made


def plan(client: APIClient, release: Release, to: str = TO) -> Any:
    return client.get(f"/api/v1/releases/{release.public_id}/publication-plan/", {"to": to})


def test_a_plan_has_files_sizes_sums_and_visibility(as_dana: APIClient, release: Release) -> None:
    answer = plan(as_dana, release).json()
    file = release.files.get()
    assert answer["files"] == [
        {
            "name": "dev.jsonl",
            "size": file.artifact.size,
            "sha256": file.artifact_id,
            "is_new": True,
        }
    ]
    assert (answer["to"], answer["size"]) == (TO, file.artifact.size)
    assert answer["visibility"].startswith("public")
    assert not Publication.objects.exists()


def test_the_same_request_again_gives_the_same_publication(
    as_dana: APIClient, release: Release
) -> None:
    asked = {"release": str(release.public_id), "to": TO}
    first, second = (as_dana.post("/api/v1/publications/", asked) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["id"] == second.json()["id"]
    assert (first.json()["to"], first.json()["release"]) == (TO, str(release.public_id))
    assert b"token-never-to-be-seen" not in first.content


def test_a_place_that_is_none_is_refused(as_dana: APIClient, release: Release) -> None:
    assert_error(plan(as_dana, release, "elsewhere"), 400, "place_unknown")


def test_a_curator_of_another_campaign_publishes_no_release_of_it(
    release: Release, settings: Any
) -> None:
    """It is public, so everyone reads it; to send it somewhere is its members' matter."""
    other: User = UserFactory(curator=True)
    Membership.objects.filter(user=other).delete()
    client = client_of(other)

    answer = client.post("/api/v1/publications/", {"release": str(release.public_id), "to": TO})
    assert answer.status_code == 400
    assert "There is no release" in str(answer.json())
    assert plan(client, release).status_code == 404
    assert not Publication.objects.exists()


def test_everyone_reads_errata_and_members_add_them(as_dana: APIClient, release: Release) -> None:
    address = f"/api/v1/releases/{release.public_id}/errata/"
    asked = {"text": "Row 3 has no blank.", "client_key": str(uuid.uuid4())}
    made, again = (as_dana.post(address, asked) for _ in range(2))
    assert (made.status_code, made.json()["text"]) == (201, "Row 3 has no blank.")
    assert again.json() == made.json()
    assert_error(as_dana.post(address, asked | {"text": "Other."}), 409, "key_used")
    assert_error(as_dana.post(address, {"text": "No key."}), 400, "invalid")
    other = client_of(UserFactory())
    assert other.post(address, {**asked, "text": "Mine."}).status_code == 403
    for client in (other, client_of(None)):
        assert [row["text"] for row in client.get(address).json()] == ["Row 3 has no blank."]


@pytest.mark.parametrize("role", [Membership.Role.VIEWER, Membership.Role.REVIEWER])
def test_members_who_do_not_manage_the_campaign_publish_and_correct_nothing(
    release: Release, role: str
) -> None:
    user: User = UserFactory(curator=True)
    Membership.objects.filter(user=user).update(role=role)
    client = client_of(user)
    assert plan(client, release).status_code == 200
    sent = client.post("/api/v1/publications/", {"release": str(release.public_id), "to": TO})
    assert sent.status_code == 400
    assert "There is no release" in str(sent.json())
    erratum = {"text": "Mine.", "client_key": str(uuid.uuid4())}
    address = f"/api/v1/releases/{release.public_id}/errata/"
    assert_error(client.post(address, erratum), 404, "not_found")
    assert not Publication.objects.exists()
    assert not release.errata.exists()
