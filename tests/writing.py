"""Twins as their writers hand them in, write them again and withdraw them: by the services."""

import uuid
from typing import Any

from collection.models import Assignment, Twin
from tests.factories import twin_text
from validation.services import revise_twin, submit_twin, withdraw_twin


def submit(assignment: Assignment, *, client_key: uuid.UUID | None = None, **changes: Any) -> Twin:
    """Hand in the usual twin with *changes*."""
    return submit_twin(
        worker=assignment.worker,
        assignment_id=assignment.public_id,
        text=twin_text(**changes),
        client_key=client_key or uuid.uuid4(),
    )


def revise(twin: Twin, *, client_key: uuid.UUID | None = None, **changes: Any) -> Twin:
    """Write a twin again: as the usual one with *changes*."""
    return revise_twin(
        worker=twin.author,
        twin_id=twin.public_id,
        text=twin_text(**changes),
        client_key=client_key or uuid.uuid4(),
    )


def withdraw(twin: Twin) -> Twin:
    return withdraw_twin(worker=twin.author, twin_id=twin.public_id)


def with_word(word: str) -> dict[str, Any]:
    """What makes the usual twin another one: *word* in place of "brown"."""
    return {"sentences": tuple(text.replace("brown", word) for text in twin_text().sentences)}
