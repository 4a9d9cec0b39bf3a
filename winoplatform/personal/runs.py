"""Declarations of runs: who started one, and the name that they gave it."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from winoplatform.personal.declarations import CAMPAIGN, hold
from winoplatform.runs.models import Run

RESULTS = _("settings and results of a computation")
PUBLISHED = _("what a release says in public, which its authors wrote")
PROGRESS = ("activity", "failure")


def hold_run(
    model: type[Run],
    what: Any,
    *,
    did: tuple[str, ...] = (),
    stays: Mapping[Any, tuple[str, ...]] | None = None,
) -> None:
    """Declare a kind of run; its caption is a text of who started it."""
    kept = dict(stays or {})
    kept[RESULTS] = (*kept.get(RESULTS, ()), *PROGRESS)
    hold(
        model,
        what,
        _("results can be computed again, and are named by who started them"),
        CAMPAIGN,
        wrote={"created_by": ("caption", "created_at")},
        did=did,
        blank=("caption",),
        stays=kept,
    )
