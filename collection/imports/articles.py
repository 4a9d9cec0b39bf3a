"""Imports articles for priming, and finds their anchors."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from django.db import transaction

from collection.core.anchors import find_anchors
from collection.imports.folders import (
    FIELDS,
    LONGEST_SOURCE,
    REQUIRED,
    folder_records,
    id_of,
)
from collection.imports.report import ImportReport, OnReject, Reject, RejectLog
from collection.models import Article, Campaign
from tabular import Record, open_stream, problem, read_records, reads_as_number
from tabular.problems import short
from winoplatform.text import entered

Progress = Callable[[int, int], None]
LONGEST_LINE = 1024 * 1024
LONGEST_TEXT = 100_000
BATCH = 500
LONGEST = MappingProxyType({"source_id": 200, "title": 300, "text": LONGEST_TEXT, "category": 120})

REASONS = MappingProxyType(
    {
        "field_missing": "The field {field} is missing or empty.",
        "field_not_text": "The field {field} must be text, and is {found}.",
        "field_has_nul": "The field {field} contains a NUL character.",
        "field_has_surrogate": "The field {field} contains an unpaired surrogate.",
        "field_too_long": "The field {field} has more than {longest:,} characters.",
        "id_taken": "The campaign, or an earlier line, has another article with this source_id. "
        "Give this one its own id, or leave the id out.",
        "no_anchor": "The text has no content word that a twin could be written around.",
    }
)
"""The errors of an article: code and message."""


def _silent(lines: int, imported: int) -> None:
    """Report no progress."""


@dataclass(frozen=True, slots=True)
class NewArticle:
    """One valid record; `source_id` identifies it in the campaign."""

    source_id: str
    title: str
    text: str
    category: str


def import_articles(
    *, campaign: Campaign, rows: Iterable[Mapping[str, Any]], on_reject: OnReject | None = None
) -> ImportReport:
    """Import articles into a campaign; repeating it changes nothing.

    Parameters
    ----------
    campaign : Campaign
        The target.
    rows : iterable of mapping
        `title` and `text`; optional `source_id` (by default a hash of title and text) and
        `category`. Other fields are ignored. Rows are counted from 1 as lines.
    on_reject : callable, optional
        Called with every `Reject`.

    Returns
    -------
    ImportReport
        An article whose `source_id` and text are in the campaign counts as already there. One
        with the `source_id` of another text is rejected; so is one without any anchor, as no twin
        could be written for it.

    Notes
    -----
    All or nothing: the rows are one batch in memory.
    """
    records = (_as_record(number, row) for number, row in enumerate(rows, start=1))
    return _import(campaign, records, on_reject, _silent, batch_size=None)


def import_article_files(
    *,
    campaign: Campaign,
    path: Path,
    on_reject: OnReject | None = None,
    progress: Progress = _silent,
) -> ImportReport:
    """Import the articles of a file or folder into a campaign, as `import_articles` does.

    Parameters
    ----------
    path : Path
        A table (``tabular.read_records``) with at least title and text, plain or gzip; or a folder
        of such files and of text files (``folders.folder_records``).
    progress : callable
        Called after each stored batch with the numbers of records read and articles stored.

    Notes
    -----
    Each batch is committed. After an interruption, the same import continues: stored articles are
    skipped without searching for their anchors again.

    Raises
    ------
    OSError
        If the file or folder cannot be read.
    """
    if path.is_dir():
        records = folder_records(path, longest_line=LONGEST_LINE, longest_file=4 * LONGEST_TEXT)
        return _import(campaign, records, on_reject, progress, batch_size=BATCH)
    with open_stream(path) as stream:
        records = read_records(stream, known=FIELDS, required=REQUIRED, longest=LONGEST_LINE)
        return _import(campaign, records, on_reject, progress, batch_size=BATCH)


def decide(record: Record) -> NewArticle | Reject:
    """Return the article of a record, or the reject; never raises."""
    if (fault := record.problem) is not None:
        return Reject(record.line, fault.code, fault.sentence, record.source)
    values: dict[str, str] = {}
    for name in LONGEST:
        value = record.fields.get(name)
        reason = _fault(name, value)
        if reason:
            message = REASONS[reason].format(field=name, longest=LONGEST[name], found=short(value))
            return Reject(record.line, reason, message, values.get("source_id") or record.source)
        values[name] = entered(value or "").strip()
    source_id = values["source_id"] or _digest(values["title"], values["text"])
    return NewArticle(source_id, values["title"], values["text"], values["category"])


def _as_record(number: int, row: Any) -> Record:
    if isinstance(row, Mapping):
        return Record(number, dict(row))
    return Record(number, {}, problem("not_an_object", found=short(row)))


def _fault(name: str, value: Any) -> str | None:
    """Return the code in `REASONS` of an invalid field."""
    if value is None or value == "":
        return "field_missing" if name in REQUIRED else None
    if not isinstance(value, str):
        return "field_not_text"
    if not value.strip():
        return "field_missing" if name in REQUIRED else None
    if "\0" in value:
        return "field_has_nul"
    if any("\ud800" <= char <= "\udfff" for char in value):
        return "field_has_surrogate"
    return "field_too_long" if len(value.strip()) > LONGEST[name] else None


def _digest(title: str, text: str) -> str:
    digest = hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()[:32]
    return f"a{digest[1:]}" if reads_as_number(digest) else digest


def _import(
    campaign: Campaign,
    records: Iterator[Record],
    on_reject: OnReject | None,
    progress: Progress,
    *,
    batch_size: int | None,
) -> ImportReport:
    started = perf_counter()
    log = RejectLog(on_reject)
    lines = imported = already_there = 0
    while batch := list(islice(records, batch_size)):
        good = list(_good(batch, log))
        new, known = _store(campaign, list(with_own_ids(campaign, good)), log)
        lines += len(batch)
        imported += new
        already_there += known
        progress(lines, imported)
    return ImportReport(
        campaign=campaign.slug,
        lines=lines,
        imported=imported,
        already_there=already_there,
        rejected=dict(log.counts),
        first_rejects=tuple(log.first),
        seconds=perf_counter() - started,
    )


def _good(batch: Iterable[Record], log: RejectLog) -> Iterator[tuple[int, NewArticle, str]]:
    for record in batch:
        decided = decide(record)
        if isinstance(decided, Reject):
            log.add(decided)
        else:
            yield record.line, decided, record.source


def with_own_ids(
    campaign: Campaign, articles: Sequence[tuple[int, NewArticle, str]]
) -> Iterator[tuple[int, NewArticle]]:
    """Give an article that has the name of its file as id another one if the name is taken.

    Files in different folders may have the same name, which is all that a browser sends, and all
    that is left of a path in the folder that is imported.
    """
    of_files = [row for _, row, source in articles if source and row.source_id == id_of(source)]
    texts = known_texts(campaign, [article.source_id for article in of_files])
    for line, article, source in articles:
        is_of_file = source and article.source_id == id_of(source)
        if is_of_file and article.text not in texts.setdefault(article.source_id, {article.text}):
            digest = hashlib.sha256(article.text.encode()).hexdigest()[:8]
            own = f"{article.source_id[: LONGEST_SOURCE - 9]}-{digest}"
            article = replace(article, source_id=own)
        yield line, article


def _store(
    campaign: Campaign, articles: list[tuple[int, NewArticle]], log: RejectLog
) -> tuple[int, int]:
    """Store the batch's new articles; return how many were new, and how many known."""
    new, already_there = sort_out(campaign, articles, log)
    fresh: dict[str, Article] = {}
    for line, article in new:
        if anchors := [asdict(anchor) for anchor in find_anchors(article.text)]:
            made = Article(campaign=campaign, anchors=anchors, **asdict(article))
            fresh[article.source_id] = made
        else:
            log.add(without_anchor(line, article))
    brought = _insert(campaign, fresh) if fresh else set()
    late = [(line, article) for line, article in new if article.source_id in brought]
    return len(fresh) - len(brought), already_there + sort_out(campaign, late, log)[1]


