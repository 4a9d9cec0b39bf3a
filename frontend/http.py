"""What every page shares: who may open it, and how a refusal is shown."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django_htmx.http import reswap, trigger_client_event
from django_htmx.middleware import HtmxDetails

from winoplatform.errors import DATABASE_ERRORS, DomainError, busy
from workers.models import User

P = ParamSpec("P")
# What a service raises instead of doing what it is asked for: a rule of its own, or of its rows.
REFUSALS = (DomainError, ValidationError)


class PageRequest(HttpRequest):
    """A request of somebody who has signed in, maybe for a part of a page."""

    user: User  # type: ignore[assignment]
    htmx: HtmxDetails


View = Callable[Concatenate[PageRequest, P], HttpResponse]


def signed_in(view: View[P]) -> View[P]:
    """Let only people who have signed in open *view*, and show its refusals as pages."""

    @wraps(view)
    def opened(request: PageRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_authenticated:
            return _to_sign_in(request)
        try:
            return view(request, *args, **kwargs)
        except DomainError as error:
            return refused(request, error)
        except DATABASE_ERRORS as error:
            refusal = busy(error)
            if refusal is None:
                raise
            return refused(request, refusal)

    return opened


def _to_sign_in(request: PageRequest) -> HttpResponse:
    """Ask to sign in, and come back to the page one was on, not to what a form posts to."""
    if request.htmx:
        # A jump would take the page, and what is typed on it, away: the page says so itself.
        gone = HttpResponse(status=401)
        return trigger_client_event(reswap(gone, "none"), "signed-out")
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    came_from = urlsplit(request.headers.get("Referer", ""))
    return redirect_to_login(came_from.path if came_from.netloc == request.get_host() else "/")


def curators_only(view: View[P]) -> View[P]:
    """As ``signed_in``, for curators; others learn nothing, not even whether the object exists."""

    @signed_in
    @wraps(view)
    def opened(request: PageRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not request.user.is_curator:
            raise PermissionDenied(_("This page is for curators."))
        return view(request, *args, **kwargs)

    return opened


def blind_only(view: View[P]) -> View[P]:
    """As ``signed_in``, for people who cannot look answers and votes up."""

    @signed_in
    @wraps(view)
    def opened(request: PageRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        refuse_curators(request)
        return view(request, *args, **kwargs)

    return opened


def refuse_curators(request: PageRequest) -> None:
    """Refuse judging, and what leads to it, to whoever can look answers and votes up."""
    if request.user.is_curator:
        raise PermissionDenied(
            _("Curators can see answers and votes, so they do not judge. Use a worker account.")
        )


def refused(request: PageRequest, error: DomainError) -> HttpResponse:
    """Show a refusal as a page, or as a notice where a part was asked for."""
    if error.status == 404 and not request.htmx:
        raise Http404(error.message) from error
    return show(
        request, "frontend/refused.html", {"refusal": error}, part="notice", status=error.status
    )


def refusal_of(error: DomainError | ValidationError) -> DomainError:
    """Put what a service raised into the one form that pages show: a sentence and a status."""
    if isinstance(error, DomainError):
        return error
    return DomainError("invalid", " ".join(error.messages))


def show(
    request: PageRequest,
    template: str,
    context: dict[str, Any],
    *,
    part: str,
    status: int = 200,
) -> HttpResponse:
    """Render the page, or only its *part* where htmx asks for one."""
    name = f"{template}#{part}" if request.htmx and not request.htmx.boosted else template
    response = render(request, name, context, status=status)
    # One address gives a page and a part: a cache must tell them apart.
    patch_vary_headers(response, ["HX-Request"])
    return response
