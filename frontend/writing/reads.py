"""A writer's assignments, and submitted twins as their writer sees them."""

import uuid
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _

from collection.models import Assignment, Campaign, Question, Twin
from frontend.http import existing
from validation.models import TwinReturn
from validation.services.writing.twins import changeable
from winoplatform.db.prepared import Placeholder, Prepared, once
from winoplatform.errors import DomainError
from workers.models import LedgerEntry, User


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was stored, what it pays, and what prevents its withdrawal or revision.

    A twin returned for revision can be revised once although it was validated.
    """

    twin: Twin
    questions: list[Question]
    pay: LedgerEntry | None
    taken_back: LedgerEntry | None
    newer: Twin | None
    withdrawing: DomainError | None
    revising: DomainError | None
    returned: TwinReturn | None

    @property
    def why_fixed(self) -> str:
        """Return why the twin can be neither withdrawn nor revised; empty if it can."""
        if self.twin.assignment_id is None:
            return _("This twin was not written here, so it cannot be changed.")
        if self.revising and self.revising.code == "already_validated":
            return _("A sentence of this twin has a vote, so the twin can no longer be changed.")
        return ""

    @property
    def can_be_withdrawn(self) -> bool:
        return self.withdrawing is None and self.twin.withdrawn_at is None and not self.why_fixed

    @property
    def can_be_revised(self) -> bool:
        return self.revising is None and self.newer is None and not self.why_fixed


def own_twin(user: User, public_id: uuid.UUID) -> Twin:
    """Return a twin of the user, or raise a 404."""
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
        withdrawing=changeable(twin, is_revised=False),
        revising=changeable(twin, is_revised=True),
        returned=TwinReturn.objects.filter(twin=twin).first(),
    )


def open_assignment(user: User, campaign: Campaign) -> Assignment | None:
    """Return the assignment of *user*, also after its lease ended: it may still hold a draft."""
    mine = Assignment.objects.filter(worker=user, campaign=campaign)
    return mine.filter(status=Assignment.Status.OPEN).select_related("article", "campaign").first()


@once
def _own_assignments() -> Prepared[Assignment]:
    mine = Assignment.objects.filter(worker=Placeholder("worker"), public_id=Placeholder("id"))
    # Only the full page shows anchors.
    return Prepared(mine.select_related("article", "campaign").defer("article__anchors"))


def assignment_for(user: User, public_id: uuid.UUID) -> Assignment:
    """Return an assignment of the user, or raise a 404."""
    assignment = _own_assignments().first(worker=user.pk, id=public_id)
    if assignment is None:
        raise Http404(_("There is no such assignment, or it is not yours."))
    return assignment
