"""A twin that was handed in, as its writer sees it."""

import uuid
from dataclasses import dataclass

from django.utils.translation import gettext as _

from collection.models import Campaign, Question, Twin
from collection.selectors.pay import pay_has_left, pay_is_void
from frontend.http import existing
from validation.models import SentBack, Vote
from workers.models import LedgerEntry, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was stored, what it pays, and whether it can still be changed.

    A twin that a curator has sent back can be revised once although it was judged.
    """

    twin: Twin
    questions: list[Question]
    pay: LedgerEntry | None
    taken_back: LedgerEntry | None
    newer: Twin | None
    is_judged: bool
    is_paid_out: bool
    is_voided: bool
    sent_back: SentBack | None

    @property
    def why_fixed(self) -> str:
        """Why the twin can be neither withdrawn nor revised; empty where it can."""
        if self.twin.assignment_id is None:
            return _("It was not written here, so it stands as it is.")
        if self.is_judged and self.sent_back is None:
            return _("Somebody has judged a sentence of it, so it stands as it is.")
        return ""

    @property
    def can_be_withdrawn(self) -> bool:
        free = not self.is_judged and not self.is_paid_out and self.twin.withdrawn_at is None
        return free and not self.why_fixed

    @property
    def can_be_revised(self) -> bool:
        is_closed = self.twin.campaign.status == Campaign.Status.CLOSED
        is_refused = self.is_voided and self.sent_back is None
        return not self.why_fixed and self.newer is None and not is_closed and not is_refused


def own_twin(user: User, public_id: uuid.UUID) -> Twin:
    """Return a twin of the user's own; any other is not found."""
    mine = Twin.objects.filter(author=user).select_related(
        "campaign", "assignment__campaign", "assignment__article", "revises"
    )
    return existing(mine, _("There is no such twin, or it is not yours."), public_id=public_id)


def receipt_of(twin: Twin) -> Receipt:
    """Return the receipt of a twin."""
    kinds = LedgerEntry.Kind.TWIN, LedgerEntry.Kind.ADJUSTMENT
    entries = LedgerEntry.objects.filter(
        worker=twin.author, unit=str(twin.public_id), kind__in=kinds
    )
    by_kind = {entry.kind: entry for entry in entries}
    return Receipt(
        twin=twin,
        questions=list(twin.questions.order_by("number")),
        pay=by_kind.get(LedgerEntry.Kind.TWIN),
        taken_back=by_kind.get(LedgerEntry.Kind.ADJUSTMENT),
        newer=Twin.objects.filter(revises=twin).first(),
        is_judged=Vote.objects.filter(question__twin=twin).exists(),
        is_paid_out=twin.author_id is not None and pay_has_left(twin),
        is_voided=twin.author_id is not None and pay_is_void(twin),
        sent_back=SentBack.objects.filter(twin=twin).first(),
    )
