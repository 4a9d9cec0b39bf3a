"""A database of before keeps what it holds when it is brought up to date, and on the way back."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from collection.services.attributes import default_attributes
from tests.old_databases import latest, migrate, old_database

BEFORE = [("collection", "0001_initial")]
TABLES = [("collection", "0002_authoring")]
NOW = [("collection", "0004_remove_campaign_guidelines")]
SENTENCES = (
    "The trophy did not fit into the brown suitcase because the _ was far too large for it.",
    "The trophy did not fit into the brown suitcase because the _ was far too small for it.",
)


@pytest.fixture
def before(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Any]:
    with old_database(django_db_blocker, BEFORE) as apps:
        yield apps


def put(apps: Any) -> None:
    campaign = apps.get_model("collection", "Campaign").objects.create(
        slug="kitchen", name="Kitchen", guidelines="Write *well*."
    )
    apps.get_model("collection", "Campaign").objects.create(slug="bare", name="Bare")
    twin = apps.get_model("collection", "Twin").objects.create(
        campaign=campaign,
        domain="physical",
        anchor="Suitcases",
        option1="trophy",
        option2="suitcase",
        trigger={"first": "large", "second": "small"},
        origin="published",
        source_id="3XYZ",
    )
    for number, sentence in enumerate(SENTENCES, start=1):
        apps.get_model("collection", "Question").objects.create(
            twin=twin, number=number, sentence=sentence, answer=number
        )


def test_guidelines_and_twins_come_along(before: Any) -> None:
    put(before)

    now = migrate(NOW)

    [guideline] = now.get_model("collection", "Guideline").objects.all()
    assert (guideline.campaign.slug, guideline.version) == ("kitchen", 1)
    assert guideline.text == "Write *well*."
    twin = now.get_model("collection", "Twin").objects.get()
    assert twin.anchor_key == "suitcase"
    assert twin.trigger_key
    assert twin.cues


def test_the_newest_guidelines_are_there_on_the_way_back(before: Any) -> None:
    put(before)
    now = migrate(NOW)
    campaign = now.get_model("collection", "Campaign").objects.get(slug="kitchen")
    now.get_model("collection", "Guideline").objects.create(
        campaign=campaign, version=2, text="Write better."
    )

    back = migrate(BEFORE)

    texts = back.get_model("collection", "Campaign").objects.values_list("slug", "guidelines")
    assert dict(texts) == {"kitchen": "Write better.", "bare": ""}


def test_campaigns_without_an_attribute_table_get_the_shipped_one(before: Any) -> None:
    put(before)
    between = migrate(TABLES)
    bare = between.get_model("collection", "Campaign").objects.get(slug="bare")
    own = between.get_model("collection", "Attribute")
    own.objects.create(campaign=bare, name="size", domain="both", pairs=[["big", "small"]])

    now = migrate(NOW)

    rows = now.get_model("collection", "Attribute").objects
    got = rows.filter(campaign__slug="kitchen").order_by("name").values_list("name", "pairs")
    shipped = sorted(default_attributes(), key=lambda row: row.name)
    assert list(got) == [(row.name, [list(pair) for pair in row.pairs]) for row in shipped]
    assert [row.name for row in rows.filter(campaign__slug="bare")] == ["size"]


def test_what_writers_were_advised_quotes_nobody_any_more(before: Any) -> None:
    put(before)
    twins = migrate(NOW).get_model("collection", "Twin").objects
    said = "right in 6 of 6 other sentences, such as “The vase …”"
    codes = ("near_duplicate", "pair_association", "trigger_negation", "machine_guesses")
    twins.update(
        advice=[{"code": code, "message": said, "value": 1.5, "example": "x"} for code in codes]
    )
    twins.create(campaign=twins.get().campaign, option1="a", option2="b", origin="published")

    now = migrate(latest("collection")).get_model("collection", "Twin").objects

    assert now.get(source_id="").advice == []
    advice = now.get(source_id="3XYZ").advice
    assert [(each["code"], each["value"], each["example"]) for each in advice] == [
        (code, 1.5, "x") for code in codes
    ]
    assert [said in each["message"] for each in advice] == [False, False, True, True]
