"""Import a campaign from the files of its export: one transaction, all or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper

from collection.core.repeats import Repeats
from collection.models import Campaign, Membership
from collection.selectors.search import repeats_in
from validation.imports.checks import (
    ADDED,
    check,
    check_people,
    check_texts,
    check_verdicts,
    stage_earlier,
)
from validation.imports.files import Refused
from validation.imports.saving import (
    PARTS,
    make_table,
    refuse_differing,
    refuse_first,
    stage,
    store,
)
from validation.imports.settings import check_settings, follow_settings
from validation.selectors.tables import TABLES
from winoplatform.errors import DomainError

ORDER = ("settings", "twins", "questions", "votes")
PEOPLE = "people"
CONSENT = ("guidelines", "consents")
"""The tables that exports did not have before withdrawals were stored."""
ENDINGS = ("jsonl", "csv", "parquet", "jsonl.gz", "csv.gz")


@dataclass(frozen=True, slots=True)
class Imported:
    """Rows read from each file, rows that were new, and the repeats in the campaign."""

    campaign: str
    read: Mapping[str, int]
    new: Mapping[str, int]
    repeats: Repeats


def import_export(*, folder: Path, slug: str) -> Imported:
    """Import the tables of an export into the campaign *slug*.

    A missing campaign is created, closed, with the last settings of the file and its history of
    them. Rows that it has already are left as they are. Accounts are inactive and have the
    pseudonym and the origin of the file; nothing is paid. Afterwards the campaign's export contains
    every row of the files as it is there. Exports without tables of people and settings are
    imported too; see `stage_earlier`.

    Raises
    ------
    DomainError
        ``slug_invalid``, ``file_missing``, or ``import_refused`` with the file and line: a row is
        malformed, contradicts another one, has a verdict that its votes do not give, or would be
        exported differently. Nothing is stored.
    OSError
        If a file cannot be read.
    """
    names = (PEOPLE, *CONSENT, *ORDER, *PARTS)
    if not any(_files(folder, name) for name in ADDED):
        names = tuple(name for name in names if name not in ADDED)
    if not any(_files(folder, name) for name in CONSENT):
        names = tuple(name for name in names if name not in CONSENT)
    paths = {name: _file(folder, name) for name in names}
    try:
        with transaction.atomic():
            return _imported(paths, slug)
    except (IntegrityError, DataError) as error:
        # The rules of the database that no check covers.
        message = str(error).partition("\n")[0]
        raise Refused(folder.name, None, f"The database refuses a row: {message}") from error


def _files(folder: Path, name: str) -> list[Path]:
    return [path for end in ENDINGS if (path := folder / f"{name}.{end}").is_file()]


def _file(folder: Path, name: str) -> Path:
    paths = _files(folder, name)
    if len(paths) == 1:
        return paths[0]
    raise DomainError(
        "file_missing", f"The folder needs one file {name} in one of {', '.join(ENDINGS)}."
    )


def _imported(paths: Mapping[str, Path], slug: str) -> Imported:
    campaign = _campaign(slug)
    with connection.cursor() as cursor:
        for name in CONSENT:
            make_table(cursor, name, TABLES[name].columns(campaign))
        exact = (*(name for name in CONSENT if name in paths), *ORDER)
        if ADDED[0] in paths:
            read = {
                name: stage(cursor, name, path, TABLES[name].columns(campaign))
                for name, path in paths.items()
            }
        else:
            read = stage_earlier(cursor, campaign, paths)
            paths = {name: Path(name) for name in ADDED} | dict(paths)
        paths = {name: Path(name) for name in CONSENT} | dict(paths)
        # Two imports of the same files take turns.
        Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
        check(cursor, paths)
        check_people(cursor, paths[PEOPLE], campaign)
        check_verdicts(paths["questions"])
        check_settings(cursor, campaign, paths["settings"])
        new = store(cursor, campaign) | _store_parts(cursor, paths)
        check_texts(paths[PEOPLE], campaign)
        for name in (*exact, *(name for name, part in PARTS.items() if part.is_exact)):
            refuse_differing(cursor, campaign, name, paths[name], TABLES[name])
        follow_settings(cursor, campaign)
    return Imported(campaign.slug, read, new, repeats_in(campaign))


def _store_parts(cursor: CursorWrapper, paths: Mapping[str, Path]) -> dict[str, int]:
    for name, part in PARTS.items():
        for select, sentence in part.checks:
            refuse_first(cursor, paths[name], select, sentence)
    return {name: part.store(cursor, paths[name]) for name, part in PARTS.items()}


def _campaign(slug: str) -> Campaign:
    campaign = Campaign.objects.filter(slug=slug).first()
    if campaign is not None:
        return campaign
    made = Campaign(slug=slug, name=f"{slug} (imported)", status=Campaign.Status.CLOSED)
    try:
        made.full_clean()
    except ValidationError:
        raise DomainError("slug_invalid", f"“{slug}” cannot name a campaign.") from None
    made.save()
    Membership.objects.make_owners(made)
    return made
