"""The Croissant descriptions of releases, as pages and programs read them: JSON-LD."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from corpora.models import PublishedRun
from corpora.selectors import metadata_for

# As in Django's json_script: no text of a file can end the element that it is in.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026"}


def json_ld(request: HttpRequest, release: PublishedRun, *, page: str) -> dict[str, Any] | None:
    """Return the description of a release of any kind; None if it has none.

    Parameters
    ----------
    request : HttpRequest
    release : PublishedRun
    page : str
        The name of the release's page. That of its files has ``-file`` after it.
    """
    return metadata_for(
        release,
        files_address(request, release, page=page),
        page=address_of(request, release, page=page),
    )


def address_of(request: HttpRequest, release: PublishedRun, *, page: str) -> str:
    """Return the absolute address of a page of a release."""
    return request.build_absolute_uri(reverse(page, args=[release.name]))


def files_address(request: HttpRequest, release: PublishedRun, *, page: str) -> str:
    """Return the absolute address of the folder with a release's files."""
    file = reverse(f"{page}-file", args=[release.name, "x"])
    return request.build_absolute_uri(file.removesuffix("/x"))


def sent_metadata(metadata: dict[str, Any] | None) -> HttpResponse:
    """Send a description; a 404 if there is none."""
    if metadata is None:
        raise Http404(_("The release has no description."))
    return JsonResponse(metadata, content_type="application/ld+json")


def json_ld_element(metadata: dict[str, Any] | None) -> SafeString:
    """Return the element with a description for a page's head, which no text can leave."""
    if metadata is None:
        return SafeString("")
    packed = json.dumps(metadata, separators=(",", ":")).translate(_ESCAPES)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(packed))
