"""Settings have a history: who changed what, and when; twins keep what they were written under."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from collection import services
from collection.models import Campaign, SettingsChange, Twin
from collection.models.campaigns import OF_TWINS
from collection.selectors.setup import outdated_quotes, settings_at
from collection.services.campaigns.templates import create_from_template
from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.old_databases import OldDatabase, latest, migrate
from tests.writing import submit
from winoplatform.errors import DomainError


@pytest.fixture
def campaign(db: None) -> Campaign:
    return services.create_campaign(slug="winter", name="Winter", by=UserFactory(curator=True))


def entries(campaign: Campaign) -> list[SettingsChange]:
    return list(campaign.settings_changes.order_by("pk"))


def test_each_change_says_who_when_and_from_what_to_what(campaign: Campaign) -> None:
    dana, start = UserFactory(curator=True), timezone.now()
    services.update_campaign(
        campaign=campaign, by=dana, votes_per_question=1, min_overlap=Decimal("0.8"), max_words=30
    )
    services.update_campaign(campaign=campaign, by=dana, votes_per_question=1)
    begun, change = entries(campaign)
    assert (begun.before, begun.after["votes_per_question"]) == ({}, 3)
    assert begun.after.keys() == campaign.settings.keys()
    assert change.before == {"votes_per_question": 3, "min_overlap": "0.70"}
    assert change.after == {"votes_per_question": 1, "min_overlap": "0.80"}
    assert (change.by, begun.created_at) == (dana, campaign.created_at)
    assert start < change.created_at
    campaign.refresh_from_db()
    assert settings_at(campaign, start)["min_overlap"] == "0.70"
    assert settings_at(campaign, timezone.now()) == campaign.settings


def test_a_refused_change_leaves_no_entry(campaign: Campaign) -> None:
    TwinFactory(campaign=campaign, seats=3)
    with pytest.raises(DomainError, match="committed"):
        services.update_campaign(campaign=campaign, budget_cap=Decimal("0.01"))
    assert len(entries(campaign)) == 1


def test_a_campaign_without_a_history_begins_one_at_its_first_change() -> None:
    campaign = CampaignFactory()
    services.update_campaign(campaign=campaign, max_words=25)
    begun, change = entries(campaign)
    assert (begun.after["max_words"], begun.created_at) == (30, campaign.created_at)
    assert (change.before, change.after) == ({"max_words": 30}, {"max_words": 25})


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE collection_settingschange SET created_at = now()",
        "DELETE FROM collection_settingschange",
        "UPDATE collection_twin SET max_words = 99",
        "UPDATE collection_twin SET votes_per_question = 1, verdict_policy = 'unanimous'",
    ],
)
def test_the_database_lets_nobody_rewrite_it(campaign: Campaign, statement: str) -> None:
    TwinFactory(campaign=campaign)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_twin_keeps_the_settings_under_which_it_was_submitted(campaign: Campaign) -> None:
    old = TwinFactory(campaign=campaign)
    services.update_campaign(campaign=campaign, min_words=5, verdict_policy="unanimous")
    campaign.refresh_from_db()
    new, published = TwinFactory(campaign=campaign), TwinFactory(campaign=campaign, published=True)
    kept = [tuple(getattr(twin, name) for name in OF_TWINS) for twin in (old, new, published)]
    assert kept[0] == (15, 30, Decimal("0.70"), 3, "majority")
    assert kept[1] == (5, 30, Decimal("0.70"), 3, "unanimous")
    assert kept[2] == (None, None, None, 0, "")


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "changes", "names"),
    [
        ("Write 15 to 30 words.", {"max_words": 25}, ["max_words"]),
        ("Between fifteen and thirty words.", {"min_words": 20}, ["min_words"]),
        ("Three others read each sentence.", {"votes_per_question": 5}, ["votes_per_question"]),
        ("A twin pays $0.40.", {"reward_twin": Decimal("0.50")}, ["reward_twin"]),
        ("A vote pays 3 cents.", {"reward_vote": Decimal("0.05")}, ["reward_vote"]),
        ("At least 70 % of the words.", {"min_overlap": Decimal("0.60")}, ["min_overlap"]),
        ("It counts if most agree.", {"verdict_policy": "unanimous"}, ["verdict_policy"]),
        ("You have an hour.", {"assignment_minutes": 30}, ["assignment_minutes"]),
        ("Write 15 to 30 words.", {"votes_per_question": 5}, []),
        ("Write on one of 30 topics.", {"max_words": 25}, []),
    ],
)
def test_guidelines_that_quote_a_former_setting_are_told(
    campaign: Campaign, text: str, changes: dict[str, Any], names: list[str]
) -> None:
    services.publish_guideline(campaign=campaign, text=text)
    assert outdated_quotes(campaign) is None
    campaign = services.update_campaign(campaign=campaign, **changes)
    found = outdated_quotes(campaign)
    assert [name for name, _, _ in found.changes] == names if found else names == []
    services.publish_guideline(campaign=campaign, text=f"{text} Again.")
    assert outdated_quotes(campaign) is None


def test_the_template_quotes_what_it_was_made_with() -> None:
    made = create_from_template(
        task="both", by=UserFactory(curator=True), slug="new", name="New", max_words=25
    )
    assert outdated_quotes(made) is None
    changed = services.update_campaign(campaign=made, max_words=28, min_overlap=Decimal("0.80"))
    found = outdated_quotes(changed)
    assert found is not None
    assert found.changes == (("max_words", 25, 28), ("min_overlap", "0.70", "0.80"))


@pytest.fixture
def old(old_database: OldDatabase) -> Iterator[Any]:
    targets = [("collection", "0004_goal"), ("validation", "0004_facts_indexes")]
    with old_database(targets) as apps:
        yield apps


@pytest.mark.long
def test_twins_of_before_get_what_their_seats_and_verdicts_show(old: Any) -> None:
    models = {name: old.get_model("collection", name) for name in ("Campaign", "Twin", "Question")}
    alice = old.get_model("workers", "User").objects.create(username="alice", public_id="alice")
    campaign = models["Campaign"].objects.create(slug="old", name="Old", votes_per_question=1)

    def twin(seats: int, **verdict: Any) -> int:
        made = models["Twin"].objects.create(
            campaign=campaign, author=alice, option1="a", option2="b"
        )
        question = models["Question"].objects.create(twin=made, number=1, sentence="_", answer=1)
        for number in range(1, seats + 1):
            old.get_model("validation", "Seat").objects.create(
                question=question, number=number, campaign=campaign, twin=made, author=alice,
                place=made.pk,
            )  # fmt: skip
        if verdict:
            old.get_model("validation", "Verdict").objects.create(
                question=question, valid=True, version=2, **verdict
            )
        return made.pk

    plain, further = twin(3, policy="unanimous"), twin(4)
    curated = twin(0, policy="unanimous", decided_by=alice)
    old.get_model("validation", "VerdictEvent").objects.create(
        question=models["Question"].objects.get(twin=further), action="one_more",
        created_at=timezone.now() - timedelta(days=1),
    )  # fmt: skip
    migrate([*latest("collection"), *latest("validation")])
    kept = Twin.objects.values_list("votes_per_question", "verdict_policy", "max_words")
    assert kept.get(pk=plain) == (3, "unanimous", 30)
    assert kept.get(pk=further) == (3, "majority", 30)
    assert kept.get(pk=curated) == (1, "majority", 30)
    begun = SettingsChange.objects.get()
    assert (begun.before, begun.after["votes_per_question"], begun.by) == ({}, 1, None)


def test_a_twin_is_stored_with_the_settings_that_checked_it(campaign: Campaign) -> None:
    """The settings change while a text is being checked."""
    from tests.factories import ArticleFactory, AssignmentFactory

    article = ArticleFactory(campaign=campaign)
    held = AssignmentFactory(campaign=campaign, article=article)
    services.change_status(campaign=campaign, status="open")
    services.update_campaign(campaign=campaign, max_words=20)
    made = submit(held, client_key=held.public_id)
    assert (made.max_words, made.votes_per_question) == (20, 3)
