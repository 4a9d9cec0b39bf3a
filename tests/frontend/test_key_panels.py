"""Pages of people's votes on suspected keys, and of what follows."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Membership
from corpora.models import ReferenceSet
from evaluation.models import KeyPanel
from evaluation.services.key_panels import start_key_panel
from panels.api.serializers import PanelSeatSerializer
from panels.models import PanelSeat
from tests.access.test_key_revisions import first_difference, neutral
from tests.corpora.sets import imported
from tests.evaluation.done import evaluated
from tests.evaluation.key_panels import against, answered_panel, audit_of
from tests.factories import CampaignFactory, UserFactory
from tests.frontend.pages import words
from workers.models import User

Browse = Callable[[User], Client]


@pytest.fixture
def tiny() -> ReferenceSet:
    return imported("tiny", is_public=True)


@pytest.fixture
def answered(tiny: ReferenceSet) -> KeyPanel:
    audit = audit_of({"a-1"}, reference_set=tiny)
    return answered_panel(audit, against({"a-1"}), campaign=CampaignFactory(slug="kitchen"))


@pytest.mark.long
def test_the_cost_of_each_found_key_is_said_before_the_start(
    tiny: ReferenceSet, as_dana: Client
) -> None:
    CampaignFactory(slug="kitchen", reward_vote=Decimal("0.10"))
    audit = audit_of({"a-1"}, reference_set=tiny)
    page = reverse("new-key-panel", args=[audit.public_id])
    asked = {"campaign": "kitchen", "votes_per_item": 5, "fillers": 50, "seed": 0}
    text = words(as_dana.post(page, asked))
    assert "4 questions, 20 votes at $0.10" in text
    assert "$2.00" in text
    assert "50.0% of the groups have no suspected key" in text
    assert "0.9 of the 1 suspected keys are expected to be wrong." in text
    assert "Each wrong key found is expected to cost $2.51" in text  # 2.00 / (.9 × .884)
    assert not KeyPanel.objects.exists()
    response = as_dana.post(page, asked | {"start": "1"})
    row = KeyPanel.objects.get()
    assert response["Location"] == reverse("key-votes", args=[row.panel.public_id])
    text = words(as_dana.get(response["Location"]))
    assert "votes missing" in text
    assert "2 of 2 questions do not have all their votes yet." in text
    assert "Revise the keys" not in text
    page = as_dana.get(reverse("key-audit", args=[audit.public_id])).content.decode()
    assert f'href="{response["Location"]}"' in page


def what_voters_get(row: KeyPanel, browse: Browse) -> dict[bool, set[bytes]]:
    """Pages and API answers of the suspects and of the others, without texts, orders and ids."""
    suspects = set(row.audit.keys.suspected().values_list("source_id", flat=True))
    got: dict[bool, set[bytes]] = {True: set(), False: set()}
    for _person in range(12):
        bob = browse(UserFactory())
        held = bob.post(f"/api/v1/human-evaluations/{row.panel.public_id}/claim/").content
        pages = [reverse("home"), reverse("answer-human", args=[row.panel.public_id])]
        pages.append("/api/v1/human-evaluations/open/")
        seen = held + b"".join(bob.get(page).content for page in pages)
        seat = PanelSeat.objects.filter(panel=row.panel, claimed_at__isnull=False).latest(
            "claimed_at"
        )
        got[seat.item.source_id in suspects].add(without_texts(seen))
    return got


def without_texts(content: bytes) -> bytes:
    for word in (b"fell", b"bent", b"the cup", b"the tray"):
        content = content.replace(word, b"word")
    content = re.sub(rb"data-seconds(-left)?=\"\d+\"", b"", content)
    return re.sub(rb"user-?\d+", b"", neutral(content))


@pytest.mark.long
def test_nothing_that_a_voter_gets_tells_suspects_from_the_rest(
    tiny: ReferenceSet, browse: Browse, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = audit_of({"a-1", "a-2"}, reference_set=tiny)
    asked = {"audit": audit, "campaign": CampaignFactory(), "by": None, "votes_per_item": 3}
    row = start_key_panel(**asked)
    got = what_voters_get(row, browse)
    assert got[True]
    assert got[False]
    one, *others = got[True] | got[False]
    assert [first_difference(one, other) for other in others] == []
    shown = b"".join(got[True]).lower()
    assert not [word for word in (b"audit", b"suspect", b"chosen") if word in shown]

    # The control: one word more about a suspect.
    monkeypatch.setattr(
        PanelSeatSerializer,
        "get_asks",
        lambda _self, seat: "Sure?" if seat.item.source_id.startswith("a") else "",
    )
    got = what_voters_get(start_key_panel(**asked), browse)
    assert got[True] != got[False]


@pytest.mark.long
def test_the_place_of_a_suspect_in_the_queue_says_nothing(tiny: ReferenceSet) -> None:
    """Over seeds, suspects come first as often as the others; the control comes first always."""
    audit, campaign = audit_of({"a-1"}, reference_set=tiny), CampaignFactory()
    firsts = []
    for seed in range(40):
        row = start_key_panel(audit=audit, by=None, campaign=campaign, seed=seed, votes_per_item=3)
        place = PanelSeat.objects.filter(panel=row.panel).order_by("place").first()
        firsts.append(bool(place and place.item.source_id[0] == "a"))
    assert 10 <= sum(firsts) <= 30  # P < .002 for a fair coin


def test_the_votes_decide_and_the_next_version_has_both_scores(
    answered: KeyPanel, tiny: ReferenceSet, as_dana: Client, browse: Browse
) -> None:
    evaluated(tiny, "majority")
    page = reverse("key-votes", args=[answered.panel.public_id])
    text = words(as_dana.get(page))
    assert "key confirmed wrong" in text
    assert "key confirmed right" in text
    assert "were chosen because of an audit" in words(
        as_dana.get(reverse("human-evaluation", args=[answered.panel.public_id]))
    )
    revise = reverse("revise-keys", args=[answered.panel.public_id])
    for wrong in ({"name": "not a slug"}, {"name": "tiny-2", "credit": "Ada"}):
        assert 400 <= as_dana.post(revise, wrong).status_code < 500
    sent = {"name": "tiny-2", "credit": "Ada", "agreed": "on", "leave_out": "on"}
    assert as_dana.post(revise, sent).status_code == 302
    assert "corrected in the next version" in words(as_dana.get(page))
    reader = browse(UserFactory())
    for name in ("tiny", "tiny-2"):
        assert "Found by Ada." in words(reader.get(reverse("reference-set", args=[name])))
    place = ["reference-set", "tiny", "test"]
    assert "Scores on both versions" in words(reader.get(reverse("comparison", args=place)))
    both = words(reader.get(reverse("both-versions", args=place)))
    assert "Of 6 questions, another key: 1; left out: 0." in both
    assert "50.0%" in both
    assert reader.get(reverse("both-versions", args=place), {"after": "x"}).status_code == 404


def test_who_may_read_but_not_decide_revises_nothing(answered: KeyPanel, browse: Browse) -> None:
    reviewer, viewer = UserFactory(curator=True), UserFactory(curator=True)
    for user, role in ((reviewer, "REVIEWER"), (viewer, "VIEWER")):
        Membership.objects.filter(user=user).update(role=getattr(Membership.Role, role))
    revise = reverse("revise-keys", args=[answered.panel.public_id])
    page = reverse("key-votes", args=[answered.panel.public_id])
    sent: dict[str, Any] = {"name": "tiny-2", "leave_out": "on"}
    assert browse(viewer).get(page).status_code == 200
    assert browse(viewer).post(revise, sent).status_code == 404
    assert browse(UserFactory()).get(page).status_code in (403, 404)
    assert not ReferenceSet.objects.filter(name="tiny-2").exists()
    assert browse(reviewer).post(revise, sent).status_code == 302
