"""proposals/: what waits for a second person."""

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign, Membership
from corpora.models import Release
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import ProposalFactory, ReleaseFactory, UserFactory
from workers.models import User

LIST = f"{API}proposals/"


@pytest.fixture
def release(db: None) -> Release:
    release = ReleaseFactory(name="v1", finished=True)
    Campaign.objects.update(second_person=["retraction"])
    return release


def test_a_retraction_is_told_to_wait_and_confirmed_by_another(
    release: Release, as_dana: APIClient
) -> None:
    as_erin = client_of(UserFactory(curator=True))
    retract = f"{API}releases/{release.public_id}/retract/"
    waits = ok(as_dana.post(retract, {"reason": "Two are wrong."}), 202)
    [proposal] = waits["proposals"]
    assert waits["retracted_at"] is None
    assert_error(as_dana.post(retract, {"reason": "Again."}), 409, "already_proposed")
    one = f"{LIST}{proposal}/"
    assert_error(as_dana.post(f"{one}confirm/"), 403, "own_proposal")
    assert_error(as_erin.post(f"{one}withdraw/"), 403, "not_own_proposal")
    [listed] = ok(as_erin.get(LIST, {"outcome": "open"}))["results"]
    assert (listed["id"], listed["release"]) == (proposal, str(release.public_id))
    done = ok(as_erin.post(f"{one}confirm/"))
    assert done["outcome"] == "confirmed"
    assert_error(as_erin.post(f"{one}decline/"), 409, "proposal_decided")
    found = ok(as_dana.get(f"{API}releases/by-name/v1/"))
    assert (found["is_retracted"], found["proposals"]) == (True, [])


def test_a_public_release_is_built_for_members_and_says_what_waits(
    release: Release, as_dana: APIClient
) -> None:
    Campaign.objects.update(second_person=["release"])
    sent = {"snapshot": str(release.snapshot.public_id), "name": "v2", "is_public": True}
    made = ok(as_dana.post(f"{API}releases/", sent), 201)
    assert made["is_public"] is False
    assert [row["id"] for row in ok(as_dana.get(LIST))["results"]] == made["proposals"]


def test_only_members_who_publish_are_told(release: Release, as_dana: APIClient) -> None:
    retract = f"{API}releases/{release.public_id}/retract/"
    [proposal] = ok(as_dana.post(retract, {"reason": "So."}), 202)["proposals"]
    outsider, viewer = UserFactory(curator=True), UserFactory(curator=True)
    Membership.objects.filter(user=outsider).delete()
    Membership.objects.filter(user=viewer).update(role=Membership.Role.VIEWER)
    for client in (client_of(outsider), client_of(viewer)):
        assert ok(client.get(LIST))["results"] == []
        assert_error(client.post(f"{LIST}{proposal}/confirm/"), 404, "not_found")
    assert ok(client.get(f"{API}releases/by-name/v1/"))["proposals"] == []


def test_a_setting_that_a_second_person_guards_is_kept(
    as_dana: APIClient, campaign: Campaign, dana: User
) -> None:
    path = f"{API}campaigns/{campaign.slug}/"
    assert ok(as_dana.patch(path, {"second_person": ["release"]}))["second_person"] == ["release"]
    assert_error(as_dana.patch(path, {"second_person": []}), 409, "second_person_kept")
    assert_error(as_dana.patch(path, {"second_person": ["pay"]}), 400, "invalid")
    as_root = client_of(UserFactory(admin=True))
    assert ok(as_root.patch(path, {"second_person": []}))["second_person"] == []


def test_a_declined_publication_is_proposed_again(
    release: Release, as_dana: APIClient, dana: User
) -> None:
    as_erin = client_of(UserFactory(curator=True))
    one = f"{LIST}{ProposalFactory(of=release, by=dana, kind='release').public_id}/"
    assert_error(as_dana.post(f"{one}ask-again/"), 409, "not_publishable")
    ok(as_erin.post(f"{one}decline/"))
    again = ok(as_dana.post(f"{one}ask-again/"))
    assert (again["outcome"], again["kind"]) == ("open", "release")
    assert_error(as_dana.post(f"{one}ask-again/"), 409, "not_publishable")
    ok(as_erin.post(f"{LIST}{again['id']}/confirm/"))
    assert ok(as_dana.get(f"{API}releases/by-name/v1/"))["is_public"] is True
