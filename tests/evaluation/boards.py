"""A release with a blind test that is large enough for a leaderboard."""

import io

from corpora import services as corpora
from corpora.models import Draw, Release
from evaluation import selectors, services
from evaluation.models import Leaderboard
from tests.filtering.stages import carried, frozen, snapshot_of

PAIRS, UNPAIRED, PER_YEAR = 250, 20, 4


def released(slug: str = "kitchen") -> Release:
    """A release whose twins are all blind."""
    questions = frozen(pairs=PAIRS, unpaired=UNPAIRED)
    snapshot = snapshot_of(questions, slug=slug)
    Draw.objects.bulk_create(
        Draw(twin=twin, split="test", origin="linked", is_pair=True)
        for twin in snapshot.campaign.twins.all()
    )
    return carried(corpora.build_release(snapshot=snapshot, name=f"{slug}-1", by=None))


def board_of(release: Release, per_year: int = PER_YEAR) -> Leaderboard:
    return services.open_leaderboard(campaign=release.snapshot.campaign, per_year=per_year)


def predictions(release: Release, *, wrong: int = 0) -> io.BytesIO:
    """One label per line: right for all questions but the first *wrong*."""
    right = [item.answer or 0 for item in selectors.blind_items(release)]
    given = [3 - label if place < wrong else label for place, label in enumerate(right)]
    return io.BytesIO("".join(f"{label}\n" for label in given).encode())
