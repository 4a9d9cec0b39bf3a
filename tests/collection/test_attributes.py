"""The attribute table: set as a whole, searched by name and by word."""

import pytest
from django.core.exceptions import ValidationError

from collection import services
from collection.models import Attribute, Campaign
from collection.selectors.attributes import search_attributes
from collection.services import AttributeRow
from collection.services.campaigns.attributes import default_attributes
from tests.factories import CampaignFactory

ROWS = [
    AttributeRow("speed", "both", (("fast", "slow"),)),
    AttributeRow("weight", "physical", (("heavy", "light"), ("overloaded", "empty"))),
    AttributeRow("mood", "social", (("cheerful", "gloomy"), ("light-hearted", "sad"))),
]


@pytest.fixture
def campaign() -> Campaign:
    campaign = CampaignFactory()
    services.set_attributes(campaign=campaign, rows=ROWS)
    return campaign


def names(campaign: Campaign, **search: str) -> list[str]:
    return [attribute.name for attribute in search_attributes(campaign, **search)]


def test_without_a_query_the_whole_table_comes_by_name(campaign: Campaign) -> None:
    assert names(campaign) == ["mood", "speed", "weight"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("we", ["weight"]),
        ("light", ["mood", "weight"]),
        ("OLOA", []),
        ("load", ["weight"]),
        ("  heavy ", ["weight"]),
        ("e", ["speed", "weight", "mood"]),
        ("\x00", []),
    ],
)
def test_a_query_finds_names_before_words(query: str, found: list[str], campaign: Campaign) -> None:
    assert names(campaign, query=query) == found


def test_a_domain_leaves_out_what_fits_the_other_one_only(campaign: Campaign) -> None:
    assert names(campaign, domain="social") == ["mood", "speed"]
    assert names(campaign, domain="physical") == ["speed", "weight"]
    assert names(campaign, domain="anything") == ["mood", "speed", "weight"]


def test_setting_the_table_replaces_it(campaign: Campaign) -> None:
    services.set_attributes(campaign=campaign, rows=ROWS[:1])
    assert names(campaign) == ["speed"]
    services.set_attributes(campaign=campaign, rows=[])
    assert names(campaign) == []


@pytest.mark.parametrize(
    "row",
    [
        AttributeRow("", "both", (("a", "b"),)),
        AttributeRow("x", "moral", (("a", "b"),)),
        AttributeRow("x", "both", ()),
        AttributeRow("x", "both", (("a", "A"),)),
        AttributeRow("x", "both", (("a", " "),)),
        AttributeRow("x", "both", (("a", "b" * 61),)),
        AttributeRow("x" * 61, "both", (("a", "b"),)),
        AttributeRow("x", "both", (("a", "b"),) * 41),
        AttributeRow("Speed", "both", (("a", "b"),)),
    ],
)
def test_a_line_that_cannot_be_is_refused_and_the_table_stays(
    row: AttributeRow, campaign: Campaign
) -> None:
    with pytest.raises(ValidationError):
        services.set_attributes(campaign=campaign, rows=[*ROWS, row])
    assert Attribute.objects.count() == 3


def test_a_new_campaign_begins_with_the_table_that_we_ship() -> None:
    campaign = services.create_campaign(slug="new", name="New")
    assert campaign.attributes.count() == len(default_attributes()) >= 60


def test_the_shipped_table_is_varied_and_says_nothing_twice() -> None:
    rows = default_attributes()
    by_domain = {row.domain for row in rows}
    assert by_domain == {"social", "physical", "both"}
    pairs = [frozenset(pair) for row in rows for pair in row.pairs]
    assert len(pairs) >= 150
    for row in rows:
        assert len(set(row.pairs)) == len(row.pairs), row.name
