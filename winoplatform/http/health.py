"""The health check of a web process, for load balancers and containers."""

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from winoplatform.db import versions


@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 if the database answers and is of this version, else 503.

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
