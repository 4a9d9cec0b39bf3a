"""The page that shows what a copy of a release would have, and sends it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Release
from publishing.models import Publication
from tests.factories import ArtifactFactory, PublicationFactory, ReleaseFactory, ReleaseFileFactory
from tests.frontend.pages import asks_twice, words

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


def test_the_button_starts_one_publication(as_dana: Client, release: Release) -> None:
    for _ in range(2):
        response = as_dana.post(address(release), PLACE)
        assert response.status_code == 302
    run = Publication.objects.get()
    assert (str(run.place), run.release) == (f"hub:{NAME}", release)
    assert "waiting for a worker" in words(as_dana.get(response.url))


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


def test_an_erratum_stays_visible_for_everyone(
    as_dana: Client, as_bob: Client, release: Release
) -> None:
    page = reverse("release", args=[release.name])
    add = reverse("add-erratum", args=[release.name])
    assert "Say what is wrong" in words(as_dana.post(add, {"text": " "}, follow=True))
    as_dana.post(add, {"text": "Row 3 has no blank."})
    assert as_bob.post(add, {"text": "Mine."}).status_code == 403
    for client in (as_dana, as_bob, Client()):
        shown = words(client.get(page))
        assert "Row 3 has no blank." in shown
        assert "Mine." not in shown


def test_others_learn_nothing(as_bob: Client, release: Release) -> None:
    for client, status in ((as_bob, 403), (Client(), 302)):
        assert client.get(address(release), PLACE).status_code == status
    assert as_bob.post(address(release), PLACE).status_code == 403
    assert not Publication.objects.exists()
