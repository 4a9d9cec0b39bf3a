"""Snapshots and releases of several campaigns draw at once: one text, one split."""

from collections.abc import Collection
from functools import partial
from threading import Barrier, Event
from typing import Any

import pytest

from collection.models import Campaign, Twin
from corpora import drawing, services
from corpora.models import Draw
from corpora.services import reference_sets
from tests.corpora.sets import imported
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


def without_taking_turns(monkeypatch: pytest.MonkeyPatch, *, draws: int) -> None:
    """Remove the guard, and let all draws read the others' splits before the first one writes."""
    known, all_read = drawing._known, Barrier(draws)

    def read(*args: Any, **kwargs: Any) -> dict[int, set[str]]:
        found = known(*args, **kwargs)
        all_read.wait(30)
        return found

    monkeypatch.setattr(drawing, "take_turns", lambda: None)
    monkeypatch.setattr(drawing, "_known", read)


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
    """The control: a draw that has read the others' splits does not see what they write next."""
    without_taking_turns(monkeypatch, draws=CAMPAIGNS)
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
    without_taking_turns(monkeypatch, draws=6)
    campaign = campaigns()[0]
    ends = at_once(*[partial(draw, campaign)] * 6)
    assert any("corpora_draw_twin_id_key" in str(end) for end in ends)


def drawn_while_a_set_is_published(monkeypatch: pytest.MonkeyPatch) -> str:
    """Bring in and draw a blind twin once a set that has its sentences was found harmless."""
    found, campaign, note = imported(), CampaignFactory(), reference_sets.note_published
    checked, is_drawn = Event(), Event()

    def noted(answered: Collection[str], unanswered: Collection[str]) -> None:
        checked.set()
        is_drawn.wait(0.5)
        note(answered, unanswered)

    def bring() -> None:
        checked.wait(10)
        sentences = ("The cup stood on the tray, so _ fell.", "The tray stood, so _ fell.")
        TwinFactory(campaign=campaign, published=True, source_split="test", sentences=sentences)
        draw(campaign)
        is_drawn.set()

    monkeypatch.setattr(reference_sets, "note_published", noted)
    publish = partial(services.change_reference_set, reference_set=found, is_public=True)
    assert at_once(publish, bring) == [found, None]
    return Draw.objects.get().split


def test_a_twin_that_is_drawn_while_its_set_is_published_is_not_blind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert drawn_while_a_set_is_published(monkeypatch) == "withheld"


def test_without_taking_turns_such_a_twin_is_blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    monkeypatch.setattr(drawing, "take_turns", lambda: None)
    assert drawn_while_a_set_is_published(monkeypatch) == "test"
