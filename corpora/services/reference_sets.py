"""Import, show, hide and delete reference sets."""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import cast

from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from collection.core.people import people_of, title_of
from collection.selectors.people import are_simulated
from corpora import drawing, selectors
from corpora.core.items import Item, composed_item
from corpora.core.readers import (
    BY_NAME,
    MAIN,
    Format,
    Skipped,
    Source,
    checked,
    decoded,
    is_binary,
    is_table,
)
from corpora.core.repeats import table_of
from corpora.models import ReferenceSet, ReferenceSplit
from validation.services.golds import note_published
from winoplatform.artifacts import store
from winoplatform.errors import Conflict, DomainError
from workers.models import AuditEvent, User
from workers.services import audit


@transaction.atomic
def import_reference_set(
    *,
    name: str,
    format: str,
    splits: Mapping[str, Source],
    by: User | None,
    columns: Mapping[str, str] | None = None,
    title: str = "",
    licence: str = "",
    source: str = "",
    is_public: bool = False,
    is_simulated: bool = False,
    left_out: Callable[[str], object] | None = None,
) -> ReferenceSet:
    """Import the lines of a published benchmark by split, all or nothing.

    Parameters
    ----------
    splits : mapping of str to binary file or iterable of str
        Files, or their lines, by ``split``; those of a further file of the format by
        ``split/part``. Binary files are seekable, and not closed.
    columns : mapping of str to str, optional
        From a field to its column, for the format ``table``.
    title, licence, source : str
        Where empty, what the format says of the published set.
    is_simulated : bool
        Whether it is known to have texts of simulated people; those of this platform are found.
    left_out : callable, optional
        Called with a sentence for each record of a published file that is known to be no question.

    Raises
    ------
    DomainError
        When the format is unknown, a file is missing or not one of the format, there is no split,
        a split is empty or cannot be read, an id repeats, or a public set would reveal an answer
        that is secret here.
    ValidationError
        When the name is taken or invalid.
    """
    format_facts = _format(format, splits, columns)
    row = _saved(
        ReferenceSet(
            name=name,
            title=title or format_facts.title or name,
            licence=licence or format_facts.licence,
            source=source or format_facts.source,
            created_by=by,
        )
    )
    read_splits = {
        split: _read_items(format_facts, columns, split, files, left_out)
        for split, files in _files(format_facts, splits).items()
    }
    _store_splits(row, read_splits, is_simulated=is_simulated)
    return change_reference_set(reference_set=row, is_public=True) if is_public else row


def _format(name: str, splits: Mapping[str, Source], columns: Mapping[str, str] | None) -> Format:
    """Return the format of this name; refuse a request that does not fit it."""
    if name not in BY_NAME:
        raise DomainError("format_unknown", f"Name one of these formats: {', '.join(BY_NAME)}.")
    if not splits:
        raise DomainError("no_splits", "Name at least one split.")
    if columns and not BY_NAME[name].has_columns:
        raise DomainError(
            "columns_unexpected", f"The format “{name}” has its own columns: leave “Columns” empty."
        )
    return BY_NAME[name]


def _saved(reference_set: ReferenceSet) -> ReferenceSet:
    reference_set.full_clean()
    try:
        with transaction.atomic():
            reference_set.save()
    except IntegrityError:
        reference_set.full_clean()  # a concurrent request was first: full_clean has the message
        raise
    return reference_set


def _files(format: Format, splits: Mapping[str, Source]) -> dict[str, dict[str, Source]]:
    """Return the lines by split and part, in the order given."""
    paths: dict[str, dict[str, Source]] = defaultdict(dict)
    for name, lines in splits.items():
        split, _, part = name.partition("/")
        if part and (part == MAIN or part not in (*format.required, *format.optional)):
            raise DomainError("part_unknown", _unknown_part(format, split, part))
        if not part and MAIN not in format.required:
            names = ", ".join(f"{split}/{part}" for part in format.required)
            raise DomainError(
                "part_unknown",
                "In this format, a split has several files. Give each of them, by its name: "
                f"{names}.",
            )
        paths[split][part or MAIN] = lines
    for split, files in paths.items():
        if missing := [part for part in format.required if part not in files]:
            names = ", ".join(split if part == MAIN else f"{split}/{part}" for part in missing)
            raise DomainError(
                "part_missing",
                f"Split “{split}” lacks files of this format. Add them, by their names: {names}.",
            )
    return paths


def _unknown_part(format: Format, split: str, part: str) -> str:
    parts = [*(name for name in format.required if name != MAIN), *format.optional]
    names = ", ".join(f"{split}/{file_part}" for file_part in parts)
    text = f"The files of a split are {names}" if parts else "A split has one file, without a part"
    return f"“{part}” is no file of this format. {text}."


def _read_items(
    format: Format,
    columns: Mapping[str, str] | None,
    split: str,
    files: Mapping[str, Source],
    left_out: Callable[[str], object] | None,
) -> list[Item]:
    items = []
    try:
        for record in _records(format, columns, files):
            if isinstance(record, Item):
                _require_writable(record)
                items.append(composed_item(record))
            elif left_out is not None:
                left_out(f"Split “{split}”: {record}.")
    except ValueError as error:  # also where bytes are not text
        raise DomainError(
            "items_unreadable",
            f"Split “{split}”: {f'{error!s:.1000}'.rstrip('.')}. Check that this is the right "
            "file, and that it has the chosen format.",
            details={"split": split},
        ) from error
    if not items:
        raise DomainError(
            "split_empty",
            f"Split “{split}” has no items. Check that this is the right file.",
            details={"split": split},
        )
    id, times = Counter(item.id for item in items).most_common(1)[0]
    if times > 1:
        raise DomainError(
            "id_repeated",
            f"Split “{split}” has the id “{id}” {times} times.",
            details={"split": split},
        )
    return items


