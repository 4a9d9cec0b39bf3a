"""The map of the questions that a model was trained on, as an interactive picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from collection.models import Campaign
from evaluation.core.cartography import Region
from evaluation.selectors.maps import MappedItem
from frontend.fine_tunings.words import REGIONS
from frontend.pictures import Picture, Series

DRAWN_HARD, DRAWN_REST = 200, 600
ID = "question-id"
COLOURS = {Region.EASY: "accent", Region.AMBIGUOUS: "ink-soft", Region.HARD: "warn"}
LOOKS = {Region.EASY: "dot", Region.AMBIGUOUS: "hollow", Region.HARD: "cross"}


@dataclass(frozen=True, slots=True)
class MapView:
    """The map of training: the hardest questions and a sample of the others are drawn."""

    picture: Picture
    n_drawn: int
    n: int
    counts: tuple[tuple[str, str, int], ...]


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
        tuple(_series(region, drawn, questions) for region in REGIONS),
        x_title=_("Standard deviation over epochs"),
        y_title=_("Mean probability of the label"),
        x_format=".2f",
        y_format=".0%",
        href=_href(campaign),
    )
    counts = tuple(
        (region.value, str(name), sum(one.region == region for one in items))
        for region, name in REGIONS.items()
    )
    return MapView(picture, len(drawn), len(items), counts)


def _href(campaign: Campaign | None) -> str:
    if campaign is None:
        return ""
    return reverse("review-question", args=[campaign.slug, ID]).replace(ID, "{id}")


def _series(region: Region, drawn: Sequence[MappedItem], questions: Mapping[str, str]) -> Series:
    mine = [one for one in drawn if one.region == region]
    return Series(
        capfirst(str(REGIONS[region])),
        x=[round(one.variability, 4) for one in mine],
        y=[round(one.confidence, 4) for one in mine],
        text=[_said(one) for one in mine],
        ids=[questions.get(one.item.id, "") for one in mine],
        colour=COLOURS[region],
        look=LOOKS[region],
    )


def _said(one: MappedItem) -> str:
    said = _("%(sentence)s – label: %(label)s; probability %(mean)s ± %(sd)s, %(region)s")
    return said % {
        "sentence": one.item.sentence,
        "label": one.label,
        "mean": f"{one.confidence:.2f}",
        "sd": f"{one.variability:.2f}",
        "region": REGIONS[one.region],
    }
