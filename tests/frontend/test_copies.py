"""The page that shows what a copy of a release would have, and sends it."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Membership
from corpora.models import Release
from corpora.services import add_erratum
from frontend.releases import copies
from publishing.models import Publication
from tests.factories import (
    ArtifactFactory,
    PublicationFactory,
    ReleaseFactory,
    ReleaseFileFactory,
    UserFactory,
)
from tests.frontend.conftest import signed_in_now
from tests.frontend.pages import asks_twice, words
from winoplatform.artifacts import store

NAME = "our-group/twins"
PLACE = {"target": "hub", "repository": NAME}


@pytest.fixture
def release(settings: Any) -> Release:
    settings.HUB_TOKEN = "token-never-to-be-seen"
    made: Release = ReleaseFactory(finished=True, is_public=True, version="1.0.0", name="twins-1")
    for name in ("README.md", "dev.jsonl"):
        ReleaseFileFactory(release=made, name=name, artifact=ArtifactFactory())
    ReleaseFileFactory(release=made, name="test-labels.lst", restricted=True)
    return made


def address(release: Release) -> str:
    return reverse("publish-release", args=[release.name])


@pytest.mark.long
def test_a_curator_sees_what_would_be_sent_before_anything_is(
    as_dana: Client, release: Release
) -> None:
    form = words(as_dana.get(reverse("release", args=[release.name])))
    assert "Show what would be sent" in form
    page = as_dana.get(address(release), PLACE)
    shown = words(page)
    assert f"hub:{NAME}" in shown
    assert "README.md" in shown
    assert "test-labels.lst" not in shown
    assert "token-never-to-be-seen" not in page.content.decode()
    assert asks_twice(page, address(release))
    assert not Publication.objects.exists()


def test_a_release_whose_card_is_missing_is_refused_with_a_sentence(
    as_dana: Client, release: Release
) -> None:
    """A card has to be read where an erratum is told in it."""
    add_erratum(release=release, text="One is wrong.", key=uuid.uuid4(), by=None)
    card = release.files.get(name="README.md").artifact
    store.local_path(card.sha256).unlink()
    shown = words(as_dana.get(address(release), PLACE))
    assert "README.md of this release is missing" in shown


@pytest.mark.long
def test_the_button_starts_one_publication(as_dana: Client, release: Release) -> None:
    for _ in range(2):
        response = as_dana.post(address(release), PLACE)
        assert response.status_code == 302
    run = Publication.objects.get()
    assert (str(run.place), run.release) == (f"hub:{NAME}", release)
    assert "waiting for a worker" in words(as_dana.get(response.url))


@pytest.mark.long
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_refusal_is_shown(as_dana: Client, release: Release, method: str) -> None:
    Release.objects.update(is_public=False)
    response = getattr(as_dana, method)(address(release), PLACE, follow=True)
    assert "This release is for members alone." in words(response)
    assert not Publication.objects.exists()


def test_everyone_sees_where_a_copy_stands(as_bob: Client, release: Release) -> None:
    copy = PublicationFactory(release=release, finished=True, doi="10.5281/zenodo.1")
    PublicationFactory(release=release, repository="our-group/waits")
    for client in (as_bob, Client()):
        page = client.get(reverse("release", args=[release.name]))
        assert copy.address in page.content.decode()
        assert "10.5281/zenodo.1" in words(page)
        assert "our-group/waits" not in words(page)
        assert "Publish a copy" not in words(page)


@pytest.mark.long
def test_members_alone_see_a_copy_in_a_private_repository(
    as_dana: Client, as_bob: Client, release: Release
) -> None:
    PublicationFactory(release=release, finished=True, visibility="private")
    pages = [words(who.get(reverse("release", args=[release.name]))) for who in (as_dana, as_bob)]
    assert [("our-group/twins" in page) for page in pages] == [True, False]


@pytest.mark.long
def test_an_erratum_stays_visible_for_everyone(
    as_dana: Client, as_bob: Client, release: Release
) -> None:
    page = reverse("release", args=[release.name])
    add = reverse("add-erratum", args=[release.name])
    assert "This field is required." in words(as_dana.post(add, erratum(" "), follow=True))
    assert "not complete" in words(as_dana.post(add, {"text": "No key."}, follow=True))
    as_dana.post(add, erratum())
    assert as_bob.post(add, erratum("Mine.")).status_code == 403
    for client in (as_dana, as_bob, Client()):
        shown = words(client.get(page))
        assert "Row 3 has no blank." in shown
        assert "Mine." not in shown
        assert "No key." not in shown


def erratum(text: str = "Row 3 has no blank.") -> dict[str, str]:
    return {"text": text, "client_key": str(uuid.uuid4())}


@pytest.mark.long
def test_a_form_of_an_erratum_that_is_sent_twice_adds_one(
    as_dana: Client, release: Release
) -> None:
    page = as_dana.get(reverse("release", args=[release.name]))
    key = str(page.context["erratum_form"]["client_key"].value())
    assert f'value="{key}"' in page.content.decode()
    for _ in range(2):
        as_dana.post(reverse("add-erratum", args=[release.name]), erratum() | {"client_key": key})
    assert release.errata.count() == 1


@pytest.mark.long
def test_members_see_which_copies_do_not_tell_an_erratum_yet(
    as_dana: Client, as_bob: Client, release: Release, settings: Any
) -> None:
    settings.HUB_TOKEN = ""
    ReleaseFileFactory(release=release, name="CITATION.cff")
    copy = PublicationFactory(release=release, finished=True)
    page = reverse("release", args=[release.name])
    lacks = "This copy does not tell every erratum and retraction yet."
    assert lacks not in words(as_dana.get(page))
    as_dana.post(reverse("add-erratum", args=[release.name]), erratum())
    assert lacks in words(as_dana.get(page))
    assert lacks not in words(as_bob.get(page))
    told = as_dana.get(address(release), PLACE | {"repository": copy.repository})
    assert "Erratum 1.0.0" in words(told)
    assert "Row 3 has no blank." in words(told)
    assert "Retraction" not in words(told)


@pytest.mark.long
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"is_public": False}, "This release is for members alone."),
        (
            {"retracted_at": timezone.now(), "retraction_reason": "Wrong."},
            "This release is retracted, so it is not published.",
        ),
    ],
)
def test_what_can_be_sent_nowhere_has_a_reason_in_place_of_a_form(
    as_dana: Client, release: Release, fields: dict[str, Any], reason: str
) -> None:
    Release.objects.update(**fields)
    for page in (reverse("release", args=[release.name]), address(release)):
        shown = words(as_dana.get(page))
        assert reason in shown
        assert "Show what would be sent" not in shown


@pytest.mark.long
def test_a_retracted_release_can_be_sent_where_its_copy_stands(
    as_dana: Client, release: Release
) -> None:
    PublicationFactory(release=release, finished=True)
    Release.objects.update(retracted_at=timezone.now(), retraction_reason="Wrong.")
    assert "Show what would be sent" in words(as_dana.get(reverse("release", args=[release.name])))


def test_the_newest_publications_are_listed(
    as_dana: Client, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "MOST_ROWS", 2)
    for name in ("one", "two", "three"):
        PublicationFactory(release=release, finished=True, repository=f"our-group/{name}")
        shown = words(as_dana.get(address(release)))
        assert ("Only the newest 2 are listed." in shown) == (name == "three")
    assert "our-group/two" in shown
    assert "our-group/one" not in shown


@pytest.mark.long
@pytest.mark.parametrize("role", [Membership.Role.VIEWER, Membership.Role.REVIEWER])
def test_members_who_do_not_manage_the_campaign_send_and_correct_nothing(
    release: Release, role: str
) -> None:
    user = UserFactory(curator=True)
    Membership.objects.filter(user=user).update(role=role)
    client = signed_in_now(user)
    page = words(client.get(reverse("release", args=[release.name])))
    assert "No model has been evaluated" in page
    for heading in ("Publish a copy", "Add an erratum", "Retract"):
        assert heading not in page
    add = client.post(reverse("add-erratum", args=[release.name]), erratum())
    send = client.post(address(release), PLACE)
    plan = client.get(address(release), PLACE)
    assert (add.status_code, send.status_code, plan.status_code) == (404, 404, 200)
    assert not release.errata.exists()
    assert not Publication.objects.exists()


def test_others_learn_nothing(as_bob: Client, release: Release) -> None:
    for client, status in ((as_bob, 403), (Client(), 302)):
        assert client.get(address(release), PLACE).status_code == status
    assert as_bob.post(address(release), PLACE).status_code == 403
    assert not Publication.objects.exists()
