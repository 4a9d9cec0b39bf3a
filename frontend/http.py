"""What all pages share: access, and how a refusal is shown."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, reswap, trigger_client_event
from django_htmx.middleware import HtmxDetails
from rest_framework.permissions import SAFE_METHODS

from frontend.kept import resend_page, sent_fields
from winoplatform.api.views import download
from winoplatform.errors import DATABASE_ERRORS, DomainError, busy
from winoplatform.http.rights import Right, needed
from workers.models import AuditEvent, User
from workers.services.audit import hands_out

P = ParamSpec("P")
M = TypeVar("M", bound=Model)
# Errors that services raise for a refusal, from their own rules or from models.
REFUSALS = (DomainError, ValidationError)


# Pages that only participants of a crowd platform have, and the cookie that tells of them.
SESSION_PAGES = ("crowd-session", "finish-session", "stop-session")
CAME_BY_LINK = "came_by_link"


class PageRequest(HttpRequest):
    """A request of a signed-in user, possibly for a part of a page."""

    user: User  # type: ignore[assignment]
    htmx: HtmxDetails


View = Callable[Concatenate[PageRequest, P], HttpResponse]


class Guard(Protocol):
    """A decorator that restricts access to a view."""

    def __call__(self, view: View[P], /) -> View[P]: ...


@dataclass(frozen=True, slots=True)
class Needs:
    """Which right in a campaign a page needs of its members: to read it, and to send its form."""

    read: Right = Right.DATA
    change: Right = Right.MANAGE


OVERVIEW = Needs(Right.SEE, Right.MANAGE)
MANAGE = Needs(Right.MANAGE, Right.MANAGE)
REVIEW = Needs(Right.DATA, Right.DECIDE)
PAY = Needs(Right.PAY, Right.PAY)
READERS = Needs(Right.DATA, Right.DATA)


def signed_in(*methods: str, needs: Needs = OVERVIEW) -> Guard:
    """Restrict a view to signed-in users, and show its refusals as pages.

    It allows only *methods*; GET and HEAD if none is given.
    """
    return _only_if(lambda request: None, methods, needs)


def curators_only(*methods: str, needs: Needs = Needs()) -> Guard:
    """As ``signed_in``, for curators; other users get a 404, so that they learn nothing."""
    return _only_if(_refuse_workers, methods, needs)


def admins_only(*methods: str) -> Guard:
    """As ``curators_only``, for admins."""
    return _only_if(_refuse_others_than_admins, methods, Needs())


def blind_only(*methods: str) -> Guard:
    """As ``signed_in``, for users who cannot look up answers and votes."""
    return _only_if(refuse_curators, methods, OVERVIEW)


def _only_if(check: Callable[[PageRequest], None], methods: Collection[str], needs: Needs) -> Guard:
    def guard(view: View[P], /) -> View[P]:
        answer = require_http_methods([*(methods or ("GET", "HEAD"))])(view)

        @wraps(view)
        def opened(request: PageRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if not request.user.is_authenticated:
                return _to_sign_in(request)

            def checked() -> HttpResponse:
                check(request)
                needed(needs.read if request.method in SAFE_METHODS else needs.change)
                return answer(request, *args, **kwargs)

            response = answered(request, checked)
            return response if response.status_code != 405 else _form_only(request, response)

        return opened

    return guard


def answered(request: PageRequest, answer: Callable[[], HttpResponse]) -> HttpResponse:
    """Return an answer; a refusal, or that the database is busy, is shown as a page."""
    try:
        return answer()
    except DomainError as error:
        return refused(request, error)
    except DATABASE_ERRORS as error:
        refusal = busy(error)
        if refusal is None:
            raise
        return refused(request, refusal)


def _form_only(request: PageRequest, response: HttpResponse) -> HttpResponse:
    """Say on a page that an address only takes a form, where Django's answer is blank."""
    message = _("This address only takes what a form sends. Open the page with the form instead.")
    page = refused(request, DomainError("method_not_allowed", message, status=405))
    page["Allow"] = response["Allow"]
    return page