def _records(
    format: Format, columns: Mapping[str, str] | None, files: Mapping[str, Source]
) -> Iterator[Item | Skipped]:
    """Read the files of a split by its format."""
    if format.is_table:
        return format.read(**files, **({"columns": columns} if format.has_columns else {}))
    if format.read_table is not None and is_table(files[MAIN]):
        return format.read_table(files[MAIN])
    return format.read(**{part: _lines(format, file) for part, file in files.items()})


def _lines(format: Format, source: Source) -> Iterator[str]:
    if is_binary(source):
        return checked(decoded(source.readline, format.encoding))
    return checked(cast(Iterable[str], source))


def _require_writable(item: Item) -> None:
    """Refuse half of a surrogate pair, which JSON can contain and no file."""
    try:
        item.to_line().encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the item “{item.id!a}” has a character that is not Unicode") from error


def _store_splits(
    found: ReferenceSet, splits: Mapping[str, list[Item]], *, is_simulated: bool
) -> None:
    """Store the splits; a set with texts of simulated people says that it is a demonstration."""
    for split, items in splits.items():
        row = _split(found, split, items)
        row.full_clean()
        row.save()
    sentences = {item.blanked for items in splits.values() for item in items}
    if is_simulated or are_simulated(sentences):
        found.people_origin = User.Origin.SIMULATED
        found.title = title_of(found.title, people_of(others=[(found.people_origin, "")]))
        found.save(update_fields=["people_origin", "title"])


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
        repeats=asdict(table_of(items).count()),
    )


@transaction.atomic
def change_reference_set(
    *, reference_set: ReferenceSet, is_public: bool, is_shared: bool | None = None
) -> ReferenceSet:
    """Show a set to all signed-in users, to all curators, or only to who imported it.

    Raises
    ------
    DomainError
        When the set would reveal an answer that a twin of any campaign keeps secret.
    """
    if is_public and not reference_set.is_public:
        _note_public(reference_set)
    if is_public != reference_set.is_public:
        kind = AuditEvent.Kind.PUBLISHED if is_public else AuditEvent.Kind.WITHDRAWN
        audit.record(kind, what=f"reference set {reference_set.name}")
    reference_set.is_public = is_public
    if is_shared is not None:
        reference_set.is_shared = is_shared
    reference_set.save(update_fields=["is_public", "is_shared"])
    return reference_set


def _note_public(reference_set: ReferenceSet) -> None:
    """Refuse to publish a blind label or one in use; record the other answers as public."""
    items = [item for split in reference_set.splits.all() for item in selectors.load_items(split)]
    groups = {item.group for item in items if item.answer is not None}
    # The answer to one question reveals those of its group.
    answered = {item.blanked for item in items if item.group in groups}
    drawing.take_turns()
    if secret := selectors.secret_twins(selectors.twins_told_by(answered)):
        raise Conflict(
            "labels_secret",
            f"It would show the answers of {len(secret)} twins of this platform that are blind, "
            "not drawn yet or being validated, so only curators may see this set.",
        )
    note_published(answered, {item.blanked for item in items} - answered)


@transaction.atomic
def delete_reference_set(*, reference_set: ReferenceSet) -> None:
    """Delete a set with its items, unless an evaluation uses it.

    Raises
    ------
    DomainError
        When an evaluation refers to it.
    """
    try:
        with transaction.atomic():
            reference_set.delete()
            # Now, not at commit: a concurrent request may store an evaluation.
            connection.check_constraints()
    except (ProtectedError, IntegrityError) as error:
        raise Conflict(
            "reference_set_in_use",
            "Evaluations refer to this set, so it stays; it can be hidden instead.",
        ) from error


@transaction.atomic
def derive_reference_set(
    *,
    name: str,
    title: str,
    of: ReferenceSet,
    splits: Mapping[str, list[Item]],
    by: User | None,
    erratum: str = "",
) -> ReferenceSet:
    """Store items of a set as a set with other splits; it is public if the set is.

    With an *erratum* it is the next version of the set, which the page of both says.

    Raises
    ------
    DomainError
        When there is no split, or one is empty.
    ValidationError
        When the name is taken or invalid.
    """
    if not splits or not all(splits.values()):
        raise DomainError("split_empty", "Each split of a set needs items.")
    source = f"Derived from the set “{of.name}”. {of.source}".strip()
    row = _saved(
        ReferenceSet(
            name=name,
            title=title,
            licence=of.licence,
            source=source,
            is_shared=of.is_shared,
            revises=of if erratum else None,
            erratum=erratum,
            created_by=by,
        )
    )
    is_simulated = of.people_origin == User.Origin.SIMULATED
    _store_splits(row, splits, is_simulated=is_simulated)
    return change_reference_set(reference_set=row, is_public=True) if of.is_public else row
