"""The map of the questions that a model was trained on, as an interactive picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from collection.models import Campaign
from evaluation.selectors.maps import MappedItem
from frontend.fine_tunings.words import REGIONS, region_words
from frontend.pictures import Picture, Series
from training.core.cartography import Region

DRAWN_HARD, DRAWN_REST = 200, 600
ID = "question-id"
# The colour tells of the mean, and a hollow point of an ambiguous question.
DRAWN: dict[tuple[Region, ...], tuple[str, str]] = {
    (Region.HARD,): ("warn", "cross"),
    (Region.HARD, Region.AMBIGUOUS): ("warn", "hollow"),
    (Region.AMBIGUOUS,): ("ink-soft", "hollow"),
    (Region.EASY, Region.AMBIGUOUS): ("accent", "hollow"),
    (Region.EASY,): ("accent", "dot"),
    (): ("ink-soft", "dot"),
}


@dataclass(frozen=True, slots=True)
class MapView:
    """The map of training: the hardest questions and a sample of the others are drawn.

    ``counts`` has code, name and size of each region.
    """

    picture: Picture
    n_drawn: int
    n: int
    counts: tuple[tuple[str, str, int], ...]
    n_below_chance: int


def map_view(
    items: Sequence[MappedItem], campaign: Campaign | None, questions: Mapping[str, str]
) -> MapView:
    """Return the map of *items*, the hardest first; a click opens a question of *campaign*.

    *questions* are their public ids by the ids of the items.
    """
    rest = items[DRAWN_HARD:]
    every = max(1, -(-len(rest) // DRAWN_REST))
    drawn = [*items[:DRAWN_HARD], *rest[::every]]
    picture = Picture(
        "points",
        tuple(_series(regions, drawn, questions) for regions in DRAWN),
        x_title=_("Standard deviation over epochs"),
        y_title=_("Mean probability of the label"),
        x_format=".2f",
        y_format=".0%",
        href=_href(campaign),
    )
    counts = tuple(
        (region.value, str(name), sum(region in one.regions for one in items))
        for region, name in REGIONS.items()
    )
    below = sum(one.is_below_chance for one in items)
    return MapView(picture, len(drawn), len(items), counts, below)


def _href(campaign: Campaign | None) -> str:
    if campaign is None:
        return ""
    return reverse("review-question", args=[campaign.slug, ID]).replace(ID, "{id}")


def _series(
    regions: tuple[Region, ...], drawn: Sequence[MappedItem], questions: Mapping[str, str]
) -> Series:
    mine = [one for one in drawn if one.regions == regions]
    colour, look = DRAWN[regions]
    return Series(
        capfirst(region_words(regions)),
        x=[round(one.variability, 4) for one in mine],
        y=[round(one.confidence, 4) for one in mine],
        text=[_said(one) for one in mine],
        ids=[questions.get(one.item.id, "") for one in mine],
        colour=colour,
        look=look,
    )


def _said(one: MappedItem) -> str:
    said = _("%(sentence)s – label: %(label)s; probability %(mean)s ± %(sd)s, %(region)s")
    return said % {
        "sentence": one.item.sentence,
        "label": one.label,
        "mean": f"{one.confidence:.2f}",
        "sd": f"{one.variability:.2f}",
        "region": region_words(one.regions),
    }
