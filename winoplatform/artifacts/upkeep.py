"""Delete the files that nothing refers to, without deleting one that is about to be used.

A file is stored before the row that refers to it, and looks unreferenced until that row is stored.
So a file is deleted at once only if its content was stored exactly once, and otherwise when its
content has not been stored for an hour.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.core.files.storage import storages
from django.db import IntegrityError, connection, transaction
from django.db.models import F, ProtectedError, QuerySet

from winoplatform.artifacts.bucket import BucketStorage
from winoplatform.artifacts.folder import AtomicFileStorage
from winoplatform.db import locks
from winoplatform.models import Artifact

log = logging.getLogger(__name__)
DELETING = "delete artifacts"  # the lock that a backup holds alone while it copies
KEPT_UNREFERENCED = timedelta(hours=1)  # far longer than any run takes between file and row


def drop(names: Iterable[str]) -> None:
    """Delete files, by SHA-256, that their owner no longer needs.

    A file that is still referred to stays. One that was stored more than once, or that the storage
    fails to delete, is left to `sweep`. Raises RuntimeError within a transaction.
    """
    stored_once = Artifact.objects.filter(put_at=F("created_at"))
    for name in names:
        _delete(stored_once, name)


def sweep(*, now: datetime) -> int:
    """Delete what no row refers to and was not stored for an hour; return the number of files.

    Such files are left by processes that died and by rows that were deleted. In a folder, the
    drafts of killed writers are deleted too. A file without an `Artifact` row stays: its database
    may be yet to be restored.
    """
    before = now - KEPT_UNREFERENCED
    left = Artifact.objects.unreferenced().filter(put_at__lt=before)
    count = sum(_delete(left, name) for name in list(left.values_list("pk", flat=True)))
    storage = storages["artifacts"]
    if isinstance(storage, AtomicFileStorage | BucketStorage):
        count += storage.delete_drafts(before=before)
    if count:
        log.info("swept %d files that nothing refers to", count)
    return count


def _delete(rows: "QuerySet[Artifact]", name: str) -> bool:
    """Delete one of *rows* with its file, unless it is referred to or the storage fails.

    The row is deleted first and stays locked until the file is gone: a process that stores the
    same content at that time waits, and then stores it again. A process killed in between leaves
    a row that nothing refers to, without a file; storing that content again stores the file too.
    Nothing is deleted while a backup copies: the database in it may name the file.
    This runs in its own transaction: rolling back an outer one would restore the row without its
    file.
    """
    try:
        with transaction.atomic(durable=True):
            if not locks.shares(DELETING):
                return False
            artifact = rows.select_for_update(skip_locked=True).filter(pk=name).first()
            if artifact is None:
                return False
            artifact.delete()
            connection.check_constraints()  # now: at commit the file would be gone already
            deleted = _delete_file(Artifact(sha256=name).storage_name)
            if not deleted:
                transaction.set_rollback(True)
    except (ProtectedError, IntegrityError):
        return False
    return deleted


def _delete_file(path: str) -> bool:
    """Delete a file of the store; any error is logged and does not fail the caller's run."""
    try:
        storages["artifacts"].delete(path)
    except Exception:  # storages raise different errors
        log.warning("artifact %s could not be deleted; it is swept later", path, exc_info=True)
        return False
    return True
