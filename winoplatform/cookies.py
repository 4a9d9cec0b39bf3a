"""A limit to cookies, before anything reads them.

Python reads a quoted cookie in a time that grows with the square of its backslashes: 60 kB take
seconds. Ours hold none.
"""

from collections.abc import Callable, Iterable
from typing import Any

COOKIE_BYTES = 16 * 1024  # what browsers keep for a site, and more than servers usually take
BACKSLASHES = 100
ANSWER = b"The cookies of this site are too large. Delete them in the browser and try again.\n"
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def limited(application: Application) -> Application:
    """Return *application*, refusing requests (431) whose cookies are too large to be ours."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        cookies = environ.get("HTTP_COOKIE", "")
        if len(cookies) <= COOKIE_BYTES and cookies.count("\\") <= BACKSLASHES:
            return application(environ, start_response)
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(ANSWER)))]
        start_response("431 Request Header Fields Too Large", headers)
        return [ANSWER]

    return answer
