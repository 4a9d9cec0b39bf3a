"""What was typed is shown again, to be sent again, where a form could not be taken.

A form is not taken if its user is signed out by now, or if its page was opened before a sign-in in
another tab. The text goes back only to the tab that sent it, with no copy elsewhere, so that nobody
else at this computer gets it.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django_htmx.http import reswap, trigger_client_event

from winoplatform.text import is_secret

TOKEN = "csrfmiddlewaretoken"
PLAIN_CHARACTERS = 20


@dataclass(frozen=True, slots=True)
class SentField:
    """One field of a form that was sent; text is shown, a choice or an id is not."""

    name: str
    value: str

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()

    @property
    def is_text(self) -> bool:
        is_plain = self.value.replace("-", "").replace("_", "").isalnum()
        return bool(self.value.strip()) and not (is_plain and len(self.value) <= PLAIN_CHARACTERS)


def sent_fields(request: HttpRequest) -> list[SentField]:
    """Return the fields of a form; none if it has a password or another secret."""
    names = [name for name in request.POST if name != TOKEN]
    if any(map(is_secret, names)):
        return []
    return [SentField(name, value) for name in names for value in request.POST.getlist(name)]


def resend_page(request: HttpRequest, **more: Any) -> HttpResponse:
    """Show the text of a form with a button that sends it again."""
    context = {
        "fields": sent_fields(request),
        "back": page_of_form(request),
        "has_files": (request.content_type or "").startswith("multipart/"),
        **more,
    }
    return render(request, "frontend/kept.html", context, status=403)


@never_cache
def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form with an old token: give its text back, but only to a page of ours.

    Another site could send a form in a visitor's name, and our page would ask them to confirm it.
    """
    if not _is_ours(request):
        return render(request, "403_csrf.html", status=403)
    if getattr(request, "htmx", False):
        # The page keeps what was typed, gets a valid token, and says that it can be sent again.
        answer = reswap(HttpResponse(status=403), "none")
        return trigger_client_event(answer, "stale-page", {"token": get_token(request)})
    return resend_page(request, is_signed_in=request.user.is_authenticated)


def _is_ours(request: HttpRequest) -> bool:
    origin = request.headers.get("Origin")
    own = f"{request.scheme}://{request.get_host()}"
    if origin is None:
        return request.headers.get("Sec-Fetch-Site") == "same-origin"
    return origin in (own, *settings.CSRF_TRUSTED_ORIGINS)


def page_of_form(request: HttpRequest) -> str:
    came_from = urlsplit(request.headers.get("Referer", ""))
    return came_from.path if came_from.netloc == request.get_host() else "/"
