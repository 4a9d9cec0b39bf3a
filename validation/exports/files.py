"""A campaign's tables as responses and as files in a folder."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from collection.models import Campaign
from validation.exports.campaigns import Export, exported, opened
from validation.selectors.tables import TABLES
from winoplatform.api.forms import CONTENT_TYPES
from winoplatform.api.streams import streamed_file
from winoplatform.errors import DomainError
from winoplatform.http import turns
from winoplatform.processes import private


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
    turn = turns.taken(f"export {request.user.pk}")
    if turn is None:
        said = _("You are downloading another export. Start this one when that one has ended.")
        raise DomainError("export_running", said, status=429, details={"retry_after": 5})
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


def write_campaign(campaign: Campaign, form: str, folder: Path) -> Iterator[Path]:
    """Write every table of *campaign* to *folder*; each file is complete or absent."""
    private.make_folder(folder)
    for name in TABLES:
        target = folder / f"{name}.{form}"
        draft = folder / f".{target.name}"
        with exported(campaign, name, form) as export, private.create(draft) as sink:
            _write(export, sink)
        draft.replace(target)
        yield target


def _write(export: Export, sink: IO[bytes]) -> None:
    for block in export.blocks:
        sink.write(block)
