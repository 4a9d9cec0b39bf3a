"""Findings about bias and agreement, in words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from filtering.models import FilterRun
from filtering.services.filter_runs import ALL_CONTROLS, missing_controls

Figures = Mapping[str, Any]

DIRECTIONS: dict[str | None, Any] = {
    "above": later("above one half"),
    "below": later("below one half"),
    "none": later("no side found"),
    None: later("not measurable"),
}
FRESH_ROWS = (("all", later("Before")), ("kept", later("After")))
# Krippendorff's thresholds (Content Analysis, 2004, ch. 11), with the decimals that are shown.
RELIABLE, TENTATIVE, DECIMALS = 0.8, 0.667, 3
ENDS: dict[str | None, Any] = {
    "above": later("fresh linear models are above one half on the kept ones: a bias remains"),
    "below": later("fresh linear models are below one half on the kept ones, which leaks as well"),
    "none": later("fresh linear models were found on no side of one half on the kept ones"),
    None: later("the kept ones are too few to measure fresh linear models"),
}


def verdict(run: FilterRun) -> str:
    """Say what a run removed and what fresh models still predict; empty before it is done."""
    if run.n_kept is None:
        return ""
    before = run.encoding.n_questions or 0
    counts = {"removed": f"{before - run.n_kept:,}", "n": f"{before:,}"}
    size = _("%(removed)s of %(n)s questions were removed") % counts
    if before == run.n_kept:
        size = _("Nothing was removed: all %(n)s questions are kept") % counts
    return " ".join(filter(None, (f"{'; '.join([size, *_end(run)])}.", _power(run))))


def _kept(run: FilterRun) -> dict[str, Any]:
    kept = (run.fresh_models or {}).get("kept") or {}
    return kept.get("grouped") or {}


def _end(run: FilterRun) -> list[str]:
    if not run.fresh_models:
        return []
    leak = _kept(run).get("leak")
    return [str(ENDS[leak["direction"] if leak else None])]


def _power(run: FilterRun) -> str:
    """Say which accuracy would have been found, if no side was."""
    probe = _kept(run)
    return detectable(probe) if probe.get("leak") else ""


def p_value(p: float | None) -> str:
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def detectable(probe: Figures) -> str:
    """Say what the test would have found, if it found nothing."""
    leak = probe["leak"]
    if leak["direction"] != "none" or leak.get("detectable") is None:
        return ""
    return _(
        "An accuracy of %(above)s or more, or of %(below)s or less, would have been found with a "
        "probability of 80%%."
    ) % {"above": f"{leak['detectable']:.1%}", "below": f"{1 - leak['detectable']:.1%}"}


def controls_button(run: FilterRun) -> str:
    """Return the label of the button that starts a run's controls; empty if all exist."""
    n = len(missing_controls(run))
    if n in (0, len(ALL_CONTROLS)):
        return _("Run baselines") if n else ""
    return ngettext("Run the %d missing baseline", "Run the %d missing baselines", n) % n
