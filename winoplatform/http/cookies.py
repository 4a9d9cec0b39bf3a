"""A limit on the size of cookies, checked before they are parsed.

Python parses a quoted cookie in time quadratic in its number of backslashes: 60 kB take seconds.
The platform's own cookies contain none.
"""

from collections.abc import Callable, Iterable
from typing import Any

COOKIE_BYTES = 16 * 1024  # more than servers usually accept
BACKSLASHES = 100
ANSWER = b"The cookies of this site are too large. Delete them in the browser and try again.\n"
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def limited(application: Application) -> Application:
    """Wrap *application* to refuse (431) requests whose cookies are too large to be its own."""

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        cookies = environ.get("HTTP_COOKIE", "")
        if len(cookies) <= COOKIE_BYTES and cookies.count("\\") <= BACKSLASHES:
            return application(environ, start_response)
        headers = [("Content-Type", "text/plain"), ("Content-Length", str(len(ANSWER)))]
        start_response("431 Request Header Fields Too Large", headers)
        return [ANSWER]

    return answer
