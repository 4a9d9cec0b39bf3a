"""Attacks on a campaign's money with nothing but the link of one of its studies."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collection.models import Campaign, Study
from tests.factories import ArticleFactory, ExerciseItemFactory, StudyFactory
from tests.frontend.crowd_attacks import (
    bonuses,
    credited,
    hand_in,
    invent_sessions,
    prolific_link,
    script_participants,
    shown_choices,
)
from tests.frontend.pages import words
from validation.selectors.reconciliation import check_ledger
from winoplatform.http import throttle
from workers.models import User

REWARD = Decimal("0.50")
KNOWN = "the right one"


@pytest.fixture
def campaign(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    Campaign.objects.update(budget_cap="10.00", reward_exercise=REWARD)
    ArticleFactory.create_batch(3, campaign=campaign)
    campaign.refresh_from_db()
    return campaign


@pytest.fixture
def study(campaign: Campaign) -> Study:
    return StudyFactory(campaign=campaign, provider="prolific", places=12)


@pytest.mark.long
def test_one_participant_with_invented_sessions_gets_one(
    study: Study, campaign: Campaign, dana: User
) -> None:
    """Before: all 15 sessions were let in, and 15 times 0.40 went out as a bonus."""
    assert invent_sessions(study, 15) == 1
    assert bonuses(campaign, dana) == Decimal("0.40")
    assert check_ledger(campaign).reconciled


@pytest.mark.long
def test_scripted_participants_are_paid_for_places_at_most(
    study: Study, campaign: Campaign, dana: User
) -> None:
    """Before: all were let in, and paid until nothing was left of the cap."""
    ExerciseItemFactory.create_batch(5, campaign=campaign)
    assert script_participants(study, 60, knows=KNOWN) == study.places
    assert credited(campaign) == study.places * REWARD
    assert check_ledger(campaign).reconciled
    honest = StudyFactory(campaign=campaign, provider="prolific", places=1)
    assert script_participants(honest, 1, first=60, knows=KNOWN) == 1
    assert credited(campaign) == (study.places + 1) * REWARD


@pytest.mark.long
def test_participants_from_one_address_are_limited_by_the_hour(
    study: Study, campaign: Campaign, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CROWD_ARRIVALS_PER_HOUR = 3
    here = f"192.0.2.{campaign.pk % 250}"
    client = Client(REMOTE_ADDR=here)
    monkeypatch.setattr(throttle, "network_of", lambda address: f"{address} {campaign.public_id}")
    came = [
        client.post(prolific_link(study, f"{n:024x}", f"{n:024x}")).status_code for n in range(5)
    ]
    assert came == [302] * 3 + [429] * 2
    refused = client.post(prolific_link(study, "f" * 24, "f" * 24))
    assert "Many new participants have arrived from your network" in words(refused)
    assert "This is not your fault." in words(refused)
    assert client.post(prolific_link(study, f"{0:024x}", f"{0:024x}")).status_code == 302
    elsewhere = Client(REMOTE_ADDR="198.51.100.9")
    assert elsewhere.post(prolific_link(study, "e" * 24, "e" * 24)).status_code == 302


@pytest.mark.long
def test_the_pages_say_that_a_study_is_full_and_that_one_has_taken_part(study: Study) -> None:
    Study.objects.update(places=1)
    client = Client()
    client.post(prolific_link(study, "a" * 24, "a" * 24))
    again = client.get(prolific_link(study, "a" * 24, "b" * 24))
    assert again.status_code == 409
    assert "You have already taken part" in words(again)
    assert "Open the link of that session" in words(again)
    for method in ("get", "post"):
        full = getattr(Client(), method)(prolific_link(study, "c" * 24, "c" * 24))
        assert full.status_code == 409
        assert "This study is full" in words(full)
    assert client.get(prolific_link(study, "a" * 24, "a" * 24)).status_code == 302


@pytest.mark.long
def test_wrong_answers_are_not_paid_and_the_pages_say_so_before_and_after(
    study: Study, campaign: Campaign
) -> None:
    ExerciseItemFactory.create_batch(5, campaign=campaign)
    client = Client()
    client.post(prolific_link(study, "a" * 24, "a" * 24))
    join = reverse("join", args=[campaign.slug])
    before = words(client.get(join))
    assert "$0.50, once, if you pass. You pass with 4 of 5 correct." in before
    wrong = {
        name: next(value for said, value in choices.items() if said != KNOWN)
        for name, choices in shown_choices(client, study).items()
    }
    assert len(wrong) == 5
    page = hand_in(client, study, wrong)
    assert credited(campaign) == 0
    assert "0 of 5 answers were correct" in words(page)
    assert "This attempt is not paid" in words(page)
