"""Serve the checked-in OpenAPI file: generating it takes a second of processor time."""

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.http import quote_etag
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import condition, require_safe

FILE = settings.BASE_DIR / "docs" / "openapi.yaml"
KEPT_SECONDS = 300


@cache
def _stored() -> tuple[bytes, str]:
    text = FILE.read_bytes()
    return text, quote_etag(sha256(text).hexdigest())


def _etag(request: HttpRequest) -> str:
    return _stored()[1]


@csrf_exempt  # so that nothing reads the body of a POST, which is refused anyway
@require_safe
@condition(etag_func=_etag)
def description(request: HttpRequest) -> HttpResponse:
    """Return ``docs/openapi.yaml``; ``make check`` compares it with the code."""
    return HttpResponse(
        _stored()[0],
        content_type="application/vnd.oai.openapi; charset=utf-8",
        headers={
            "Content-Disposition": 'inline; filename="WinoPlatform.yaml"',
            "Cache-Control": f"public, max-age={KEPT_SECONDS}",
        },
    )
