"""What people are shown of an item, and which sets can be chosen."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from collection.models import Campaign
from corpora.core.items import Item
from corpora.core.publish import SPLITS
from corpora.models import ReferenceSet, ReferenceSplit, Release, Snapshot
from frontend.items import pieces_of
from frontend.marks import Piece, with_blank
from panels.adapters import adapter_of
from panels.models import Panel, PanelSeat
from winoplatform.http.rights import reader
from winoplatform.runs.models import RunStatus

BEATS_PER_LEASE = 3


@dataclass(frozen=True, slots=True)
class SeatPage:
    """What the holder of a seat sees; options are in the seat's order, each with its key.

    ``parts`` are those of an item that are set apart, each with its name; else it is shown whole.
    """

    seat: PanelSeat
    parts: list[tuple[Any, list[Piece]]]
    pieces: list[Piece]
    question: str
    options: list[tuple[str, str]]
    fails: list[tuple[str, Any]]
    beat_seconds: float
    seconds_left: int


def seat_page(seat: PanelSeat, *, now: datetime) -> SeatPage:
    item = seat.item.item
    adapter, minutes = adapter_of(seat.panel), seat.panel.campaign.vote_minutes
    left = seat.leased_until - now if seat.leased_until else timedelta(0)
    return SeatPage(
        seat=seat,
        parts=[(name, with_blank(text)) for name, text in adapter.parts(item)],
        pieces=pieces_of(item),
        question=str(adapter.asks) or _question(item),
        options=_options(item, seat.order),
        fails=list(PanelSeat.Fails.choices) if adapter.says_what_fails else [],
        beat_seconds=60 * minutes / BEATS_PER_LEASE,
        seconds_left=max(0, int(left.total_seconds())),
    )


def _options(item: Item, order: list[int]) -> list[tuple[str, str]]:
    """Return each option as shown, and the key of its button."""
    if item.form == "statement":
        return [(_("Yes"), "y"), (_("No"), "n")]
    return [(item.options[option - 1], str(key)) for key, option in enumerate(order, 1)]


def name_of(panel: Panel) -> str:
    """Return what people are asked about, in words."""
    named: str = str(adapter_of(panel).name) % panel.data_name
    return named


def _question(item: Item) -> str:
    if item.form == "pronoun":
        return _("What does the marked word refer to?")
    if item.form == "truth":
        return _("True or false: the marked word refers to “%s”.") % item.candidate
    if item.form == "premise":
        cause = _("Which was the cause?")
        return cause if item.relation == "cause" else _("Which was the effect?")
    return _("What fills the blank?")


def data_choices() -> Iterator[tuple[str, str]]:
    """Yield what can be evaluated, as a value and a name: each split with known answers."""
    done = {"status": RunStatus.DONE}
    for release in Release.objects.filter(Release.of_member(reader()), **done).select_related(
        "snapshot__campaign"
    ):
        for split in reversed(SPLITS):
            name = _("release %(name)s · %(split)s") % {"name": release.name, "split": split}
            yield f"release:{release.public_id}:{split}", name
    snapshots = Snapshot.objects.visible_to(reader()).filter(**done)
    for snapshot in snapshots.select_related("campaign"):
        facts = {"campaign": snapshot.campaign.name, "n": snapshot.n_questions}
        name = _("snapshot of %(campaign)s, %(n)s questions") % facts
        yield f"snapshot:{snapshot.public_id}:{Panel.WHOLE}", name
    sets = ReferenceSet.objects.visible_to(reader())
    splits = ReferenceSplit.objects.filter(
        reference_set__in=sets, n_labelled=F("n_items"), n_items__gt=0
    )
    for row in splits.select_related("reference_set").order_by("reference_set__name", "pk"):
        facts = {"name": str(row), "n": row.n_items}
        name = _("reference set %(name)s, %(n)s questions") % facts
        yield f"reference_set:{row.reference_set.name}:{row.name}", name


def campaign_choices() -> list[tuple[str, str]]:
    return list(Campaign.objects.visible_to(reader()).order_by("name").values_list("slug", "name"))
