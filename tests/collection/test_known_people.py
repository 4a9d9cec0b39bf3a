"""Who is who: pseudonyms, user names that people agreed to show, and labels of a curator."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Consent, Membership
from collection.selectors.known_people import names_for
from collection.services import publish_guideline
from collection.services.joining.withdrawal import withdraw_consent
from tests.factories import CampaignFactory, ConsentFactory, TwinFactory, UserFactory
from tests.frontend.conftest import signed_in_now
from tests.frontend.pages import source, words
from workers.models import PersonLabel, User
from workers.services import erase_person, label_person


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(slug="kitchen")


def accepted(campaign: Campaign, *, shows: bool | int = True, **worker: Any) -> User:
    """A person who accepted guidelines of their own version."""
    consent = ConsentFactory(
        worker=UserFactory(**worker),
        guideline__campaign=campaign,
        guideline__version=campaign.guideline_set.count() + 1,
        guideline__shows_user_names=shows,
    )
    who: User = consent.worker
    return who


def test_names_are_seen_of_those_who_accepted_that_they_are(campaign: Campaign, dana: User) -> None:
    hidden = accepted(campaign, shows=False)
    shown = accepted(campaign)
    assert names_for(dana).user_names == {shown.public_id: shown.username}
    assert hidden.public_id not in names_for(UserFactory(admin=True)).user_names


@pytest.mark.parametrize("end", ["withdrawal", "newer guidelines", "erasure", "no member"])
def test_names_are_seen_no_more(end: str, campaign: Campaign, dana: User) -> None:
    shown = accepted(campaign)
    if end == "withdrawal":
        withdraw_consent(worker=shown, campaign=campaign)
    elif end == "newer guidelines":
        publish_guideline(campaign=campaign, text="Be kind.", shows_user_names=False)
    elif end == "erasure":
        erase_person(account=shown, by=UserFactory(admin=True))
    else:
        Membership.objects.filter(user=dana).delete()
    assert names_for(dana).user_names == {}


@pytest.mark.parametrize("origin", [User.Origin.CROWD, User.Origin.IMPORTED])
def test_accounts_without_a_name_of_their_own_have_none(
    origin: str, campaign: Campaign, dana: User
) -> None:
    accepted(campaign, origin=origin)
    assert names_for(dana).user_names == {}


def test_a_new_version_keeps_what_it_does_not_change(campaign: Campaign) -> None:
    first = publish_guideline(campaign=campaign, text="Be kind.", shows_user_names=True)
    again = publish_guideline(campaign=campaign, text="Be kind.")
    second = publish_guideline(campaign=campaign, text="Be kind and brief.")
    hides = publish_guideline(campaign=campaign, text="Be kind and brief.", shows_user_names=False)
    assert (first, second.shows_user_names) == (again, True)
    assert (hides.version, hides.shows_user_names) == (3, False)


def test_the_version_says_what_curators_see_before_it_is_accepted(
    campaign: Campaign, alice: User
) -> None:
    publish_guideline(campaign=campaign, text="Be kind.", shows_user_names=False)
    client = signed_in_now(alice)
    page = reverse("join", args=["kitchen"])
    assert "Curators see a pseudonym instead" in words(client.get(page))
    publish_guideline(campaign=campaign, text="Be kind.", shows_user_names=True)
    assert "Curators of this campaign see your user name" in words(client.get(page))
    assert not Consent.objects.exists()


@pytest.mark.long
def test_a_label_is_its_curators_alone(campaign: Campaign, dana: User) -> None:
    erin = UserFactory(curator=True)
    worker = TwinFactory(campaign=campaign).author
    client, other = signed_in_now(dana), signed_in_now(erin)
    page = reverse("person", args=[worker.public_id])
    for text in ("first", "desk 4 <b>"):
        client.post(reverse("label-person", args=[worker.public_id]), {"label": text})
    assert '<span class="known-as">desk 4 &lt;b&gt;</span>' in source(client.get(page))
    assert worker.public_id in words(client.get(reverse("people"), {"q": "DESK"}))
    for address in (page, reverse("people")):
        assert "desk 4" not in source(other.get(address))
    assert "no label of yours" in words(other.get(reverse("people"), {"q": "desk"}))
    client.post(reverse("label-person", args=[worker.public_id]), {"label": " "})
    assert not PersonLabel.objects.exists()


def test_labels_and_names_over_rest(campaign: Campaign, dana: User) -> None:
    worker = accepted(campaign)
    client: Client = signed_in_now(dana)
    path = f"/api/v1/workers/{worker.public_id}/"
    put = client.put(f"{path}label/", {"text": "desk 4"}, content_type="application/json")
    assert put.json()["own_label"] == client.get(path).json()["own_label"] == "desk 4"
    assert put.json()["username"] == worker.username
    too_long = {"text": "x" * 81}
    refused = client.put(f"{path}label/", too_long, content_type="application/json")
    assert refused.status_code == 400


def test_a_label_is_erased_with_its_person_and_with_its_curator(campaign: Campaign) -> None:
    admin, erin = UserFactory(admin=True), UserFactory(curator=True)
    people = [TwinFactory(campaign=campaign).author for _ in range(2)]
    for worker in people:
        label_person(worker=worker, text="desk", by=erin)
    erase_person(account=people[0], by=admin)
    assert PersonLabel.objects.get().worker == people[1]
    erase_person(account=erin, by=admin)
    assert not PersonLabel.objects.exists()


def test_a_password_link_by_pseudonym_would_tell_the_name(campaign: Campaign, dana: User) -> None:
    hidden, shown = (accepted(campaign, shows=shows, password="otter-7-x") for shows in (0, 1))
    Membership.objects.exclude(user=dana).delete()
    client = signed_in_now(dana)
    for worker, status in ((hidden, 400), (shown, 200)):
        page = client.get(reverse("person", args=[worker.public_id]))
        assert ("Make a link to set a new password" in words(page)) == (status == 200)
        body = {"person": worker.public_id}
        assert client.post(reverse("password-links"), body).status_code == status
    # Who was told the name may use it.
    body = {"username": hidden.username}
    made = client.post(reverse("password-links"), body)
    assert hidden.public_id not in source(made)


@pytest.mark.long
def test_no_page_of_a_curator_tells_a_hidden_name(campaign: Campaign, dana: User) -> None:
    twin = TwinFactory(campaign=campaign, author__username="hidden-otter")
    client = signed_in_now(dana)
    for address in (
        reverse("people"),
        reverse("person", args=[twin.author.public_id]),
        reverse("data", args=["kitchen"]),
        reverse("invitations"),
        reverse("progress", args=["kitchen"]),
    ):
        assert "hidden-otter" not in source(client.get(address)), address
