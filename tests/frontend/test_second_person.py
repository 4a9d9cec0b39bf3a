"""Where people see that something waits for a second person, and decide it."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Membership
from corpora.models import Release
from tests.factories import ProposalFactory, ReleaseFactory, TwinFactory, UserFactory
from tests.frontend.pages import words
from workers.models import Proposal, User

Browse = Callable[[User], Client]
WAITS = "Waiting for a second person"


@pytest.fixture
def release(db: None) -> Release:
    release = ReleaseFactory(name="v1", finished=True)
    Campaign.objects.update(second_person=["retraction", "erasure"])
    return release


def decide(client: Client, decision: str, back: str = "/") -> int:
    address = reverse("decide-proposal", args=[Proposal.objects.get().public_id])
    return client.post(address, {"decision": decision, "back": back}).status_code


@pytest.mark.long
def test_a_retraction_waits_on_the_page_and_on_the_overview(
    release: Release, as_dana: Client, browse: Browse
) -> None:
    page = reverse("release", args=["v1"])
    overview = reverse("campaign", args=[release.campaign.slug])
    as_dana.post(reverse("retract-release", args=["v1"]), {"reason": "Two are wrong."})
    own = words(as_dana.get(page))
    assert f"{WAITS} Retract v1" in own
    assert "Two are wrong. Withdraw" in own
    assert WAITS not in words(as_dana.get(overview))
    erin, viewer = UserFactory(curator=True), UserFactory(curator=True)
    Membership.objects.filter(user=viewer).update(role=Membership.Role.VIEWER)
    assert f"{WAITS} Retract v1" in words(browse(erin).get(overview))
    assert WAITS not in words(browse(viewer).get(overview))
    assert WAITS not in words(browse(viewer).get(page))
    assert decide(as_dana, "confirm") == 302
    release.refresh_from_db()
    assert release.retracted_at is None
    assert decide(browse(erin), "confirm") == 302
    text = words(as_dana.get(page))
    assert "Retracted" in text
    assert WAITS not in text


def test_who_asked_can_withdraw_it_and_another_can_decline_it(
    release: Release, as_dana: Client, dana: User, browse: Browse
) -> None:
    for client, decision in ((as_dana, "withdraw"), (browse(UserFactory(curator=True)), "decline")):
        Proposal.objects.all().delete()
        ProposalFactory(of=release, by=dana)
        assert decide(client, "else") == 400
        assert decide(client, decision) == 302
        assert Proposal.objects.get().outcome in ("withdrawn", "declined")
    release.refresh_from_db()
    assert release.retracted_at is None


def test_a_declined_publication_is_asked_for_again(
    release: Release, dana: User, as_dana: Client, browse: Browse
) -> None:
    page, erin = reverse("release", args=["v1"]), UserFactory(curator=True)
    before = ProposalFactory(of=release, by=dana, kind="release")
    as_erin = browse(erin)
    assert decide(as_erin, "decline") == 302
    shown = words(as_dana.get(page))
    assert f"{erin.public_id} declined to make this release public: it stays for members." in shown
    assert "Ask again" in shown
    address = reverse("decide-proposal", args=[before.public_id])
    for _ in range(2):  # the second click
        as_dana.post(address, {"decision": "again", "back": page})
    assert "Ask again" not in words(as_dana.get(page))
    assert f"{WAITS} Make v1 public" in words(as_erin.get(page))
    latest = Proposal.objects.open().get()
    as_erin.post(reverse("decide-proposal", args=[latest.public_id]), {"decision": "confirm"})
    release.refresh_from_db()
    assert release.is_public


@pytest.mark.long
def test_a_person_is_erased_by_an_admin_and_an_owner(
    release: Release, dana: User, browse: Browse
) -> None:
    alice = TwinFactory(campaign=release.campaign).author
    root, as_owner = browse(UserFactory(admin=True)), browse(UserFactory(curator=True))
    page = f"{reverse('erase-person')}?person={alice.public_id}"
    assert "asks for a second person" in words(root.get(page))
    fields = {"person": alice.public_id, "confirm": alice.public_id, "reason": "By mail."}
    assert root.post(page, fields)["Location"] == page
    shown = words(root.get(page))
    assert f"{WAITS} Erase {alice.public_id}" in shown
    assert "Pseudonym, to confirm" not in shown
    assert "By mail. Confirm" in words(as_owner.get(reverse("person", args=[alice.public_id])))
    stale = Client()
    stale.force_login(UserFactory(curator=True))
    decide(stale, "confirm")
    alice.refresh_from_db()
    assert alice.erased_at is None
    assert decide(as_owner, "confirm") == 302
    alice.refresh_from_db()
    assert alice.erased_at is not None
    assert "The person was erased" in words(as_owner.get(reverse("people")))


@pytest.mark.long
def test_the_settings_page_has_the_kinds_and_their_history(as_dana: Client, dana: User) -> None:
    campaign = TwinFactory().campaign
    page = reverse("campaign-settings", args=[campaign.slug])
    sent = dict(as_dana.get(page).context["form"].initial)
    sent = {name: value for name, value in sent.items() if value is not None}
    as_dana.post(page, sent | {"second_person": ["release", "erasure"]})
    campaign.refresh_from_db()
    assert campaign.second_person == ["release", "erasure"]
    said = words(as_dana.get(page))
    assert "A second person for: none → publishing a release, erasing a person" in said
    refused = as_dana.post(page, sent | {"second_person": ["release"]})
    assert "Only an admin can do without the second person" in words(refused)
