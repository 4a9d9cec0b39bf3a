"""Twins as stored in the tables, with all that advice looks up."""

from typing import Any

from collection.core.advice.cues import cues, scoped
from collection.core.triggers import trigger_diff
from collection.models import Campaign, Twin
from tests.factories import OPTIONS, TwinFactory


def stored(
    campaign: Campaign,
    sentences: tuple[str, str],
    *,
    options: tuple[str, str] = OPTIONS,
    **fields: Any,
) -> Twin:
    """Store a twin as a submission does, without article, pay or seats; its answers are 1, 2."""
    trigger = trigger_diff(*sentences)
    return TwinFactory(
        campaign=campaign,
        option1=options[0],
        option2=options[1],
        trigger=trigger.as_dict(),
        trigger_key=trigger.key,
        cues=scoped(cues(sentences, options, (1, 2), trigger), campaign.pk),
        sentences=sentences,
        **fields,
    )
