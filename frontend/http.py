"""What every page shares: who may open it, and how a refusal is shown."""

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import reswap, trigger_client_event
from django_htmx.middleware import HtmxDetails

from winoplatform.errors import DATABASE_ERRORS, DomainError, busy
from workers.models import User

P = ParamSpec("P")
M = TypeVar("M", bound=Model)
# What a service raises instead of doing what it is asked for: a rule of its own, or of its rows.
REFUSALS = (DomainError, ValidationError)


class PageRequest(HttpRequest):
    """A request of a signed-in user, possibly for a part of a page."""

    user: User  # type: ignore[assignment]
    htmx: HtmxDetails


View = Callable[Concatenate[PageRequest, P], HttpResponse]


class Guard(Protocol):
    """What opens a view to some people only."""

    def __call__(self, view: View[P], /) -> View[P]: ...


def signed_in(*methods: str) -> Guard:
    """Let only people who have signed in open a view, and show its refusals as pages.

    Its *methods* are the only ones that it answers: GET and HEAD where none is named.
    """
    return _only_if(lambda request: None, methods)


def curators_only(*methods: str) -> Guard:
    """As ``signed_in``, for curators; others learn nothing, not even whether the object exists."""
    return _only_if(_refuse_workers, methods)


def blind_only(*methods: str) -> Guard:
    """As ``signed_in``, for people who cannot look answers and votes up."""
    return _only_if(refuse_curators, methods)


def _only_if(check: Callable[[PageRequest], None], methods: Collection[str]) -> Guard:
    def guard(view: View[P], /) -> View[P]:
        answer = require_http_methods([*(methods or ("GET", "HEAD"))])(view)

        @wraps(view)
        def opened(request: PageRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.is_authenticated:
                return _to_sign_in(request)
            try:
                check(request)
                return answer(request, *args, **kwargs)
            except DomainError as error:
                return refused(request, error)
            except DATABASE_ERRORS as error:
                refusal = busy(error)
                if refusal is None:
                    raise
                return refused(request, refusal)

        return opened

    return guard


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


def _refuse_workers(request: PageRequest) -> None:
    if not request.user.is_curator:
        raise PermissionDenied(_("This page is for curators."))


def refuse_curators(request: PageRequest) -> None:
    """Refuse validation, and the pages before it, to users who can see answers and votes."""
    if request.user.is_curator:
        raise PermissionDenied(
            _("Curators can see answers and votes, so they cannot validate. Use a worker account.")
        )


def existing(rows: "QuerySet[M]", message: str, **which: Any) -> M:
    """Return the first of *rows* that is so, or refuse the page where there is none."""
    row = rows.filter(**which).first()
    if row is None:
        raise Http404(message)
    return row


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
