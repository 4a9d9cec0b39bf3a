"""New releases count erased people, and those that are out verify as they are."""

import json
from pathlib import Path

import pytest
from django.test import Client

from collection.models import Campaign
from corpora import services
from corpora.core.bundle import codec
from corpora.core.bundle.layout import MANIFEST
from corpora.core.bundle.manifest import Manifest
from corpora.models import Release
from tests.api.calls import client_of
from tests.corpora.test_release_provenance import validated
from tests.evaluation.bundles import change_manifest, resum, store_bundle, wrong
from tests.factories import UserFactory
from tests.filtering.stages import carried, contents
from validation.models import Vote
from workers.models import User
from workers.services import erase_person

SAID = "been erased from the platform since"
DOCUMENTS = ("README.md", "croissant.json")


def campaign_with_votes() -> Campaign:
    campaign = validated(8, dev_share="0.25", test_share="0.25")
    Vote.objects.update(local_option=None)
    return campaign


def released(campaign: Campaign, name: str) -> Release:
    snapshot = carried(services.take_snapshot(campaign=campaign, by=None))
    release: Release = carried(services.build_release(snapshot=snapshot, name=name, by=None))
    return release


def erased_in(release: Release) -> int:
    erased: int = json.loads(contents(release)[MANIFEST])["collection"]["erased"]
    return erased


def people_of(campaign: Campaign) -> tuple[User, User]:
    """A writer who validated too, and a validator, of questions that are drawn and not blind."""
    first, second = campaign.twins.exclude(draw__split="test").order_by("pk")[:2]
    vote = Vote.objects.filter(question__twin=second).earliest("pk")
    writer, validator = first.author, vote.worker
    assert writer is not None
    third = Vote.objects.filter(question__twin=second).exclude(pk=vote.pk).earliest("pk")
    Vote.objects.filter(pk=third.pk).update(worker=writer)
    return writer, validator


def erase(*people: User) -> None:
    for person in people:
        erase_person(account=person, by=UserFactory(admin=True), pay="void")


@pytest.mark.long
def test_a_new_release_counts_each_erased_person_once(tmp_path: Path) -> None:
    campaign = campaign_with_votes()
    before = released(campaign, "before")
    erase(*people_of(campaign), UserFactory())
    after = released(campaign, "after")
    assert (erased_in(before), erased_in(after)) == (0, 2)
    for release in (before, after):
        folder = tmp_path / release.name
        folder.mkdir()
        store_bundle(release, folder)
        assert wrong(folder / f"{release.name}.zip", folder / "opened") == []
        for name in DOCUMENTS:
            assert (SAID in contents(release)[name]) == (release == after), name
    assert f"validated these questions, 2 have {SAID}" in contents(after)["README.md"]


@pytest.mark.long
def test_the_pages_and_the_preview_say_it_too() -> None:
    campaign = campaign_with_votes()
    released(campaign, "before")
    erase(*people_of(campaign))
    release = released(campaign, "after")
    preview = carried(services.preview_release(snapshot=release.snapshot, by=None))
    client, curator = Client(), UserFactory(curator=True)
    client.force_login(curator)
    for address in (f"/releases/{release.name}/", f"/release-previews/{preview.public_id}/"):
        page = " ".join(client.get(address).content.decode().split())
        assert f"2 have {SAID}" in page, address
    told = client_of(curator).get(f"/api/v1/release-previews/{preview.public_id}/").json()
    assert told["facts"]["collection"]["erased"] == 2


@pytest.mark.long
def test_a_bundle_without_the_number_is_read_and_verified(tmp_path: Path) -> None:
    store_bundle(released(campaign_with_votes(), "older"), tmp_path)
    folder = tmp_path / "older"
    change_manifest(folder, lambda about: about["collection"].pop("erased"))
    resum(folder)
    assert '"erased"' not in (folder / MANIFEST).read_text()
    assert wrong(folder) == []


@pytest.mark.long
def test_no_more_people_can_be_erased_than_there_are() -> None:
    text = contents(released(campaign_with_votes(), "one"))[MANIFEST]
    with pytest.raises(ValueError, match="erased must be at most"):
        codec.from_json(Manifest, text.replace('"erased": 0', '"erased": 99'))
