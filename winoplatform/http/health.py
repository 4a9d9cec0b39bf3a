"""The health checks of a web process, for load balancers and containers."""

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from winoplatform.db import versions


@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """Return 200 as long as this process answers at all: a restart would not help it."""
    return JsonResponse({"status": "ok"})


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 if this process can serve requests, else 503.

    The database has to answer and to be of this version. Redis and the store are not asked: most
    pages work without them.

    A process whose database is of another version opens new sessions from then on, and each is
    checked; sessions that are open end by migrating, but only where the processes have a role of
    their own.
    """
    try:
        versions.check(connection)
    except versions.OtherVersion:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
        raise
    return JsonResponse({"status": "ok"})
