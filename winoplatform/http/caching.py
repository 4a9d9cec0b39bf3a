"""What nobody but the reader may keep: every answer to a request with credentials."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class PrivateAnswers:
    """Forbid browsers and proxies to store the answer to a signed-in request.

    By its credentials, valid or not, so that no page has to read the user. Signing in is included:
    the answer sets the session's cookie.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        name = settings.SESSION_COOKIE_NAME
        with_credentials = name in request.COOKIES or "Authorization" in request.headers
        if with_credentials or name in response.cookies:
            response["Cache-Control"] = "private, no-store"
        return response
