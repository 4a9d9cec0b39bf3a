"""Fine-tunings, grids and their curves, in words."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from evaluation.core.cartography import Region
from evaluation.core.power_law import Reach
from evaluation.core.presets import PRESETS
from evaluation.models import Grid
from modeling.specs import ModelSpec

REGIONS: dict[Region, Any] = {
    Region.EASY: later("easy to learn"),
    Region.AMBIGUOUS: later("ambiguous"),
    Region.HARD: later("hard to learn"),
}
RULES: dict[str, Any] = {
    "best": later("the cell with the highest accuracy on dev"),
    "mean": later("the settings with the highest mean accuracy on dev over their seeds"),
}


def grid_title(grid: Grid) -> str:
    """Name a grid by its kind, its preset and its model."""
    title = PRESETS[grid.preset].title if grid.preset in PRESETS else grid.preset
    return f"{grid.get_kind_display().capitalize()} · {model_name(grid.model)} · {title}"


def model_name(spec: str) -> str:
    """Return a model's name without paths."""
    return ModelSpec.parse(spec).public_name


def reach_words(reach: Reach | None) -> str:
    """Say at which size people's level would be reached; that it is unknown is an answer."""
    if reach is None or (reach.law is None and not reach.fits):
        return _("A power law needs at least three sizes.")
    if not reach.fits:
        return _("A power law does not describe these points, so nothing is extrapolated.")
    if reach.low is None:
        return _("With one seed the interval is unknown, so no size is given.")
    low, high = _rounded(reach.low), _rounded(reach.high)
    if reach.is_within_measured:
        return _("Reached between %(low)s and %(high)s questions.") % {"low": low, "high": high}
    where = (
        _("Not within what was measured")
        if reach.largest is None or reach.low > reach.largest
        else _("Perhaps not within what was measured")
    )
    if reach.high is None:
        said = _(
            "%(where)s: %(low)s questions or more, and perhaps never. The largest size measured is "
            "%(largest)s."
        )
    else:
        said = _(
            "%(where)s: between %(low)s and %(high)s questions. The largest size measured is "
            "%(largest)s."
        )
    return said % {"where": where, "low": low, "high": high, "largest": f"{reach.largest:,}"}


def _rounded(size: float | None) -> str:
    """Return a size with two significant digits, as an extrapolation deserves."""
    if size is None:
        return ""
    digits = max(0, len(str(int(size))) - 2)
    return f"{round(size, -digits):,.0f}"
