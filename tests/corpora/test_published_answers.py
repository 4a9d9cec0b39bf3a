"""Answers are published with the draw to train, also those drawn before there were rows of it."""

from collections.abc import Iterator
from typing import Any

import pytest

from collection.models import Campaign, PublishedAnswer, Twin
from corpora.drawing import splits_of_twins
from corpora.models import Draw
from tests.factories import CampaignFactory, TwinFactory
from tests.old_databases import OldDatabase, latest, migrate


def test_a_draw_to_train_publishes_the_answers_and_no_other_draw_does() -> None:
    campaign: Campaign = CampaignFactory()
    twins = [
        TwinFactory(campaign=campaign, published=True, sentences=(f"{n} _ fell.", f"{n} _ rose."))
        for n in range(40)
    ]
    splits_of_twins(campaign, {str(twin.public_id): 2 for twin in twins})
    train = Draw.objects.filter(split="train").values_list("twin", flat=True)
    published = PublishedAnswer.objects.values_list("twin", flat=True)
    assert set(published) == set(train)
    assert 0 < len(published) < len(twins)


@pytest.fixture
def old(old_database: OldDatabase) -> Iterator[Any]:
    targets = [("collection", "0009_money"), ("corpora", "0006_writers_left_out")]
    with old_database(targets) as apps:
        yield apps


@pytest.mark.long
def test_draws_of_before_get_theirs(old: Any) -> None:
    campaign = old.get_model("collection", "Campaign").objects.create(slug="old", name="Old")
    drawn = {}
    for split in ("train", "test"):
        twin = old.get_model("collection", "Twin").objects.create(
            campaign=campaign, origin="published", option1="a", option2="b"
        )
        old.get_model("corpora", "Draw").objects.create(
            twin=twin, split=split, origin="linked", is_pair=True
        )
        drawn[split] = twin.pk
    migrate([*latest("collection"), *latest("corpora")])
    published = Twin.objects.filter(published_answer__isnull=False)
    assert [twin.pk for twin in published.only("pk")] == [drawn["train"]]
