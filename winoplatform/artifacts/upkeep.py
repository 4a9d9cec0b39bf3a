"""Delete the files that nothing needs any more, and never one that somebody is about to need.

A file is stored before the row that refers to it. So between the two it looks like one that nothing
needs: a file is deleted at once only if nobody else has ever stored the same content, and otherwise
when nobody has for an hour.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.files.storage import storages
from django.db import IntegrityError, connection, transaction
from django.db.models import F, ProtectedError, QuerySet

from winoplatform.artifacts.storage import AtomicFileStorage
from winoplatform.models import Artifact

log = logging.getLogger(__name__)
KEPT_UNREFERENCED = timedelta(hours=1)  # far longer than any run takes from a file to its row


def drop(names: Iterable[str]) -> None:
    """Delete the files that whoever stored them has let go, by SHA-256.

    What is still referred to stays, and what was stored more than once, or what the store refuses
    to delete, is left to `sweep`. Raises RuntimeError within a transaction.
    """
    stored_once = Artifact.objects.filter(put_at=F("created_at"))
    for name in names:
        _delete(stored_once, name)


def sweep(*, now: datetime) -> int:
    """Delete what no row refers to and nobody has stored for an hour; return how many that were.

    Such files are left by processes that died and by rows that were deleted. In a folder the
    drafts of writers that were killed go too. A file without a row stays: it may be that of a
    database that is yet to be restored.
    """
    before = now - KEPT_UNREFERENCED
    left = Artifact.objects.unreferenced().filter(put_at__lt=before)
    count = sum(_delete(left, name) for name in list(left.values_list("pk", flat=True)))
    storage = storages["artifacts"]
    if isinstance(storage, AtomicFileStorage):
        count += storage.delete_drafts(before=before)
    if count:
        log.info("swept %d files that nothing refers to", count)
    return count


def _delete(rows: "QuerySet[Artifact]", name: str) -> bool:
    """Delete one of *rows* with its file, unless it is referred to or the store refuses.

    The row goes first, and its lock is held until the file is gone: whoever stores the same
    content meanwhile waits, and then stores it anew. Killed in between, a row without a file is
    left that nothing refers to, and whoever stores that content stores the file as well. In a
    transaction of its own, since of one that is rolled back the row would return without its file.
    """
    try:
        with transaction.atomic(durable=True):
            artifact = rows.select_for_update(skip_locked=True).filter(pk=name).first()
            if artifact is None:
                return False
            artifact.delete()
            connection.check_constraints()  # at once: at the commit the file would be gone already
            deleted = _delete_file(Artifact(sha256=name).storage_name)
            if not deleted:
                transaction.set_rollback(True)
    except (ProtectedError, IntegrityError):
        return False
    return deleted


def _delete_file(path: str) -> bool:
    """Delete a file of the store; whatever it raises is logged and costs no run its end."""
    try:
        storages["artifacts"].delete(path)
    except Exception:  # each storage has errors of its own
        log.warning("artifact %s could not be deleted; it is swept later", path, exc_info=True)
        return False
    return True
