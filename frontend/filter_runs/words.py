"""A filter run in one sentence."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from filtering.models import FilterRun
from frontend.evidence.words import detectable

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
