"""Middleware: the audit log's events of reads."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from workers.models import AuditEvent
from workers.services.audit import record_read


class RecordReads:
    """Record what a view that ``audits`` hands out, before any of it is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
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
