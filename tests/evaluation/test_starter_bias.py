"""The starter shows the filter at work: it finds the planted habit, and nothing without it."""

from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from collection.models import Campaign
from corpora.models import Snapshot
from evaluation.starter import begin
from filtering.core.aflite import AFLite
from filtering.core.leaks import option_features
from filtering.core.one_half import Comparison
from filtering.core.parameters import settings
from filtering.core.probes import whole
from filtering.core.table import Table
from filtering.models import FilterRun
from modeling.encoders import load_encoder
from modeling.specs import DEFAULT_ENCODER
from tests.factories import CampaignFactory, UserFactory
from tests.filtering.stages import published_twins
from validation import starter

TWINS = starter.read_lines("twins.jsonl")


def test_its_filter_runs_are_one_without_the_habit_and_one_with_all_writers() -> None:
    campaign = CampaignFactory(slug="starter")
    published_twins(8, campaign=campaign)
    writers = [UserFactory(username=name) for name in starter.planted_authors()]
    for writer in writers:
        published_twins(1, campaign=campaign, author=writer)
    clean, pipeline = begin(campaign, release_name="starter-1")
    assert clean is not None
    assert set(clean.encoding.snapshot.without_writers) == {writer.pk for writer in writers}
    assert pipeline.snapshot.without_writers == []
    captions = FilterRun.objects.order_by("pk").values_list("caption", flat=True)
    assert list(captions) == ["Without a09 and a10", "All writers"]


def test_without_twins_of_those_writers_one_run_is_enough() -> None:
    campaign: Campaign = CampaignFactory(slug="starter")
    published_twins(10, campaign=campaign)
    assert begin(campaign, release_name="starter-1")[0] is None
    assert Snapshot.objects.count() == 1


@pytest.fixture(scope="module")
def features() -> dict[tuple[str, int], np.ndarray[Any, Any]]:
    """The default features of each question."""
    encoder = load_encoder(DEFAULT_ENCODER)
    keys = [(twin["key"], number) for twin in TWINS for number in (1, 2)]
    both = [
        encoder.encode(
            [t[f"sentence{n}"].replace("_", t[f"option{option}"]) for t in TWINS for n in (1, 2)]
        )
        for option in (1, 2)
    ]
    return dict(zip(keys, option_features(*both), strict=True))


def valid(seed: int, *, planted: bool) -> Iterator[tuple[dict[str, Any], int, UUID, UUID]]:
    """An installation's valid questions: which ones, and their ids, are random in each."""
    random = Random(seed)
    for twin in TWINS:
        group = UUID(int=random.getrandbits(128))
        for number in (1, 2):
            question, drawn = UUID(int=random.getrandbits(128)), random.random()
            good = drawn < 0.9 if twin["flaw"] is None else drawn < 0.05
            if good and (planted or not starter.is_planted(twin)):
                yield twin, number, group, question


def filtered(features: Any, seed: int, *, planted: bool) -> tuple[Comparison, Comparison, Any]:
    """Run the default filter; return fresh models before and after, and the estimator."""
    rows = list(valid(seed, planted=planted))
    X = np.stack([features[twin["key"], number] for twin, number, *_ in rows])  # noqa: N806
    y = np.array([twin[f"answer{number}"] for twin, number, *_ in rows])
    groups, ids = [str(row[2]) for row in rows], [str(row[3]) for row in rows]
    found = AFLite(seed=0, **settings("neutral", len(y))).fit(X, y, groups=groups, ids=ids)
    before, after = (
        whole(
            Table.of(
                X[kept],
                y[kept],
                groups=[one for one, stays in zip(groups, kept, strict=True) if stays],
                ids=[one for one, stays in zip(ids, kept, strict=True) if stays],
            )
        ).grouped
        for kept in (np.ones(len(y), dtype=bool), found.support_)
    )
    return before, after, found


@pytest.mark.long
def test_in_ten_installations_of_ten_the_default_filter_finds_it_and_ends_neutral(
    features: Any,
) -> None:
    for seed in range(10):
        before, after, found = filtered(features, seed, planted=True)
        assert before.direction == "above"
        assert (~found.support_).sum() >= 20
        assert found.stop_reason_ == "neutral"
        assert before.accuracy.value is not None
        assert after.accuracy.value is not None
        assert abs(after.accuracy.value - 0.5) < before.accuracy.value - 0.5


@pytest.mark.long
def test_without_these_writers_there_is_nothing_to_remove_but_by_chance(features: Any) -> None:
    """At a level of 5 %: three of ten are found by chance in one set of 90."""
    runs = [filtered(features, seed, planted=False) for seed in range(10)]
    assert sum(found.stop_reason_ != "no_bias" for _, _, found in runs) <= 2
    # Unfound, a bias of four points is not there with a probability of 80 %.
    assert max(before.detectable or 1 for before, _, _ in runs) < 0.54
