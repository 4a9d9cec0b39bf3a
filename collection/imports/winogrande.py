"""Imports published questions in WinoGrande's format: one file, one transaction, one campaign."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.utils import timezone
from django.utils.text import slugify

from collection.core.rules import Thresholds
from collection.imports import staging
from collection.imports.questions import (
    LONGEST_LINE,
    Check,
    Half,
    PublishedQuestion,
    check_unpaired,
    decide,
    validator,
)
from collection.imports.readers import open_stream, read_lines, with_content
from collection.imports.report import OnReject, QuestionReport, Reject, RejectLog
from collection.models import Campaign
from winoplatform.errors import DomainError

LONGEST_SLUG = 50
BATCH = 1_000


@transaction.atomic
def import_winogrande(
    *, path: Path, slug: str = "", split: str = "", on_reject: OnReject | None = None
) -> QuestionReport:
    """Bring a file of published questions into a campaign; doing it again changes nothing.

    Parameters
    ----------
    path : Path
        JSON lines (plain or gzip) with qID, sentence, option1, option2 and answer. Questions whose
        qIDs differ only in the ending ``-1`` or ``-2`` are twins; where they stand does not
        matter. A question whose twin is missing comes in alone, and a later import may join them.
    slug : str
        The campaign; without one, the file's name. A missing campaign is made when anything comes
        in. It is closed: it holds what was written and checked elsewhere and hands out no work.
    split : {'', 'train', 'dev', 'test'}
        The split that the file is of its own data set. Releases of ours keep to it: so the labels
        of a file given as 'test' stay secret. Lines that the campaign holds as of another split
        are rejected. Without one, new twins are drawn as if written here.
    on_reject : callable, optional
        Called with every `Reject`, in the file's order, just before the import is committed.

    Returns
    -------
    QuestionReport
        What refuses and what only warns is told in `collection.imports.questions`. Of two lines
        that contradict each other neither comes in; one that contradicts the campaign stays out.

    Raises
    ------
    DomainError
        ``slug_invalid``.
    OSError
        When the file cannot be read.

    Notes
    -----
    All or nothing: killed anywhere, it leaves nothing. Two imports into one campaign take turns
    once their files are read. Memory does not grow with the file: lines go through COPY into a
    temporary table, and only batches of them come back.
    """
    started = perf_counter()
    campaign, made = _campaign(slug or slug_of(path))
    with connection.cursor() as cursor:
        counts = _execute(cursor, path, campaign, split)
    log = RejectLog(on_reject)
    for reject in staging.rejects():
        log.add(reject)
    if made and not counts["imported"]:
        transaction.set_rollback(True)  # no empty campaign for a file of rejects
    return QuestionReport(
        campaign=campaign.slug,
        rejected=dict(log.counts),
        first_rejects=tuple(log.first),
        seconds=perf_counter() - started,
        **counts,
    )


def _execute(cursor: CursorWrapper, path: Path, campaign: Campaign, split: str) -> dict[str, Any]:
    """Take the file through staging into the campaign; return the report's counts by name."""
    staging.create(cursor)
    lines = staging.fill(cursor, _decided(path, campaign.thresholds))
    # Others may import the same file: what is stored must not change until all is compared.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    already_there = staging.compare(cursor, campaign_id=campaign.pk, split=split)
    unpaired, warnings = _check_all(cursor, campaign)
    twins, joined, questions = staging.insert(
        cursor, campaign_id=campaign.pk, split=split, now=timezone.now()
    )
    return {
        "lines": lines,
        "imported": questions,
        "twins": twins,
        "unpaired": unpaired,
        "joined": joined,
        "already_there": already_there,
        "warnings": dict(warnings),
    }


def slug_of(path: Path) -> str:
    """Return a campaign's slug made of a file's name without its endings."""
    name = re.sub(r"(\.(jsonl|json|ndjson|txt|gz))+$", "", path.name, flags=re.IGNORECASE)
    return slugify(name)[:LONGEST_SLUG].strip("-_")


def _campaign(slug: str) -> tuple[Campaign, bool]:
    """Return the campaign, and whether it was made just now."""
    try:
        validate_slug(slug)
    except ValidationError:
        slug_is_good = False
    else:
        slug_is_good = len(slug) <= LONGEST_SLUG
    if not slug_is_good:
        raise DomainError(
            "slug_invalid",
            f"“{slug}” cannot name a campaign: use up to {LONGEST_SLUG} letters, digits, hyphens "
            "and underscores.",
        )
    return Campaign.objects.get_or_create(
        slug=slug, defaults={"name": f"{slug} (published)", "status": Campaign.Status.CLOSED}
    )


def _decided(
    path: Path, thresholds: Thresholds
) -> Iterator[tuple[int, PublishedQuestion | Reject]]:
    with open_stream(path) as stream:
        for line in with_content(read_lines(stream, longest=LONGEST_LINE)):
            yield line.number, decide(line, thresholds=thresholds)


def _check_all(cursor: CursorWrapper, campaign: Campaign) -> tuple[int, Counter[str]]:
    """Check every new or joined twin; return how many are unpaired, and the warnings by code."""
    unpaired, warnings = 0, Counter[str]()
    for batch in staging.twins(batch=BATCH):
        checked = []
        for source_id, options, halves in batch:
            check = _check(options, halves, campaign.thresholds)
            checked.append((source_id, check))
            unpaired += None in halves
            warnings.update(check.warnings if check.refused is None else ())
        staging.store_checks(cursor, checked, campaign_id=campaign.pk)
    return unpaired, warnings


def _check(
    options: tuple[str, str], halves: tuple[Half | None, ...], thresholds: Thresholds
) -> Check:
    first, second = halves
    if first is not None and second is not None:
        return validator(options, (first, second), thresholds=thresholds)
    half = first or second
    assert half is not None  # a full join has a row only where one side has
    return check_unpaired(options, half, thresholds=thresholds)
