"""What writers can do with drafts: keep what they have typed, from several pages at once."""

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from collection.models import Assignment, Draft, Twin
from collection.services.writing.assignments import own
from winoplatform.errors import Conflict, DomainError
from workers.models import User

FIELDS = (
    "client_key", "anchor", "domain", "option1", "option2", "sentence1", "sentence2", "answer1",
)  # fmt: skip
FIELD_CHARACTERS_MAX = 10_000
ADDED = ("typed_characters", "pasted_characters", "edits", "active_seconds")
LARGEST = "largest_insert"
COUNT_MAX = 1_000_000
TOTAL_MAX = 2_000_000_000


@transaction.atomic
def save_draft(
    *,
    worker: User,
    assignment_id: uuid.UUID,
    fields: Mapping[str, Any],
    version: int,
    evidence: Mapping[str, Any],
    revises: uuid.UUID | None = None,
) -> Draft:
    """Keep what was typed for an assignment, also after its lease; not after its submission.

    Parameters
    ----------
    fields
        Text by the name of its field (`FIELDS`); other names are left out.
    version
        The version that the page has built on; 0 where it knows of none.
    evidence
        What the page counted since its last save that was acknowledged.
    revises
        Public id of the twin that the text shall replace, if the assignment has one.

    Returns
    -------
    Draft
        The very text that is stored already, sent again, changes and counts nothing: so a save
        whose answer was lost can be repeated.

    Raises
    ------
    DomainError
        ``not_found``, ``draft_invalid``, ``draft_too_large``, ``article_finished`` (410), and
        ``draft_outdated`` with what is stored, so that the page can keep both.
    """
    kept, counted = _checked_fields(fields), _checked_evidence(evidence)
    assignment = own(worker, assignment_id, lock=True)
    _refuse_finished(assignment, revises)
    draft = Draft.objects.filter(assignment=assignment).first()
    if draft is None:
        return _first(assignment, kept, counted)
    if draft.fields == kept:
        return draft
    if draft.version != version:
        raise _outdated(draft)
    draft.fields = kept
    draft.evidence = _summed(draft.evidence, counted)
    draft.version += 1
    draft.saved_at = timezone.now()
    draft.save()
    return draft


def _refuse_finished(assignment: Assignment, revises: uuid.UUID | None) -> None:
    """Refuse a draft of a submitted article, unless it revises the article's newest text."""
    if assignment.status != Assignment.Status.SUBMITTED:
        return
    newest = Twin.objects.filter(assignment=assignment, revised_by=None)
    if revises is None or not newest.filter(public_id=revises).exists():
        raise DomainError(
            "article_finished",
            "The twin for this article is submitted, so this text is not saved. To change the "
            "twin, open it under “My work” and choose “Revise”.",
            status=410,
        )


def _first(assignment: Assignment, fields: dict[str, str], evidence: dict[str, int]) -> Draft:
    # A draft that a page had built on is gone once its twin is submitted: then it starts again.
    return Draft.objects.create(
        assignment=assignment, fields=fields, evidence=_summed({}, evidence), version=1
    )


def _outdated(draft: Draft) -> DomainError:
    return Conflict(
        "draft_outdated",
        "This text was changed in another tab or browser. Choose which version to keep.",
        details={
            "version": draft.version,
            "fields": draft.fields,
            "saved_at": draft.saved_at.isoformat(),
        },
    )


def _checked_fields(fields: Mapping[str, Any]) -> dict[str, str]:
    if not isinstance(fields, Mapping):
        raise DomainError("draft_invalid", "A draft is an object with text by field name.")
    drafted = {name: fields[name] for name in FIELDS if name in fields}
    for name, text in drafted.items():
        if not isinstance(text, str):
            raise DomainError("draft_invalid", f"The field {name} of a draft must be text.")
        if len(text) > FIELD_CHARACTERS_MAX:
            raise DomainError(
                "draft_too_large",
                f"A field may have {FIELD_CHARACTERS_MAX:,} characters; {name} has "
                f"{len(text):,}. Please shorten it.",
                details={"field": name, "limit": FIELD_CHARACTERS_MAX},
            )
    return {name: _storable(text) for name, text in drafted.items()}


def _storable(text: str) -> str:
    """Replace what PostgreSQL cannot hold: the null character and halves of characters."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def _checked_evidence(evidence: Mapping[str, Any]) -> dict[str, int]:
    """Return the counts that are whole numbers; a page's counts are evidence, not a claim."""
    if not isinstance(evidence, Mapping):
        raise DomainError("draft_invalid", "The evidence of a draft is an object with counts.")
    counts = {name: evidence.get(name, 0) for name in (*ADDED, LARGEST)}
    return {
        name: min(max(count, 0), COUNT_MAX) if type(count) is int else 0
        for name, count in counts.items()
    }


def _summed(before: Mapping[str, int], counted: Mapping[str, int]) -> dict[str, int]:
    total = {name: min(before.get(name, 0) + counted[name], TOTAL_MAX) for name in ADDED}
    return total | {LARGEST: max(before.get(LARGEST, 0), counted[LARGEST])}
