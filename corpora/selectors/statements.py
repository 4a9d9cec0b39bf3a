"""What a campaign states of its people, for the card of a release."""

from typing import Any

from collection.models import Campaign
from collection.selectors.background import background_of
from collection.selectors.terms import is_usual
from corpora.core.bundle.facts import STATEMENTS


def stated_by(campaign: Campaign) -> dict[str, str]:
    """Return the campaign's own statements, by the names of `STATEMENTS`.

    It has none about the data set that is to be published.
    """
    newest = campaign.guideline
    contact = "" if newest is None or is_usual(newest, "contact") else newest.contact
    of_settings = (name for name in STATEMENTS if name not in ("contact", "social_impact"))
    return {"contact": contact, **{name: getattr(campaign, name) for name in of_settings}}


def counted_background(campaign: Campaign) -> list[dict[str, Any]]:
    """Return the published counts of answers to optional questions, as a manifest has them."""
    return [row | {"lines": dict(row["lines"])} for row in background_of(campaign)]
