"""Lines of a worker's statement: what each is for, where that is, and why it was taken back."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from collection.models import Campaign, Twin
from validation.models import Vote
from winoplatform.ids import as_uuid
from workers.models import LedgerEntry, Qualification

Kind = LedgerEntry.Kind


@dataclass(frozen=True, slots=True)
class PayLine:
    """An entry, what it is for, the page of that, and the reason of an adjustment.

    Control questions look like all others: the same words and the same kind of link.
    """

    entry: LedgerEntry
    about: str = ""
    link: str = ""
    why: str = ""


def pay_lines(entries: Sequence[LedgerEntry]) -> list[PayLine]:
    """Describe a worker's entries, in four queries at most."""
    units = {unit for entry in entries if (unit := as_uuid(entry.unit)) is not None}
    twins = {
        str(twin.public_id): twin
        for twin in Twin.objects.filter(public_id__in=units).select_related("revised_by")
    }
    votes = {
        str(vote.public_id): vote
        for vote in Vote.objects.filter(public_id__in=units).select_related("question")
    }
    exercises = _exercises(entries, units)
    return [_line(entry, twins, votes, exercises) for entry in entries]


def _line(
    entry: LedgerEntry,
    twins: Mapping[str, Twin],
    votes: Mapping[str, Vote],
    exercises: Mapping[str, str],
) -> PayLine:
    if twin := twins.get(entry.unit):
        link = reverse("receipt", args=[twin.public_id])
        return PayLine(entry, f"{twin.option1} / {twin.option2}", link, _why(entry, twin))
    if vote := votes.get(entry.unit):
        query = urlencode({"question": entry.unit})
        link = f"{reverse('my-work')}?{query}#votes"
        return PayLine(entry, vote.question.sentence, link)
    return PayLine(entry, link=exercises.get(entry.unit, ""))


def _why(entry: LedgerEntry, twin: Twin) -> str:
    """Return why pay of a twin was taken back, where its entry has no note that says so."""
    if entry.kind != Kind.ADJUSTMENT or entry.note:
        return ""
    if hasattr(twin, "revised_by"):
        return _("You revised this text; the new one is paid instead.")
    return _("You withdrew this twin.") if twin.withdrawn_at else ""


def _exercises(entries: Iterable[LedgerEntry], units: Iterable[uuid.UUID]) -> dict[str, str]:
    """Return the page of the training or test that entries pay, by unit."""
    if not any(entry.kind == Kind.TRAINING for entry in entries):
        return {}
    mine = list(Qualification.objects.filter(public_id__in=units))
    scopes = {each.scope for each in mine}
    slugs = dict(Campaign.objects.filter(public_id__in=scopes).values_list("public_id", "slug"))
    pages = {"write": "join", "validate": "join-validate"}
    known = [each for each in mine if each.scope in slugs and each.skill in pages]
    return {
        str(each.public_id): reverse(pages[each.skill], args=[slugs[each.scope]]) for each in known
    }
