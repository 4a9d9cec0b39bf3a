"""How many valid pairs each split would get if a campaign's splits were drawn now."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Subquery

from collection.models import Campaign
from corpora.models import Draw
from corpora.selectors.questions import valid_questions


@dataclass(frozen=True, slots=True)
class ExpectedPairs:
    """The valid pairs of a campaign, and how many of them each split is expected to get.

    Parameters
    ----------
    total : int
        Twins with two valid questions.
    fixed : mapping of str to int
        Those whose split is drawn or named by their file, by split.
    shares : mapping of str to float
        The shares of dev and test for all others.
    """

    total: int
    fixed: Mapping[str, int]
    shares: Mapping[str, float]

    def of(self, split: str) -> float:
        """Return the expected number of pairs of train, dev or test."""
        share = self.shares.get(split, 1 - sum(self.shares.values()))
        return self.fixed.get(split, 0) + self.undrawn * share

    @property
    def undrawn(self) -> int:
        """Pairs whose split the next snapshot draws."""
        return self.total - sum(self.fixed.values())

    @property
    def empty(self) -> list[str]:
        """Return the splits that may get no pair at all, although the campaign wants some."""
        return [name for name, share in self.shares.items() if share and self.of(name) < 1]

    def needed(self, pairs: int) -> int:
        """Return how many valid pairs let dev and test expect *pairs* each, if they have shares."""
        missing = [
            (pairs - self.fixed.get(name, 0)) / share
            for name, share in self.shares.items()
            if share
        ]
        more = max([0.0, *missing])
        return sum(self.fixed.values()) + math.ceil(round(more, 9))  # 25 / 0.1 is above 250


def expected_pairs(campaign: Campaign) -> ExpectedPairs:
    """Return what dev and test would get of the pairs that are valid now."""
    drawn = Draw.objects.filter(twin=OuterRef("twin")).values("split")[:1]
    twins = valid_questions(campaign).order_by().values("twin", "twin__source_split")
    pairs = twins.annotate(n=Count("pk"), drawn=Subquery(drawn)).filter(n=2)
    splits = Counter(
        split or told for split, told in pairs.values_list("drawn", "twin__source_split")
    )
    return ExpectedPairs(
        total=sum(splits.values()),
        fixed={name: n for name, n in splits.items() if name},
        shares={"dev": float(campaign.dev_share), "test": float(campaign.test_share)},
    )
