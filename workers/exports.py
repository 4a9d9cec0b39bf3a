"""A worker's pay statement, and all that is kept about a person, as files."""

from collections.abc import Iterable

from django.http import FileResponse, StreamingHttpResponse

from winoplatform.exporting.spreadsheets import saved_as
from winoplatform.personal import Identity
from winoplatform.personal.exporting import write_archive
from workers.models import AuditEvent, User
from workers.services import audit

ZIP = "application/zip"


def statement_response(lines: Iterable[str], worker: User) -> StreamingHttpResponse:
    """Stream the lines of *worker*'s statement."""
    return saved_as(f"pay-{worker.public_id}.csv", lines)


def own_data_response(account: User) -> FileResponse:
    """Send all that is kept about the person of an account, and record it."""
    # Of workers too, whose reads are not recorded otherwise: it is what a stolen session takes.
    audit.record(AuditEvent.Kind.PEOPLE_FILE, by=account, account=account, what="own data")
    archive = write_archive(Identity(account.pk))
    name = f"data-of-{account.public_id}.zip"
    return FileResponse(archive, as_attachment=True, filename=name, content_type=ZIP)
