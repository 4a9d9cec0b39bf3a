"""The interactive pictures of the evidence."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from collection.models import Campaign
from filtering.models import Assessment
from filtering.selectors.places import Placed, placed_questions
from frontend.evidence.plots import shares
from frontend.evidence.reads import SetRow
from frontend.pictures import Mark, Picture, Series, interval_series

ID = "question-id"
COLOURS = {1: "accent", 2: "warn"}
LOOKS = {1: "dot", 2: "cross"}


def points(assessment: Assessment, campaign: Campaign) -> Picture:
    """Return all questions on two components, with what the filter removed in the background."""
    found = placed_questions(assessment)
    titles = {
        (False, 1): _("Removed, answer 1"),
        (False, 2): _("Removed, answer 2"),
        (True, 1): _("Kept, answer 1"),
        (True, 2): _("Kept, answer 2"),
    }
    return Picture(
        "points",
        tuple(
            _points([one for one in found if (one.is_kept, one.answer) == key], title, key)
            for key, title in titles.items()
        ),
        x_title=_("First component"),
        y_title=_("Second component"),
        href=reverse("data-question", args=[campaign.slug, ID]).replace(ID, "{id}"),
    )


def _points(placed: Sequence[Placed], title: str, key: tuple[bool, int]) -> Series:
    is_kept, answer = key
    return Series(
        title,
        x=[one.x for one in placed],
        y=[one.y for one in placed],
        text=[f"{one.sentence} ({one.right})" for one in placed],
        ids=[one.id for one in placed],
        colour=COLOURS[answer],
        look=LOOKS[answer],
        is_faint=not is_kept,
    )


def before_after(projection: Mapping[str, Any]) -> Picture | None:
    """Return the questions of each answer along the first component, all and kept."""
    if "kept" not in projection:
        return None
    edges = projection["edges"]
    middles = [(low + high) / 2 for low, high in pairwise(edges)]
    titles = (
        ("all", 1, _("Before, answer 1")),
        ("all", 2, _("Before, answer 2")),
        ("kept", 1, _("After, answer 1")),
        ("kept", 2, _("After, answer 2")),
    )
    return Picture(
        "steps",
        tuple(
            Series(
                title,
                middles,
                shares(projection[which][f"answer{answer}"]["histogram"]),
                colour=COLOURS[answer],
                look="dash" if answer == 2 else "line",
                is_faint=which == "all",
            )
            for which, answer, title in titles
        ),
        x_title=_("First component"),
        y_format=".1%",
    )


def accuracies(sets: Sequence[SetRow]) -> Picture | None:
    """Return the accuracy of fresh models on each set, as dots with intervals."""
    kinds = ((_("Linear"), "linear", "accent"), (_("Non-linear"), "nonlinear", "warn"))
    series = tuple(
        interval_series(
            [
                (
                    f"{capfirst(row.name) or _('Whole set')}, {title.lower()}",
                    models["grouped"]["accuracy"],
                )
                for row in sets
                if (models := getattr(row, kind))
            ],
            name=title,
            colour=colour,
        )
        for title, kind, colour in kinds
    )
    if not any(one.x for one in series):
        return None
    return Picture("dots", series, x_format=".1%", upright=Mark(0.5, _("one half")))
