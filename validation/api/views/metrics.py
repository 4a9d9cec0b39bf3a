"""The figures of the whole platform for Prometheus, from any one of its web processes."""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from validation.exports.metrics import Figures
from validation.selectors.operation import operation_state


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all figures to those who have the token; for others there is no such page."""
    if not _has_token(request):
        return HttpResponseNotFound(content_type="text/plain")
    text = generate_latest(Figures(operation_state()))
    return HttpResponse(text, content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _has_token(request: HttpRequest) -> bool:
    asked = request.headers.get("Authorization", "").encode()
    wanted = f"Bearer {settings.METRICS_TOKEN}".encode()
    return bool(settings.METRICS_TOKEN) and secrets.compare_digest(asked, wanted)
