"""Curators' pages of a campaign: settings, guidelines, exercise, attributes."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.forms import BaseForm
from django.test import Client
from django.urls import reverse

from collection import services
from collection.models import Campaign, ExerciseItem, SettingsChange
from collection.services.campaigns.attributes import default_attributes
from frontend.setup.forms import NewCampaignForm
from frontend.setup.settings import history_of
from frontend.setup.settings_forms import CampaignForm
from tests.evaluation.test_starter_load import few  # noqa: F401  (a fixture)
from tests.factories import LedgerEntryFactory
from tests.frontend.pages import source, words
from validation import starter
from workers.models import User


def path(name: str) -> str:
    return reverse(name, args=["kitchen"])


def filled(form: BaseForm, **changes: Any) -> dict[str, Any]:
    """What a browser sends for a form as shown, with *changes*."""
    data: dict[str, Any] = {}
    for field in form:
        shown = field.value()
        if shown not in (None, []):
            data[field.html_name] = shown
        if field.field.show_hidden_initial:
            data[field.html_initial_name] = "" if shown is None else shown
    return data | changes


def as_shown(campaign: Campaign, **changes: Any) -> dict[str, Any]:
    return filled(CampaignForm(instance=campaign), **changes)


def test_every_setting_has_a_place_a_name_and_a_sentence() -> None:
    placed = [field.name for group in NewCampaignForm().groups() for field in group.fields]
    kept = {"id", "public_id", "status", "created_at"}
    assert {field.name for field in Campaign._meta.fields} - kept == set(placed)
    assert len(placed) == len(set(placed))
    assert all(Campaign._meta.get_field(name).help_text for name in placed)


@pytest.mark.long
def test_settings_are_shown_and_stored(as_dana: Client, campaign: Campaign) -> None:
    text = source(as_dana.get(path("campaign-settings")))
    assert 'value="0.40"' in text
    changes = {
        "reward_twin": "0.55",
        "twins_per_day_max": "20",
        "blocking": ["near_duplicate", "object_animal"],
        "paste_policy": "block",
    }
    response = as_dana.post(path("campaign-settings"), as_shown(campaign, **changes))
    assert response.status_code == 302
    campaign.refresh_from_db()
    assert (campaign.reward_twin, campaign.twins_per_day_max) == (Decimal("0.55"), 20)
    assert set(campaign.blocking) == {"near_duplicate", "object_animal"}
    assert campaign.paste_policy == "block"
    assert source(as_dana.get(path("campaign-settings"))).count(" checked") == 2


@pytest.mark.long
def test_the_history_and_outdated_guidelines_are_shown(
    as_dana: Client, dana: User, campaign: Campaign
) -> None:
    services.publish_guideline(campaign=campaign, text="Write 15 to 30 words.")
    pages = [path("campaign-settings"), path("campaign-guidelines")]
    assert "No setting has changed since" in words(as_dana.get(pages[0]))
    assert not any("have changed since" in words(as_dana.get(page)) for page in pages)
    changes = {"max_words": "25", "verdict_policy": "unanimous", "budget_cap": "900"}
    as_dana.post(pages[0], as_shown(campaign, **changes))
    text = words(as_dana.get(pages[0]))
    assert "Maximum words: 30 → 25" in text
    assert "Verdict: majority (AAAI 2020) → unanimous (arXiv v1)" in text
    assert "Budget: none → 900.00" in text
    assert dana.public_id in text
    for page in pages:
        text = words(as_dana.get(page))
        assert "Guidelines version 1 quote settings that have changed since" in text
        assert "Maximum words: the guidelines say 30, the setting is 25" in text
        assert "Verdict: the guidelines say" not in text


@pytest.mark.long
@pytest.mark.usefixtures("few")
def test_the_starters_history_says_when_and_by_whom_it_was_created(as_dana: Client) -> None:
    campaign = starter.load()
    assert campaign is not None
    created = history_of(campaign)[-1]
    assert (created.at, created.is_created) == (campaign.created_at, True)
    text = words(as_dana.get(reverse("campaign-settings", args=[campaign.slug])))
    assert f"Created {campaign.created_at:%-d %b %Y, %H:%M} UTC · the platform" in text
    assert "Recorded from here on" not in text


def test_a_history_that_begins_later_does_not_say_who_created_the_campaign(
    as_dana: Client, campaign: Campaign
) -> None:
    later = campaign.created_at + timedelta(days=1)
    SettingsChange.objects.create(campaign=campaign, after=campaign.settings, created_at=later)
    text = words(as_dana.get(path("campaign-settings")))
    assert "Recorded from here on" in text
    assert "the platform" not in text


def test_a_stale_page_does_not_undo_what_another_curator_changed(
    as_dana: Client, campaign: Campaign
) -> None:
    stale = as_shown(campaign, vote_minutes="5")
    services.update_campaign(campaign=campaign, reward_twin=Decimal("0.90"))
    as_dana.post(path("campaign-settings"), stale)
    campaign.refresh_from_db()
    assert (campaign.vote_minutes, campaign.reward_twin) == (5, Decimal("0.90"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", ""),
        ("name", "a\x00b"),
        ("min_words", "99"),
        ("min_words", "9" * 40),
        ("reward_twin", "-1"),
        ("reward_twin", "NaN"),
        ("votes_per_question", "4"),
        ("currency", "usd"),
        ("blocking", ["too_long"]),
        ("blocking", ["x"]),
        ("exercise_pass_share", "1.5"),
        ("min_approval_rate", "2"),
        ("verdict_policy", "coin"),
        ("budget_cap", "-1"),
        ("budget_cap", "1e99"),
        ("hourly_floor", "NaN"),
        ("gold_share", "0.6"),
        ("extra_votes_max", "7"),
        ("votes_per_day_max", "-1"),
        ("dev_share", "0.6"),
        ("test_share", "-0.1"),
    ],
)
def test_a_setting_that_cannot_be_is_told_and_nothing_is_stored(
    name: str, value: Any, as_dana: Client, campaign: Campaign
) -> None:
    data = as_shown(campaign, **{name: value, "vote_minutes": "7"})
    response = as_dana.post(path("campaign-settings"), data)
    assert response.status_code == 400
    assert "Nothing was saved" in words(response)
    assert words(response).count("Kitchen")
    campaign.refresh_from_db()
    assert (campaign.name, campaign.vote_minutes) == ("Kitchen", 3)


@pytest.mark.long
def test_a_cap_below_what_is_committed_is_told_beside_it(
    as_dana: Client, campaign: Campaign
) -> None:
    LedgerEntryFactory(budget=campaign.public_id, amount=Decimal("5.00"))
    response = as_dana.post(path("campaign-settings"), as_shown(campaign, budget_cap="4.99"))
    assert response.status_code == 400
    assert "With these settings $5.00 are committed, more than the budget of $4.99." in words(
        response
    )
    campaign.refresh_from_db()
    assert campaign.budget_cap is None
    refused = as_dana.post(path("campaign-settings"), as_shown(campaign, currency="EUR"))
    assert "Pay was promised in USD already" in words(refused)


@pytest.mark.long
def test_all_that_prevents_it_is_reported_at_once(as_dana: Client, campaign: Campaign) -> None:
    LedgerEntryFactory(budget=campaign.public_id, amount=Decimal("5.00"))
    data = as_shown(campaign, gold_share="97", budget_cap="4.99", vote_minutes="7")
    text = words(as_dana.post(path("campaign-settings"), data))
    assert "Write a share from 0 to 1: 0.97, not 97." in text
    assert "With these settings $5.00 are committed" in text
    campaign.refresh_from_db()
    assert (campaign.vote_minutes, campaign.budget_cap) == (3, None)
    only = as_shown(campaign, gold_share="97", vote_minutes="7")
    assert as_dana.post(path("campaign-settings"), only).status_code == 400
    campaign.refresh_from_db()
    assert campaign.vote_minutes == 3


@pytest.mark.long
def test_a_share_written_as_per_cent_is_answered_with_how_to_write_it(
    as_dana: Client, campaign: Campaign
) -> None:
    for written in ("97", "97 %", "1.5"):
        data = as_shown(campaign, min_approval_rate=written)
        text = words(as_dana.post(path("campaign-settings"), data))
        assert "Write a share from 0 to 1: 0.97, not 97." in text


@pytest.mark.long
def test_a_campaign_is_made_as_a_draft_with_the_shipped_table(as_dana: Client, db: None) -> None:
    assert "New campaign" in words(as_dana.get("/"))
    data = filled(NewCampaignForm(), name="Spring", slug="spring")
    response = as_dana.post(reverse("new-campaign"), data)
    assert response["Location"] == reverse("campaign-articles", args=["spring"])
    made = Campaign.objects.get()
    assert (made.status, made.reward_twin) == ("draft", Decimal("0.40"))
    assert made.attributes.count() == len(default_attributes())
    taken = as_dana.post(reverse("new-campaign"), data)
    assert taken.status_code == 400
    assert "already exists" in words(taken)


def test_guidelines_are_published_in_versions_that_stay_readable(
    as_dana: Client, dana: User, campaign: Campaign
) -> None:
    assert "No guidelines yet" in words(as_dana.get(path("campaign-guidelines")))
    for text in ("First.", "Second."):
        as_dana.post(path("campaign-guidelines"), {"text": text, "aids_policy": "None."})
    newest = campaign.guideline
    assert (newest.version, newest.created_by) == (2, dana)
    assert "Version 2" in words(as_dana.get(path("campaign-guidelines")))
    assert "First." in words(as_dana.get(path("campaign-guidelines") + "?version=1"))
    for version in ("3", "x", "9" * 30, "-1", "\x00"):
        there = as_dana.get(path("campaign-guidelines"), {"version": version})
        assert there.status_code == 404


def test_publishing_what_is_shown_makes_no_version(as_dana: Client, campaign: Campaign) -> None:
    services.publish_guideline(campaign=campaign, text="One.\n\nTwo.\n", aids_policy="None.\n")
    form = as_dana.get(path("campaign-guidelines")).context["form"]
    shown = {field.name: field.value() for field in form if field.value()}
    data = {name: value.replace("\n", "\r\n") for name, value in shown.items()}
    as_dana.post(path("campaign-guidelines"), data)
    assert campaign.guideline_set.count() == 1


def test_empty_guidelines_are_not_published(as_dana: Client, campaign: Campaign) -> None:
    response = as_dana.post(path("campaign-guidelines"), {"text": " ", "aids_policy": "x"})
    assert response.status_code == 400
    assert "Write the guidelines." in words(response)


EXERCISE = """
Which *pair* is good?

