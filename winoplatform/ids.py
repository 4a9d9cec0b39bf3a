"""Public ids of rows, as people and clients write them."""

from uuid import UUID


def as_uuid(text: str) -> UUID | None:
    """Return the id that a text is, or None if it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
