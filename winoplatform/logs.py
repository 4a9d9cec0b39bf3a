"""Log formatting that truncates text from requests, so that clients cannot flood the log."""

import logging

from django.core.exceptions import PermissionDenied

LONGEST = 1000  # characters of a message
LONGEST_REFUSED = 200


class CutFormatter(logging.Formatter):
    """Format as ``logging.Formatter``, truncating messages but not tracebacks."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - called by logging
        record.message = cut(record.message, LONGEST)
        return super().formatMessage(record)


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