( ) wide / not wide
(x) wide / narrow

A real contrast.
==========
Second question
- with a list
(X) yes
( ) no
It just is.
"""


def test_an_exercise_is_written_as_text_and_comes_back_the_same(
    as_dana: Client, campaign: Campaign
) -> None:
    as_dana.post(path("campaign-exercise"), {"text": EXERCISE.replace("\n", "\r\n")})
    items = list(ExerciseItem.objects.current(campaign, "write"))
    assert [(item.answer, item.choices) for item in items] == [
        (2, ["wide / not wide", "wide / narrow"]),
        (1, ["yes", "no"]),
    ]
    assert items[1].prompt == "Second question\n- with a list"
    shown = as_dana.get(path("campaign-exercise")).context["form"]["text"].value()
    as_dana.post(path("campaign-exercise"), {"text": shown})
    assert list(ExerciseItem.objects.current(campaign, "write")) == items


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Just a question", "line 1: it has no choices"),
        ("\n\na\n( ) b\n( ) c\nd", "line 3: exactly one choice"),
        ("a\n(x) b\n(x) c\nd", "exactly one choice"),
        ("(x) b\n( ) c\nd", "no question before"),
        ("a\n(x) b\n( ) c\n", "no explanation after"),
        ("a\n(x) b\nwhy\n( ) c\nd", "must be on consecutive lines"),
        ("a\n(x) b\nc", "2 to 10 choices"),
        ("a\n(x) b\n( ) b\nc", "the same choice twice"),
        (f"a\n(x) {'b' * 301}\n( ) c\nd", "at most 300 characters"),
        ("a\x00\n(x) b\n( ) c\nd", "Null characters"),
    ],
)
def test_a_mistake_in_an_exercise_is_told_with_its_line(
    text: str, message: str, as_dana: Client, campaign: Campaign
) -> None:
    response = as_dana.post(path("campaign-exercise"), {"text": text})
    assert response.status_code == 400
    assert message in words(response)
    assert not ExerciseItem.objects.exists()


def test_the_shipped_table_is_text_that_comes_back_the_same(
    as_dana: Client, campaign: Campaign
) -> None:
    services.set_attributes(campaign=campaign, rows=default_attributes())
    before = list(campaign.attributes.values_list("name", "domain", "pairs"))
    shown = as_dana.get(path("campaign-attributes")).context["form"]["text"].value()
    assert as_dana.post(path("campaign-attributes"), {"text": shown}).status_code == 302
    assert list(campaign.attributes.values_list("name", "domain", "pairs")) == before


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weight", "Line 1: write “name |"),
        ("\nweight | moral | a / b", "Line 2: “moral” is not"),
        (" | things | a / b", "the attribute has no name"),
        ("weight | things | heavy, light", "“heavy, light” is not a pair"),
        ("weight | things | heavy / ", "is not a pair"),
        ("weight | things |", "needs 1 to 40 pairs"),
        ("weight | things | a / b\nWEIGHT | things | a / b", "twice"),
        ("weight | things | same / Same", "two different words"),
        (f"{'w' * 61} | things | a / b", "at most 60 characters"),
        ("a\x00 | both | a / b", "Null characters"),
    ],
)
def test_a_mistake_in_the_table_is_told_with_its_line(
    text: str, message: str, as_dana: Client, campaign: Campaign
) -> None:
    response = as_dana.post(path("campaign-attributes"), {"text": text})
    assert response.status_code == 400
    assert message in words(response)
    assert not campaign.attributes.exists()


def test_an_empty_text_empties_the_list(as_dana: Client, campaign: Campaign) -> None:
    services.set_attributes(campaign=campaign, rows=default_attributes())
    as_dana.post(path("campaign-exercise"), {"text": EXERCISE})
    for name in ("campaign-exercise", "campaign-attributes"):
        assert as_dana.post(path(name), {"text": "\n"}).status_code == 302
    assert not campaign.attributes.exists()
    assert not ExerciseItem.objects.current(campaign, "write").exists()