def _to_sign_in(request: PageRequest) -> HttpResponse:
    """Redirect to sign in, and return to the page with the form, not to the address it posts to."""
    if request.htmx:
        # A redirect would discard the page and its unsaved text: the page itself shows a notice.
        gone = HttpResponse(status=401)
        return trigger_client_event(reswap(gone, "none"), "signed-out")
    if request.method == "POST" and sent_fields(request):
        return resend_page(request, by_link=came_by_link(request))
    if came_by_link(request):
        return render(request, "frontend/parts/signed_out.html", status=403)
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    came_from = urlsplit(request.headers.get("Referer", ""))
    return redirect_to_login(came_from.path if came_from.netloc == request.get_host() else "/")


def came_by_link(request: HttpRequest) -> bool:
    """Return whether a visitor who is signed out has a study link instead of a password."""
    match = request.resolver_match
    is_own = match is not None and match.url_name in SESSION_PAGES
    # A client may keep a cookie that was deleted: it is empty then.
    return is_own or bool(request.COOKIES.get(CAME_BY_LINK))


def _refuse_workers(request: PageRequest) -> None:
    if not request.user.is_curator:
        raise PermissionDenied(_("This page is for curators."))


def _refuse_others_than_admins(request: PageRequest) -> None:
    if request.user.role != User.Role.ADMIN:
        raise PermissionDenied(_("This page is for admins."))


def refuse_curators(request: PageRequest) -> None:
    """Refuse validation, and the pages before it, to users who can see answers and votes."""
    if request.user.is_curator:
        raise PermissionDenied(_("Curators can see answers and votes, so they cannot validate."))


def existing(rows: "QuerySet[M]", message: str, **which: Any) -> M:
    """Return the first of *rows* that matches, or raise a 404."""
    row = rows.filter(**which).first()
    if row is None:
        raise Http404(message)
    return row


def refused(request: PageRequest, error: DomainError) -> HttpResponse:
    """Show a refusal as a page, or as a notice if a part was requested."""
    if error.status == 404 and not request.htmx:
        raise Http404(error.message) from error
    page = show(
        request, "frontend/refused.html", {"refusal": error}, part="notice", status=error.status
    )
    if "retry_after" in error.details:
        page["Retry-After"] = error.details["retry_after"]
    return page


def refusal_of(error: DomainError | ValidationError) -> DomainError:
    """Convert an error of a service to the form that pages show: a sentence and a status."""
    if isinstance(error, DomainError):
        return error
    return DomainError("invalid", " ".join(error.messages))


def lead_to(request: PageRequest, address: str) -> HttpResponse:
    """Open another page, also from a request for a part of one."""
    return HttpResponseClientRedirect(address) if request.htmx else redirect(address)


def show(
    request: PageRequest,
    template: str,
    context: dict[str, Any],
    *,
    part: str,
    status: int = 200,
) -> HttpResponse:
    """Render the page, or only its *part* if htmx requested one."""
    name = f"{template}#{part}" if request.htmx and not request.htmx.boosted else template
    response = render(request, name, context, status=status)
    # One address returns a page or a part: a cache must distinguish them.
    patch_vary_headers(response, ["HX-Request"])
    return response


def sent_file(request: HttpRequest, files: Any, file_name: str) -> HttpResponse:
    """Send the one of a release's *files* that has the name, as stored; a 404 if none has it."""
    # Compared in Python: an address can contain characters that the database rejects.
    file = next((file for file in files if file.name == file_name), None)
    if file is None:
        raise Http404(_("The release has no such file."))
    if getattr(file, "restricted", False):
        hands_out(request, AuditEvent.Kind.LABELS_FILE)
    # Only as a download: text of crowd workers must never run as a page of this site.
    name = file.name.rpartition("/")[2]
    kind = "application/octet-stream"
    return cast(HttpResponse, download(request, file.artifact, name=name, content_type=kind))
