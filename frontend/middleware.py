"""Middleware: what is read, time zones, second factors, pools, anonymous bodies, text of forms."""

import zoneinfo
from functools import cache
from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from frontend.http import PageRequest, lead_to, refused
from winoplatform import second_factor
from winoplatform.api.errors import refusal
from winoplatform.errors import DomainError
from winoplatform.http.bodies import read_anonymous
from winoplatform.http.responses import Middleware
from winoplatform.processes import pools
from winoplatform.text import entered, is_secret
from workers.models import AuditEvent
from workers.services.audit import record_read

COOKIE = "tz"
OPEN_WITHOUT_FACTOR = {
    *("account_logout", "account_reauthenticate"),
    *("mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
}
"""Pages on which a curator shows a second factor."""


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


class ReaderTimeZone(Middleware):
    """Activate the zone that the page's script wrote into the cookie ``tz``.

    Clients can send any cookie: unknown names are ignored, and the installation's zone applies.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        name = request.COOKIES.get(COOKIE, "")
        if name not in _known_zones():
            return self.get_response(request)
        with timezone.override(zoneinfo.ZoneInfo(name)):
            return self.get_response(request)


class SecondFactor(Middleware):
    """Show a curator nothing else before a second factor, where the installation wants one.

    Under ``/api/`` this is checked with the token or session.
    """

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if not settings.CURATORS_NEED_SECOND_FACTOR or request.path.startswith("/api/v1/"):
            return None
        if not second_factor.is_missing(request, request.user) or _is_open(request):
            return None
        return lead_to(cast(PageRequest, request), _where_to_show_one(request))


def _is_open(request: HttpRequest) -> bool:
    """Return whether a curator without a second factor shows one on this page, or sets it up.

    Only the first one is set up without another: or else the password would replace it.
    """
    # With its namespace: the admin site has pages whose names begin with mfa_ as well.
    name = getattr(request.resolver_match, "view_name", None) or ""
    if name in OPEN_WITHOUT_FACTOR:
        return True
    return name.startswith("mfa_") and not second_factor.has_one(request.user)


def _where_to_show_one(request: HttpRequest) -> str:
    if not second_factor.has_one(request.user):
        return reverse("mfa_index")
    methods = get_adapter().get_reauthentication_methods(request.user)
    page = next(method["url"] for method in methods if method["id"].startswith("mfa_"))
    return f"{page}?{urlencode({'next': request.get_full_path()})}"


class Pools(Middleware):
    """Give downloads and large bodies few of the threads; refuse the rest with 503."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase | None = None
        try:
            if int(request.META.get("CONTENT_LENGTH") or 0) > pools.LARGE_BODY:
                pools.hold(request, pools.LARGE_BODIES)
            response = self.get_response(request)
            if response.streaming:
                pools.hold(request, pools.DOWNLOADS)
        except DomainError as error:
            if response is not None:
                response.close()
            response = _busy(request, error)
        finally:
            pools.give_back(request, response)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer for views that do not expect that a pool is full."""
        is_busy = isinstance(error, DomainError) and error.code == pools.BUSY
        return _busy(request, cast(DomainError, error)) if is_busy else None


def _busy(request: HttpRequest, error: DomainError) -> HttpResponse:
    if request.path.startswith("/api/"):
        answer: HttpResponse = refusal(error)
    else:
        answer = refused(cast(PageRequest, request), error)
    answer._has_been_logged = True  # type: ignore[attr-defined]  # else a line for each of them
    return answer


class AnonymousBodies(Middleware):
    """Refuse bodies of anonymous visitors that are too large, before a form is parsed.

    Under ``/api/`` nothing reads a body before the token is known (its views are exempt from the
    CSRF check), and ``winoplatform.api.permissions.Anyone`` limits it where no token is required.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        is_page = request.method == "POST" and not request.path.startswith("/api/")
        if is_page and not request.user.is_authenticated:
            try:
                read_anonymous(request)
            except DomainError as error:
                return refused(cast(PageRequest, request), error)
        return self.get_response(request)


class EnteredText(Middleware):
    """Take the text of every form in as `entered`, before any form counts its characters.

    Views that check the account before they read a body are left alone, as by the CSRF check.
    """

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return
        taken = request.POST.copy()
        for name, values in taken.lists():
            if not is_secret(name):
                taken.setlist(name, [entered(str(value)) for value in values])
        taken._mutable = False
        request.POST = taken  # type: ignore[assignment]


class RecordReads(Middleware):
    """Record what a view that ``audits`` hands out, before any of it is sent."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method != "GET" or response.status_code not in (200, 206):
            return response
        kind = getattr(request, "audits", None) or _of_view(request)
        # Others read only what is theirs or public.
        if kind is not None and getattr(request.user, "is_curator", False):
            try:
                record_read(request, kind, status=response.status_code)
            except Exception:
                response.close()
                raise
        return response


def _of_view(request: HttpRequest) -> str | None:
    match = request.resolver_match
    if match is None:
        return None
    if match.app_name == "admin" and match.url_name != "jsi18n":
        return AuditEvent.Kind.ADMINISTRATION  # its tables have labels and pay
    kind: str | None = getattr(getattr(match.func, "view_class", match.func), "audits", None)
    return kind
