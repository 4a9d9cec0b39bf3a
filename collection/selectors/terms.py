"""What a campaign's people are told besides the work itself: who asks, and for which data."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Guideline
from collection.models.guidelines import TERMS

USUAL: dict[str, Any] = {
    "asked_by": _("the people who run this site"),
    "contact": _("the person who invited you"),
    "monitoring": _(
        "What you submit, answer and report, drafts, and attempts at training and test, each with "
        "its time; sign-ins with network address and browser. Nothing outside these pages, and "
        "nothing that changes your pay.\n\n"
        "## For writers\n\n"
        "Also counted: typed and pasted characters, the largest paste, edits and active "
        "seconds.\n\n"
        "## For validators\n\n"
        "Also noted: when you got, opened and answered each question."
    ),
    "data_use": _(
        "Curators see your work. Sentences, answers, times, counts and pay "
        "may be published under a pseudonym, never with your name, address or platform id; what "
        "is published cannot be taken back. You can stop at any time: what you have earned is "
        "paid."
    ),
}
"""The terms of a version that says nothing else: true of this platform."""


def usual_terms() -> dict[str, str]:
    return {name: str(USUAL[name]) for name in TERMS}


def is_usual(guideline: Guideline, name: str) -> bool:
    """Return whether a version says nothing of its own about one of the terms."""
    return getattr(guideline, name) in ("", str(USUAL[name]))


def terms_of(campaign: Campaign) -> Guideline:
    """Return the newest version, or what applies to a campaign that has none."""
    newest: Guideline | None = campaign.guideline
    return newest or Guideline(campaign=campaign, version=0, **usual_terms())
