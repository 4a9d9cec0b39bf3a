"""Fine-tunings, grids and their curves, in words."""

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from evaluation.models import FineTuning, Grid
from frontend.runs.words import RunWords, register
from frontend.templatetags.pages import estimate
from modeling.specs import ModelSpec
from training.core.presets import PRESETS
from training.core.reach import FARTHEST, Reach
from training.core.seeds import Region

REGIONS: dict[Region, Any] = {
    Region.EASY: later("easy to learn"),
    Region.AMBIGUOUS: later("ambiguous"),
    Region.HARD: later("hard to learn"),
}
LAWS: dict[str, Any] = {
    "power": later("a power law with a floor"),
    "logistic": later("a logistic curve in the logarithm of the size"),
    "line": later("a straight line in the logarithm of the size"),
}
RULES: dict[str, Any] = {
    "best": later("the cell with the highest accuracy on dev"),
    "mean": later("the settings with the highest mean accuracy on dev over their seeds"),
}


def region_words(regions: Sequence[Region]) -> str:
    """Name the regions of a question on the map of training."""
    if not regions:
        return _("in no region")
    first, *rest = (str(REGIONS[region]) for region in regions)
    return _("%(first)s and %(second)s") % {"first": first, "second": rest[0]} if rest else first


def grid_title(grid: Grid) -> str:
    """Name a grid by its kind, its preset and its model."""
    title = PRESETS[grid.preset].title if grid.preset in PRESETS else grid.preset
    return f"{grid.get_kind_display().capitalize()} · {model_name(grid.model)} · {title}"


def model_name(spec: str) -> str:
    """Return a model's name without paths."""
    return ModelSpec.parse(spec).public_name


def reach_words(reach: Reach | None) -> list[tuple[str, str]]:
    """Say at which size people's level is reached, for any curve and by laws; each with its terms.

    That it is unknown is an answer too. Empty without people's level.
    """
    if reach is None or reach.largest is None:
        return []
    if reach.low is None:
        return [
            (_("With one seed for each size the interval is unknown, so no size is given."), "")
        ]
    of_any = _(
        "A 95% interval for every curve that does not fall with more questions; it allows for the "
        "seeds and for the test questions."
    )
    of_laws = _(
        "A 95% interval over the laws compared, of which those that fit about as well as the best "
        "are named. It is wrong if accuracy rises in a second stage after the largest size, which "
        "these points cannot show, and too narrow if some seeds stay at chance."
    )
    is_extrapolated = reach.by_laws is not None and reach.by_laws.low is not None
    return [(_for_any_curve(reach), of_any), (_by_laws(reach), of_laws if is_extrapolated else "")]


def _for_any_curve(reach: Reach) -> str:
    low, high, largest = f"{reach.low:,}", f"{reach.high or 0:,}", f"{reach.largest:,}"
    if reach.high is not None:
        if reach.low:
            text = _("Reached between %(low)s and %(high)s questions.")
        else:
            text = _("Reached by %(high)s questions.")
    elif reach.low == reach.largest:
        text = _(
            "Not reached by %(largest)s questions, the largest size measured: more are needed, or "
            "it is never reached."
        )
    elif reach.low:
        text = _(
            "Not reached by %(low)s questions. Whether it is by %(largest)s, the largest size "
            "measured, is not clear."
        )
    else:
        text = _("Not clear: no size measured is clearly above or below people’s level.")
    return text % {"low": low, "high": high, "largest": largest}


def _by_laws(reach: Reach) -> str:
    ends = reach.by_laws
    if ends is None:
        return _("By a law: at least three sizes are needed.")
    if ends.low is None:
        return _(
            "By a law: nothing is extrapolated, since none of those compared (%(laws)s) describes "
            "these points."
        ) % {"laws": listing(str(law) for law in LAWS.values())}
    if ends.high is not None:
        text = _("If the curve follows %(laws)s: between %(low)s and %(high)s questions.")
    elif ends.low < FARTHEST * (reach.largest or 0):
        text = _(
            "If the curve follows %(laws)s: %(low)s questions or more, or never. Nothing is said "
            "beyond %(farthest)s, twice the largest size measured."
        )
    else:
        text = _(
            "If the curve follows %(laws)s: more than %(farthest)s questions, twice the largest "
            "size measured, or never. Nothing is said beyond."
        )
    return text % {
        "laws": listing(str(LAWS[name]) for name in ends.names),
        "low": _rounded(ends.low, floor),
        "high": _rounded(ends.high or 0, ceil),
        "farthest": f"{FARTHEST * (reach.largest or 0):,}",
    }


def listing(names: Iterable[str]) -> str:
    """Join alternatives: ``a, b or c``."""
    *rest, last = names
    return _("%(rest)s or %(last)s") % {"rest": ", ".join(rest), "last": last} if rest else last


def _rounded(size: float, rounding: Callable[[float], int]) -> str:
    """Return a size with two significant digits, as an extrapolation deserves."""
    unit = 10 ** max(0, len(str(int(size))) - 2)
    return f"{rounding(size / unit) * unit:,}"


class FineTuningWords(RunWords[FineTuning]):
    is_brief = True  # a grid lists its cells
    page = "fine-tuning"
    related = (
        "reference_set", "before__release", "before__reference_set", "before__before",
    )  # fmt: skip

    def about(self, run: FineTuning) -> str:
        return _("%(system)s · seed %(seed)d") % {"system": run.system, "seed": run.seed}

    def progress(self, run: FineTuning) -> str:
        if run.dev_metrics:
            return _("accuracy on dev %s") % estimate(run.dev_metrics["accuracy"])
        return super().progress(run)


class GridWords(RunWords[Grid]):
    page = "grid"
    of_total = later("%s of %s cells and evaluations")

    def about(self, run: Grid) -> str:
        return grid_title(run)


register(FineTuning, FineTuningWords())
register(Grid, GridWords())
