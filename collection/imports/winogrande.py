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
from collection.imports import history, staging
from collection.imports.questions import (
    FIELDS,
    LONGEST_LINE,
    Check,
    Half,
    PublishedQuestion,
    check_pair,
    check_unpaired,
    decide,
    named,
)
from collection.imports.report import OnReject, QuestionReport, Reject, RejectLog
from collection.models import Campaign, Membership
from collection.selectors.people import SIMULATED, repeats_simulated
from collection.selectors.search import repeats_in
from tabular import Record, open_stream, read_records
from winoplatform.errors import DomainError

LONGEST_SLUG = 50
BATCH = 1_000


@transaction.atomic
def import_winogrande(
    *, path: Path, slug: str = "", split: str = "", on_reject: OnReject | None = None
) -> QuestionReport:
    """Import a file of published questions into a campaign; repeating it changes nothing.

    Parameters
    ----------
    path : Path
        A table (``tabular.read_records``; plain or gzip) with qID, sentence, option1, option2 and
        answer. Questions whose qIDs differ only in the ending ``-1`` or ``-2`` are twins, in any
        order. A question whose twin is missing is imported unpaired, and a later import may join
        them. In a file without qIDs, as Hugging Face's copy, twins are found by their text.
    slug : str
        The campaign; by default the file's name. A missing campaign is created if anything is
        imported. It is closed, as its questions were written and checked elsewhere.
    split : {'', 'train', 'dev', 'test'}
        The file's split in its own data set. Our releases keep it, so the labels of a file given
        as 'test' stay secret. Lines that the campaign has in another split are rejected. Without
        it, the platform draws the splits of new twins.
    on_reject : callable, optional
        Called with every `Reject`, in the file's order, just before the import is committed.

    Returns
    -------
    QuestionReport
        `collection.imports.questions` describes errors and warnings. Two lines that contradict each
        other are both rejected; so is a line that contradicts the campaign. Lines with other qIDs
        that repeat a question are imported and counted.

    Raises
    ------
    DomainError
        ``slug_invalid``.
    OSError
        If the file cannot be read.

    Notes
    -----
    All or nothing: an interrupted import stores nothing. Two imports into one campaign are
    serialized once their files are read. A campaign that gets a text of simulated people is from
    then on one of simulated people. Memory does not grow with a file that has qIDs: lines are
    copied into a temporary table, and only batches of them are read back.
    """
    started = perf_counter()
    campaign, made = _campaign(slug or slug_of(path))
    with connection.cursor() as cursor:
        counts = _import(cursor, path, campaign, split)
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


def _import(cursor: CursorWrapper, path: Path, campaign: Campaign, split: str) -> dict[str, Any]:
    """Import the file by the staging tables; return the report's counts by name."""
    staging.create(cursor)
    lines = staging.fill(cursor, _decided(path, campaign.thresholds))
    # Others may import the same file: stored rows must not change until all are compared.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    already_there = staging.compare(cursor, campaign_id=campaign.pk, split=split)
    unpaired, warnings = _check_all(cursor, campaign)
    twins, joined, questions = staging.insert(
        cursor, campaign_id=campaign.pk, split=split, now=timezone.now()
    )
    if questions and repeats_simulated(campaign):
        _state_simulated(campaign)
    return {
        "lines": lines,
        "imported": questions,
        "twins": twins,
        "unpaired": unpaired,
        "joined": joined,
        "already_there": already_there,
        "warnings": dict(warnings),
        "repeats": repeats_in(campaign),
    }


def _state_simulated(campaign: Campaign) -> None:
    campaign.refresh_from_db()
    before = campaign.settings
    Campaign.objects.filter(pk=campaign.pk).update(people_origin=SIMULATED)
    history.note(campaign, before=before, by=None)


def slug_of(path: Path) -> str:
    """Return a slug from a file's name without its extensions."""
    name = re.sub(r"(\.(jsonl|json|ndjson|csv|tsv|txt|gz))+$", "", path.name, flags=re.IGNORECASE)
    return slugify(name)[:LONGEST_SLUG].strip("-_")


def _campaign(slug: str) -> tuple[Campaign, bool]:
    """Return the campaign, and whether it was created."""
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
    campaign, is_new = Campaign.objects.get_or_create(
        slug=slug, defaults={"name": f"{slug} (published)", "status": Campaign.Status.CLOSED}
    )
    if is_new:
        history.begin(campaign)
        Membership.objects.make_owners(campaign)
    return campaign, is_new


def _decided(
    path: Path, thresholds: Thresholds
) -> Iterator[tuple[int, PublishedQuestion | Reject]]:
    unnamed: list[Record] = []
    has_names = False
    with open_stream(path) as stream:
        for record in read_records(stream, known=FIELDS, required=FIELDS[1:], longest=LONGEST_LINE):
            if record.problem is None and "qID" not in record.fields:
                unnamed.append(record)
            else:
                has_names |= record.problem is None
                yield record.line, decide(record, thresholds=thresholds)
    if has_names:
        yield from ((row.line, decide(row, thresholds=thresholds)) for row in unnamed)
    else:
        yield from _decided_by_text(unnamed, thresholds)


def _decided_by_text(
    records: list[Record], thresholds: Thresholds
) -> Iterator[tuple[int, PublishedQuestion | Reject]]:
    """Decide on the records of a file without qIDs; twins are found by their text."""
    questions: dict[int, PublishedQuestion] = {}
    for record in records:
        decided = decide(record, thresholds=thresholds, is_named=False)
        if isinstance(decided, Reject):
            yield record.line, decided
        else:
            questions[record.line] = decided
    yield from zip(questions, named(list(questions.values())), strict=True)


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
        return check_pair(options, (first, second), thresholds=thresholds)
    half = first or second
    assert half is not None  # a full join has no row with both sides empty
    return check_unpaired(options, half, thresholds=thresholds)
