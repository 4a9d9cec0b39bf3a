"""Articles sent from a browser: examined first, kept as a file, and imported on confirmation."""

import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import IO, Any, Protocol

from django.utils.translation import gettext as _

from collection.core.anchors import find_anchors
from collection.imports.articles import (
    LONGEST_LINE,
    LONGEST_TEXT,
    NewArticle,
    decide,
    import_articles,
    sort_out,
    with_own_ids,
    without_anchor,
)
from collection.imports.folders import file_records
from collection.imports.report import ImportReport, Reject, RejectLog
from collection.models import Campaign
from tabular import Record
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.models import Artifact

# Finding anchors in this much text takes some seconds, in which the browser waits.
MOST_BYTES = 1024 * 1024
REJECTS_SHOWN = 50
ARTICLES_SHOWN = 5
PACKED = b"\x1f\x8b"


class Upload(Protocol):
    """A file of a form."""

    name: str | None
    size: int | None

    def open(self) -> IO[bytes]: ...


def examine_uploads(
    *, campaign: Campaign, files: Iterable[Upload]
) -> tuple[ImportReport, Artifact | None]:
    """Report what importing *files* would do; the new articles are kept in an artifact.

    Raises
    ------
    DomainError
        ``too_large``, or ``file_packed``: the size of a compressed file says nothing.
    """
    with tempfile.TemporaryDirectory() as folder:
        saved = _save(Path(folder), list(files))
        records = (
            record
            for path, name in saved
            for record in file_records(
                path, name=name, longest_line=LONGEST_LINE, longest_file=4 * LONGEST_TEXT
            )
        )
        return _examine(campaign, records)


def examine_copies(*, campaign: Campaign, source: Campaign) -> tuple[ImportReport, Artifact | None]:
    """Report what copying the articles of another campaign would do, as ``examine_uploads``."""
    rows = source.articles.current().order_by("pk").values("source_id", "title", "text", "category")
    return _examine(campaign, _rows_within_limit(rows.iterator(chunk_size=500)))


def examine_kept(*, campaign: Campaign, artifact: Artifact) -> ImportReport:
    """Report what importing the articles that were kept would do now.

    Raises
    ------
    FileNotFoundError
        If the file is not kept any longer.
    """
    with store.open_artifact(artifact) as file:
        records = (Record(number, json.loads(line)) for number, line in enumerate(file, start=1))
        return _examine(campaign, records)[0]


def first_articles(artifact: Artifact) -> list[dict[str, str]]:
    """Return the first articles that were kept."""
    with store.open_artifact(artifact) as file:
        return [json.loads(line) for line in islice(file, ARTICLES_SHOWN)]


def import_examined(*, campaign: Campaign, artifact: Artifact) -> ImportReport:
    """Import the articles that were kept by an examination; repeating it changes nothing.

    Raises
    ------
    FileNotFoundError
        If the file is not kept any longer.
    """
    with store.open_artifact(artifact) as file:
        return import_articles(campaign=campaign, rows=map(json.loads, file))


def _too_large() -> DomainError:
    return DomainError(
        "too_large",
        _("The files have more than %(most)d MB. Import them with manage.py import_articles.")
        % {"most": MOST_BYTES >> 20},
        status=413,
    )


def _save(folder: Path, files: list[Upload]) -> list[tuple[Path, str]]:
    """Write the files; return each with a safe form of its name, in the order of names."""
    if sum(file.size or 0 for file in files) > MOST_BYTES:
        raise _too_large()
    saved = []
    for number, file in enumerate(files):
        content = file.open().read()
        if content.startswith(PACKED):
            raise DomainError("file_packed", _("Unpack the compressed file and choose it again."))
        name = re.sub(r"[^\w.-]", "_", file.name or "").lstrip(".")[-100:] or "file"
        path = folder / f"{number}-{name}"
        path.write_bytes(content)
        saved.append((path, name))
    return sorted(saved, key=lambda pair: pair[1])


def _rows_within_limit(rows: Iterable[Mapping[str, Any]]) -> Iterator[Record]:
    size = 0
    for number, row in enumerate(rows, start=1):
        size += len(row["text"])
        if size > MOST_BYTES:
            raise _too_large()
        yield Record(number, dict(row))


def _examine(campaign: Campaign, records: Iterable[Record]) -> tuple[ImportReport, Artifact | None]:
    started, log, good, lines = perf_counter(), RejectLog(keep=REJECTS_SHOWN), [], 0
    for record in records:
        lines += 1
        decided = decide(record)
        if isinstance(decided, Reject):
            log.add(decided)
        else:
            good.append((record.line, decided, record.source))
    new, known = sort_out(campaign, with_own_ids(campaign, good), log)
    usable = [article for line, article in new if _has_anchor(line, article, log)]
    report = ImportReport(
        campaign=campaign.slug,
        lines=lines,
        imported=len(usable),
        already_there=known,
        rejected=dict(log.counts),
        first_rejects=tuple(log.first),
        seconds=perf_counter() - started,
    )
    return report, _keep(usable) if usable else None


def _has_anchor(line: int, article: NewArticle, log: RejectLog) -> bool:
    """Return whether an anchor is found; the beginning nearly always has one."""
    if find_anchors(article.text[:1000]) or find_anchors(article.text):
        return True
    log.add(without_anchor(line, article))
    return False


def _keep(articles: Iterable[NewArticle]) -> Artifact:
    lines = (json.dumps(asdict(article), ensure_ascii=False) for article in articles)
    return store.put_bytes("\n".join(lines).encode())
