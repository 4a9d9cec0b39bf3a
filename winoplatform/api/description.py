"""Serve the OpenAPI description, which each process generates once, when first asked."""

import json
from hashlib import sha256
from threading import Lock

from django.http import HttpRequest, HttpResponse
from django.utils.http import quote_etag
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import condition, require_safe
from drf_spectacular.generators import SchemaGenerator

KEPT_SECONDS = 300
_lock = Lock()
_stored: list[bytes] = []


def generated() -> bytes:
    """Return the description as JSON; generating it takes two seconds of processor time."""
    with _lock:
        if not _stored:
            described = SchemaGenerator().get_schema(public=True)
            _stored.append(json.dumps(described, default=str).encode())
    return _stored[0]


def _etag(request: HttpRequest) -> str:
    return quote_etag(sha256(generated()).hexdigest())


@csrf_exempt  # so that nothing reads the body of a POST, which is refused anyway
@require_safe
@condition(etag_func=_etag)
def description(request: HttpRequest) -> HttpResponse:
    """Return the description of the API; ``make openapi`` writes the same as a file."""
    return HttpResponse(
        generated(),
        content_type="application/vnd.oai.openapi+json; charset=utf-8",
        headers={
            "Content-Disposition": 'inline; filename="WinoPlatform.json"',
            "Cache-Control": f"public, max-age={KEPT_SECONDS}",
        },
    )
