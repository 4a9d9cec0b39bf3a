"""The Content-Security-Policy of every response.

A page executes only scripts that carry its nonce, which is new for each request, so text that
comes to be markup runs nothing. Two kinds of pages need more:

- Django's admin site gives its scripts no nonce; all are files of this site.
- Plotly compiles what draws large scatter plots, and puts style elements into the page. So pages
  with pictures allow ``unsafe-eval`` and inline styles, but no inline script.
"""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"
Directives = Mapping[str, str]
BASE: Directives = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


class ContentSecurityPolicy:
    """Give each request a nonce, and each response the policy that belongs to it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.csp_nonce = secrets.token_urlsafe(16)  # type: ignore[attr-defined]
        response = self.get_response(request)
        directives = {**BASE, **_own(request, response)}
        response[HEADER] = "; ".join(f"{name} {value}" for name, value in directives.items())
        return response


def nonce(request: HttpRequest) -> dict[str, str]:
    """Give templates ``csp_nonce``."""
    return {"csp_nonce": getattr(request, "csp_nonce", "")}


def allow_plotly(request: HttpRequest) -> None:
    """Let the page that answers *request* use Plotly."""
    request.uses_plotly = True  # type: ignore[attr-defined]


def allow_frames(response: HttpResponse, origins: list[str]) -> None:
    """Let pages of *origins* frame this one, and its forms be sent there."""
    response.csp_frames = " ".join(origins)  # type: ignore[attr-defined]
    response.xframe_options_exempt = True  # type: ignore[attr-defined]


def _scripts(request: HttpRequest) -> str:
    if request.resolver_match and request.resolver_match.app_name == "admin":
        return "'self'"
    return f"'nonce-{request.csp_nonce}'"  # type: ignore[attr-defined]


def _own(request: HttpRequest, response: HttpResponse) -> dict[str, Any]:
    if not response.get("Content-Type", "").startswith("text/html"):
        return {}  # no script runs in other content, so the answer has nothing random
    found = {"script-src": _scripts(request)}
    if getattr(request, "uses_plotly", False):
        found["script-src"] = f"{_scripts(request)} 'unsafe-eval'"
        found["style-src"] = "'self' 'unsafe-inline'"
    if frames := getattr(response, "csp_frames", ""):
        found["frame-ancestors"] = frames
        found["form-action"] = f"'self' {frames}"
    return found
