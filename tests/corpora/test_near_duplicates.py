"""Near-duplicates are those that PostgreSQL finds sentence by sentence."""

import random
from collections.abc import Sequence

import pytest

from collection.models import Question, Twin
from corpora.building import trigrams
from corpora.building.tables import execute, planning
from corpora.building.trigrams import all_trigrams, similar_questions
from tests.corpora.plain_near_duplicates import plain_near_duplicates
from tests.factories import CampaignFactory

WORDS = (
    *("carpenter", "garden", "fence", "rotten", "winter", "kettle", "potato", "Zoë", "café", "水"),
    *("O'Neill", "x", "3.5", "co-op", "naïve", "violin", "trumpet", "orchestra", "melody"),
    *("harbour", "sailor", "lantern", "storm", "running", "runs", "runner"),
)
THRESHOLDS = (0.3, 0.45, 0.6, 0.7, 0.9, 1.0)


def twins(seed: int, n: int) -> list[int]:
    """Twins whose sentences have many words in common, or none."""
    rng, campaign, made = random.Random(seed), CampaignFactory(), []
    for _ in range(n):
        twin = Twin.objects.create(campaign=campaign, origin="published", option1="a", option2="b")
        words = rng.choices(WORDS, k=rng.choice([0, 1, 2, 4, 6, 8]))
        for number in (1, 2):
            more = rng.choices(WORDS, k=rng.choice([0, 1, 2]))
            sentence = " ".join(rng.sample(["the", "_", *words, *more], 2 + len(words + more)))
            Question.objects.create(twin=twin, number=number, answer=number, sentence=sentence)
        made.append(twin.pk)
    return made


def found(blind: Sequence[int], threshold: float) -> list[tuple[int, int]]:
    with planning():
        execute("INSERT INTO planned_secret SELECT unnest(%s::bigint[])", [list(blind)])
        with all_trigrams(progress=lambda _: None) as stored:
            parts = similar_questions(stored, threshold=threshold, progress=lambda _: None)
            return [pair for i, j in parts for pair in zip(i.tolist(), j.tolist(), strict=True)]


@pytest.mark.parametrize(("seed", "threshold"), [*enumerate(THRESHOLDS)])
def test_they_are_those_of_the_index(
    seed: int, threshold: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in several blocks, and where the similarity equals the threshold."""
    monkeypatch.setattr(trigrams, "PAGES_IN_BLOCK", 1 + seed % 2)
    monkeypatch.setattr(trigrams, "CHUNK", 20)
    monkeypatch.setattr(trigrams, "_PAGE", trigrams._PAGE.replace("LIMIT 5000", "LIMIT 17"))
    made = twins(seed, 40)
    blind = made[:: 1 + seed % 3]

    pairs = found(blind, threshold)

    assert set(pairs) == plain_near_duplicates(blind, threshold=threshold)
    assert pairs


def test_without_a_blind_twin_there_are_none() -> None:
    twins(0, 3)
    assert found([], 0.3) == []
