"""Two owners who remove each other at the same moment: one stays."""

from functools import partial
from threading import Barrier
from typing import Any

import pytest

from collection.models import Campaign, Membership
from collection.services.campaigns import members
from tests.factories import CampaignFactory, UserFactory
from tests.races.threads import at_once
from winoplatform.errors import DomainError


def remove_at_once() -> tuple[Campaign, list[Any]]:
    first, second = UserFactory.create_batch(2, curator=True)
    campaign = CampaignFactory()
    remove = partial(members.remove_member, campaign=campaign)
    return campaign, at_once(
        partial(remove, user=first, by=first), partial(remove, user=second, by=second)
    )


def test_one_owner_stays() -> None:
    campaign, answers = remove_at_once()
    assert [answer.code for answer in answers if isinstance(answer, DomainError)] == ["last_owner"]
    assert Membership.objects.filter(campaign=campaign).count() == 1


def test_without_turns_nobody_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    check, both = members._refuse_without_owner, Barrier(2)

    def checked(member: Membership) -> None:
        check(member)
        both.wait(30)

    monkeypatch.setattr(members, "_refuse_without_owner", checked)
    monkeypatch.setattr(members, "_take_turns", lambda campaign, by, right: None)
    campaign, _answers = remove_at_once()
    assert not Membership.objects.filter(campaign=campaign).exists()
