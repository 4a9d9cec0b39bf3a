"""Log formatting: text from requests is truncated, and what opens an account is masked."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import PermissionDenied

from winoplatform.processes import tracing

LONGEST = 1000  # characters of a message
LONGEST_REFUSED = 200
# The text of a token, and a code that is in the path because the # before it was lost.
SECRET = re.compile(r"(wino_)\w+|(/(?:invitation|new-password|confirm-address)/)[^\s/?'\"]+")


def masked(text: str) -> str:
    """Return *text* without tokens and codes.

    >>> masked("Not Found: /invitation/3Q-x_1"), masked("Token wino_0a1b")
    ('Not Found: /invitation/…', 'Token wino_…')
    """
    return SECRET.sub(lambda found: f"{found[1] or found[2]}…", text)


class CutFormatter(logging.Formatter):
    """Format as ``logging.Formatter``, truncating messages but not tracebacks."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - called by logging
        record.message = cut(masked(record.message), LONGEST)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - called by logging
        return masked(super().formatException(ei))


class JSONFormatter(CutFormatter):
    """One JSON object per record, with the request, task and run that it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": cut(masked(record.getMessage()), LONGEST),
            **_ids(record),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _ids(record: logging.LogRecord) -> dict[str, str]:
    # Django logs a refused request after its middleware has ended.
    found = getattr(getattr(record, "request", None), "trace_id", None)
    return tracing.ids() | ({"request": found} if found else {})


def cut(text: str, longest: int) -> str:
    """Return *text*, truncated to *longest* characters, with the number left out.

    >>> cut("abcdef", 4)
    'abcd… (2 more characters)'
    """
    left_out = len(text) - longest
    return text if left_out <= 0 else f"{text[:longest]}… ({left_out} more characters)"


class OneShortLine(logging.Filter):
    """Drop the traceback of a record: a refused request is not an error of the platform."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = cut(record.getMessage(), LONGEST_REFUSED), ()
        record.msg = " ".join(str(record.msg).split())
        record.exc_info = record.exc_text = None
        return True


class RefusedInALine(OneShortLine):
    """Shorten only the records of refused permissions; faults keep their traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        return super().filter(record) if isinstance(error, PermissionDenied) else True
