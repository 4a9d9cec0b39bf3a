"""Reference sets: brought in, shown or hidden, deleted."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import ProtectedError

from corpora.core.items import Item
from corpora.core.readers import READERS
from corpora.models import ReferenceSet, ReferenceSplit
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from workers.models import User


@transaction.atomic
def import_reference_set(
    *,
    name: str,
    format: str,
    splits: Mapping[str, Iterable[str]],
    by: User | None,
    title: str = "",
    licence: str = "",
    source: str = "",
    is_public: bool = False,
) -> ReferenceSet:
    """Import the lines of a published benchmark, by split, or nothing of it.

    Raises
    ------
    DomainError
        When the format is unknown, there is no split, a split is empty or cannot be read, or an id
        is there twice.
    ValidationError
        When the name is taken or malformed.
    """
    if format not in READERS or not splits:
        raise DomainError(
            "format_unknown",
            f"Name at least one split, and one of these formats: {', '.join(READERS)}.",
        )
    found = ReferenceSet(
        name=name,
        title=title or name,
        licence=licence,
        source=source,
        is_public=is_public,
        created_by=by,
    )
    found.full_clean()
    found.save()
    for split, lines in splits.items():
        row = _split(found, split, _read(format, split, lines))
        row.full_clean()
        row.save()
    return found


def _read(format: str, split: str, lines: Iterable[str]) -> list[Item]:
    try:
        items = list(READERS[format](lines))
    except ValueError as error:  # also where bytes are not UTF-8
        raise DomainError("items_unreadable", f"Split “{split}”: {error}") from error
    if not items:
        raise DomainError("split_empty", f"Split “{split}” has no items.")
    id, times = Counter(item.id for item in items).most_common(1)[0]
    if times > 1:
        raise DomainError("id_repeated", f"Split “{split}” has the id “{id}” {times} times.")
    return items


def _split(reference_set: ReferenceSet, name: str, items: list[Item]) -> ReferenceSplit:
    with tempfile.TemporaryFile() as file:
        file.writelines(f"{item.to_line()}\n".encode() for item in items)
        artifact = store.put_file(file)
    return ReferenceSplit(
        reference_set=reference_set,
        name=name,
        items=artifact,
        n_items=len(items),
        n_groups=len({item.group for item in items}),
        n_labelled=sum(item.answer is not None for item in items),
    )


@transaction.atomic
def change_reference_set(*, reference_set: ReferenceSet, is_public: bool) -> ReferenceSet:
    """Show a set to everybody signed in, or to curators only."""
    reference_set.is_public = is_public
    reference_set.save(update_fields=["is_public"])
    return reference_set


@transaction.atomic
def delete_reference_set(*, reference_set: ReferenceSet) -> None:
    """Delete a set with its items, unless something was made from it.

    Raises
    ------
    DomainError
        When an evaluation refers to it.
    """
    try:
        with transaction.atomic():
            reference_set.delete()
    except ProtectedError as error:
        raise DomainError(
            "reference_set_in_use",
            "Evaluations refer to this set, so it stays; it can be hidden instead.",
            status=409,
        ) from error