def sort_out(
    campaign: Campaign, articles: Iterable[tuple[int, NewArticle]], log: RejectLog
) -> tuple[list[tuple[int, NewArticle]], int]:
    """Return the articles that the campaign does not have, each once, and how many are known.

    Those whose id another text has are rejected.
    """
    listed = list(articles)
    texts = known_texts(campaign, [article.source_id for _, article in listed])
    new, already_there = [], 0
    for line, article in listed:
        known = texts.setdefault(article.source_id, set())
        if not known:
            known.add(article.text)
            new.append((line, article))
        elif article.text in known:
            already_there += 1
        else:
            log.add(Reject(line, "id_taken", REASONS["id_taken"], article.source_id))
    return new, already_there


def known_texts(campaign: Campaign, source_ids: Iterable[str]) -> dict[str, set[str]]:
    """Return the texts of the campaign's articles with these ids, in all versions."""
    texts: dict[str, set[str]] = {}
    articles = campaign.articles.filter(source_id__in=list(source_ids))
    for source_id, text in articles.values_list("source_id", "text"):
        texts.setdefault(source_id, set()).add(text)
    return texts


def without_anchor(line: int, article: NewArticle) -> Reject:
    return Reject(line, "no_anchor", REASONS["no_anchor"], article.source_id)


@transaction.atomic
def _insert(campaign: Campaign, fresh: Mapping[str, Article]) -> set[str]:
    """Insert the articles that no concurrent import has stored; return the ids of the others."""
    # Imports into one campaign are serialized, so that they count correctly. Writers who request an
    # article may wait for this lock too: nothing slow may happen under it.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    stored = campaign.articles.filter(source_id__in=list(fresh))
    brought = set(stored.values_list("source_id", flat=True))
    new = [article for source_id, article in fresh.items() if source_id not in brought]
    Article.objects.bulk_create(new, batch_size=BATCH)
    return brought
