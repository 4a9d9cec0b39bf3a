"""Filtering answers what the rooms below ask."""

from typing import Any

from django.dispatch import receiver

from collection.core.findings import Finding
from collection.models import Campaign, Twin
from collection.services import TwinText
from collection.signals import advice_wanted
from filtering import selectors, services


@receiver(advice_wanted, dispatch_uid="filtering.advise")
def advise(
    sender: type[Twin], campaign: Campaign, text: TwinText, leave_out: Twin | None, **_: Any
) -> tuple[Finding, ...]:
    """Repeat what the machine has said while the twin was written; nobody waits for a worker."""
    guess = services.known_guess(campaign=campaign, text=text, leave_out=leave_out)
    finding = selectors.guess_finding(guess) if guess is not None else None
    return (finding,) if finding else ()
