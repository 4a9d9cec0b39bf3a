"""The Croissant descriptions of releases, as pages and programs read them: JSON-LD."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from corpora.models import PublishedRun
from corpora.selectors import metadata_for


def json_ld(request: HttpRequest, release: PublishedRun, *, page: str) -> dict[str, Any] | None:
    """Return the description of a release of any kind; None if it has none.

    Parameters
    ----------
    request : HttpRequest
    release : PublishedRun
    page : str
        The name of the release's page. That of its files has ``-file`` after it.
    """
    file = reverse(f"{page}-file", args=[release.name, "x"])
    return metadata_for(
        release,
        request.build_absolute_uri(file.removesuffix("/x")),
        page=request.build_absolute_uri(reverse(page, args=[release.name])),
    )


def sent_metadata(metadata: dict[str, Any] | None) -> HttpResponse:
    """Send a description; a 404 if there is none."""
    if metadata is None:
        raise Http404(_("The release has no description."))
    return JsonResponse(metadata, content_type="application/ld+json")
