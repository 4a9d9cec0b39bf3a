"""Limits on request bodies: file uploads to few pages, and little data from anonymous visitors."""

from threading import BoundedSemaphore
from typing import Any

from django.core.files.uploadhandler import (
    FileUploadHandler,
    SkipFile,
    TemporaryFileUploadHandler,
)
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError

ANONYMOUS_BYTES = 64 * 1024  # a user name, a password of 4,096 characters, an event of a platform
# Of the eight threads of a web process: a slow body blocks the thread that reads it.
ANONYMOUS_AT_ONCE = 4
UPLOADED_BYTES = 4 * 1024 * 1024  # of all files of a request; a proxy refuses 5 MB
_slots = BoundedSemaphore(ANONYMOUS_AT_ONCE)


def read_anonymous(request: HttpRequest) -> None:
    """Read the body of an anonymous request, before any other code accesses it.

    Raises
    ------
    DomainError
        ``too_large`` (413) if it exceeds ``ANONYMOUS_BYTES``; nothing is read then;
        ``body_unreadable`` (400) if the client disconnects;
        ``busy_try_again`` (503) while this process reads ``ANONYMOUS_AT_ONCE`` such bodies.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) > ANONYMOUS_BYTES:
        limit = f"{ANONYMOUS_BYTES:,}"
        raise DomainError(
            "too_large",
            _("Without signing in, you can send at most %(limit)s bytes.") % {"limit": limit},
            status=413,
        )
    if not _slots.acquire(blocking=False):
        raise DomainError(
            "busy_try_again",
            _("The server is busy with other visitors. Please try again."),
            status=503,
            details={"retry_after": 1},
        )
    try:
        request.body  # noqa: B018 - the request caches it
    except UnreadablePostError:
        raise DomainError(
            "body_unreadable", _("The request ended before it was complete. Send it again.")
        ) from None
    finally:
        _slots.release()


class NoFiles(FileUploadHandler):
    """Refuse a file before any of it is stored: the default, which a view can replace."""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        raise MultiPartParserError("Files are not accepted here.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Not called: ``new_file`` refuses."""

    def file_complete(self, file_size: int) -> None:
        """Not called: ``new_file`` refuses."""


class SkipLarge(FileUploadHandler):
    """Skip the files beyond ``UPLOADED_BYTES``; the other fields of the form are kept.

    ``skipped`` are the names of the fields of these files.
    """

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.skipped: list[str] = []
        self._read = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Count the bytes and pass them on."""
        self._read += len(raw_data)
        if self._read > UPLOADED_BYTES:
            self.skipped.append(str(self.field_name))
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave the file to the next handler."""


def accept_files(request: HttpRequest) -> SkipLarge:
    """Let a request send files; call it before anything reads the body, also the CSRF check.

    Returns
    -------
    SkipLarge
        After the body is read, it knows which files were too large.
    """
    limit = SkipLarge(request)
    request.upload_handlers = [limit, TemporaryFileUploadHandler(request)]
    return limit
