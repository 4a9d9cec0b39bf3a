"""Snapshots and releases of several campaigns draw at once: one text, one split."""

from functools import partial

import pytest

from collection.models import Campaign, Twin
from corpora import drawing
from corpora.models import Draw
from tests.factories import CampaignFactory, TwinFactory
from tests.races.threads import at_once

CAMPAIGNS, TEXTS = 4, 12


def campaigns() -> list[Campaign]:
    """Campaigns that hold the same texts."""
    made: list[Campaign] = CampaignFactory.create_batch(
        CAMPAIGNS, dev_share="0.30", test_share="0.40"
    )
    for campaign in made:
        for number in range(TEXTS):
            sentences = (f"The cup {number} _ fell.", f"The jar {number} _ fell.")
            TwinFactory(campaign=campaign, published=True, sentences=sentences)
    return made


def draw(campaign: Campaign) -> dict[str, str]:
    return drawing.splits_of_twins(
        campaign, {str(id): 2 for id in campaign.twins.values_list("public_id", flat=True)}
    )


def splits_of_a_text() -> list[set[str]]:
    found: dict[str, set[str]] = {}
    for twin in Twin.objects.select_related("draw"):
        for sentence in twin.questions.values_list("sentence", flat=True):
            found.setdefault(sentence, set()).add(twin.draw.split)
    return list(found.values())


def test_campaigns_that_draw_at_once_give_a_text_one_split() -> None:
    at_once(*[partial(draw, campaign) for campaign in campaigns()])
    assert Draw.objects.count() == CAMPAIGNS * TEXTS
    assert all(len(splits) == 1 for splits in splits_of_a_text())


def test_without_taking_turns_a_text_is_blind_here_and_shown_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: looking first and drawing later misses the others' draws."""
    monkeypatch.setattr(drawing, "_take_turns", lambda: None)
    at_once(*[partial(draw, campaign) for campaign in campaigns()])
    assert any("test" in splits and len(splits) > 1 for splits in splits_of_a_text())


def test_a_snapshot_and_a_release_that_draw_the_same_twins_agree() -> None:
    campaign = campaigns()[0]
    first, *others = at_once(*[partial(draw, campaign)] * 6)
    assert isinstance(first, dict)
    assert others == [first] * 5


def test_without_taking_turns_the_second_of_two_draws_breaks_the_constraint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawing, "_take_turns", lambda: None)
    campaign = campaigns()[0]
    ends = at_once(*[partial(draw, campaign)] * 6)
    assert any("corpora_draw_twin_id_key" in str(end) for end in ends)
