"""Request knowledge releases."""

from collections.abc import Sequence

from django.db import transaction

from knowledge.models import KnowledgeRelease, KnowledgeSet
from panels.models import Panel, PanelSeat
from winoplatform.errors import DomainError
from winoplatform.runs.start import start
from workers.models import AuditEvent, User
from workers.services import audit


@transaction.atomic
def build_knowledge_release(
    *,
    knowledge_set: KnowledgeSet,
    name: str,
    by: User | None,
    title: str = "",
    authors: Sequence[str] = (),
    licence: str = "CC-BY-4.0",
) -> KnowledgeRelease:
    """Request a release of a knowledge set, with a unique name; workers build it.

    A set that nobody was asked about is released too: then no problem is valid or invalid, and the
    release says so. Name and content are permanent, unless the release fails or is cancelled.

    Raises
    ------
    DomainError
        ``nothing_to_release`` without a whole pair, or ``validation_not_over`` while annotators can
        still be asked.
    """
    if not knowledge_set.sentences.filter(of__isnull=False).exists():
        raise DomainError(
            "nothing_to_release",
            "This set has no true sentence with a false version yet.",
            status=409,
        )
    _refuse_while_validated(knowledge_set)
    release = KnowledgeRelease(
        knowledge_set=knowledge_set,
        name=name,
        title=title,
        authors=list(authors),
        licence=licence,
        created_by=by,
    )
    start(release)
    audit.record(AuditEvent.Kind.PUBLISHED, by=by, what=f"knowledge release {name}")
    return release


def _refuse_while_validated(knowledge_set: KnowledgeSet) -> None:
    panel = knowledge_set.panel
    if panel is None or panel.status == Panel.Status.CLOSED:
        return
    if PanelSeat.objects.waiting().filter(panel=panel, spare=False).exists():
        raise DomainError(
            "validation_not_over",
            "Annotators are still being asked about this set. Wait for their last answer, or close "
            "its validation.",
            status=409,
        )
