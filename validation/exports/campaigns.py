"""A campaign's tables as files, responses and archives."""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

import pyarrow as pa
from django.db import connection
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from collection.models import Campaign
from validation.selectors.tables import TABLES
from validation.selectors.tables.table import Table
from winoplatform.api.parsing import CONTENT_TYPES
from winoplatform.api.streams import streamed_file
from winoplatform.db.copying import in_blocks, streamed, text_of
from winoplatform.errors import DomainError
from winoplatform.exporting.columns import bare_csv_lines, csv_lines, json_lines
from winoplatform.exporting.parquet import parquet
from winoplatform.http import turns
from winoplatform.processes import private
from winoplatform.runs.sharing import WHOLE, Share

LINES = {"jsonl": json_lines, "csv": csv_lines, "parquet": bare_csv_lines}
# Of every row version: its key, and the transaction that wrote it.
ROWS = "count(*) || ' ' || coalesce(sum(hashint8extended(r.id, r.xmin::text::bigint)), 0)"
# What a transaction that still runs has dated is not visible yet; clocks may differ, too.
COMPLETE = """
least(now(), (
    SELECT min(xact_start) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
)) - interval '1 minute'
"""
MADE = "1"  # changes with the bytes that the same rows give


@dataclass(frozen=True, slots=True)
class Export:
    """An export that is being read: equal ``etag`` means equal bytes.

    ``complete_until`` is the value of ``since`` with which the next export misses nothing.
    """

    etag: str
    complete_until: datetime
    blocks: Generator[bytes, None, None]


@contextmanager
def exported(
    campaign: Campaign, name: str, form: str, *, since: datetime | None = None
) -> Iterator[Export]:
    """Open an export; leaving the block ends its transaction, read or not."""
    made = opened(campaign, name, form, since=since)
    with closing(made.blocks):
        yield made


def opened(campaign: Campaign, name: str, form: str, *, since: datetime | None = None) -> Export:
    """Open the export of a table; its ``blocks`` must be read to the end or closed.

    Parameters
    ----------
    name : str
        A key of ``TABLES``.
    form : {'jsonl', 'csv', 'parquet'}
    since : datetime, optional
        Leave out rows that were created and last changed before.

    Raises
    ------
    ValueError
        For any other name or form.
    """
    if name not in TABLES or form not in LINES:
        raise ValueError(f"There is no export {name!r} as {form!r}.")
    table = TABLES[name]
    version = connection.pg_version  # type: ignore[attr-defined]
    rows = streamed(_state(campaign, table), _statement(campaign, table, form, since))
    state, _, until = next(rows).decode().partition("|")
    made = f"{MADE} {name} {form} {since} {pa.__version__} {version} {state}"
    content = _content(rows, campaign, table, form)
    next(content)  # so that closing it ends the transaction
    etag = hashlib.sha256(made.encode()).hexdigest()
    return Export(etag, datetime.fromisoformat(until), content)


def _content(
    rows: Generator[bytes, None, None], campaign: Campaign, table: Table, form: str
) -> Generator[bytes, None, None]:
    """Yield nothing at first, then the file in blocks."""
    with closing(rows):
        yield b""
        whole = parquet(rows, table.columns(campaign)) if form == "parquet" else in_blocks(rows)
        yield from whole


def _state(campaign: Campaign, table: Table) -> str:
    """Return the query of one text: the state of all rows that count, and the time."""
    facts = [f"(SELECT {ROWS} FROM {source})" for source in table.state]
    until = f"to_char({COMPLETE}, 'YYYY-MM-DD\"T\"HH24:MI:SS.US+00:00')"
    row = " || ' ' || ".join(facts) + f" || '|' || {until}"
    return f"SELECT {row}" % {"campaign": campaign.pk}


def _statement(campaign: Campaign, table: Table, form: str, since: datetime | None) -> str:
    rows, columns, only = table.rows(campaign), table.columns(campaign), ""
    if since is not None:
        # Outside the rows: a condition inside would hide rows from window functions.
        changed = rows.filter(table.changed(since)).order_by().values("public_id")
        only = f"line.{next(iter(columns))} IN ({text_of(changed)})"
    return LINES[form](rows, columns, only=only)


def export_response(
    request: HttpRequest, campaign: Campaign, name: str, form: str, *, since: datetime | None = None
) -> HttpResponseBase:
    """Answer with a table of *campaign*, written as it is read.

    The header ``Next-Since`` is the value of *since* for the next request of a mirror.

    Raises
    ------
    DomainError
        While the user reads another export: each is a transaction, or a temporary file.
    """
    assert request.user.is_authenticated, "only members export"
    turn = turns.taken(f"export {request.user.public_id}")
    if turn is None:
        message = _("You are downloading another export. Start this one when that one has ended.")
        raise DomainError("export_running", message, status=429, details={"retry_after": 5})
    try:
        export = opened(campaign, name, form, since=since)
        response = _response(request, export, f"{name}-{campaign.slug}.{form}", form)
    except Exception:
        turn.close()
        raise
    response._resource_closers.append(turn.close)  # type: ignore[attr-defined]
    return response


def _response(request: HttpRequest, export: Export, file_name: str, form: str) -> HttpResponseBase:
    response = streamed_file(
        request,
        export.blocks,
        name=file_name,
        content_type=CONTENT_TYPES[form],
        etag=export.etag,
    )
    response["Next-Since"] = export.complete_until.isoformat()
    return response


def write_campaign(
    campaign: Campaign, form: str, folder: Path, share: Share = WHOLE
) -> Iterator[Path]:
    """Write the tables of *campaign* to *folder*; each file is complete or absent.

    Of several processes each writes those of its share. Each file has the same bytes, whoever
    writes it and however often, while no row changes.
    """
    private.make_folder(folder)
    for name in list(TABLES)[share.index :: share.of]:
        target = folder / f"{name}.{form}"
        draft = folder / f".{target.name}"
        with exported(campaign, name, form) as export, private.create(draft) as sink:
            _write(export, sink)
        draft.replace(target)
        yield target


def _write(export: Export, sink: IO[bytes]) -> None:
    for block in export.blocks:
        sink.write(block)
