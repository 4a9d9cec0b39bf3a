"""Lines of the log that nobody outside can blow up: each request would else write what it sends."""

import logging

from django.core.exceptions import PermissionDenied

LONGEST = 1000  # characters of a message
LONGEST_REFUSED = 200


class CutFormatter(logging.Formatter):
    """As ``logging.Formatter``, with messages cut; a traceback below one stays whole."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        record.message = cut(record.message, LONGEST)
        return super().formatMessage(record)


def cut(text: str, longest: int) -> str:
    """Return *text*, or its beginning and how many characters are left out.

    >>> cut("abcdef", 4)
    'abcd… (2 more characters)'
    """
    left_out = len(text) - longest
    return text if left_out <= 0 else f"{text[:longest]}… ({left_out} more characters)"


class OneShortLine(logging.Filter):
    """Let a record through without its traceback: what was refused is no fault of ours."""

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
