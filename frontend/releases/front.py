"""The first page for visitors without an account, and what search engines may read."""

from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpora.core.bundle.layout import BLIND, DEV, FULL, parquet
from corpora.models import Release, ReleaseFile
from frontend.paging import page_of
from frontend.releases.readers import for_strangers

SIZE = 20
# Pages of releases alone: no file, no labelled row, and nothing of the blind test.
ROBOTS = """User-agent: *
Disallow: /
Allow: /releases/
Allow: /static/
Disallow: /releases/*/files/
Disallow: /releases/*/reports/
Disallow: /releases/*/rows/
Disallow: /releases/*/questions/
"""
CLOSED = "User-agent: *\nDisallow: /\n"


@require_safe
def public_releases(request: HttpRequest) -> HttpResponse:
    """Say what the platform is, and list the public releases, newest first."""
    if not (settings.PUBLIC_PAGES or request.user.is_authenticated):
        return redirect_to_login(request.get_full_path())
    page = page_of(
        _with_questions(Release.objects.public()), request, parameter="before", size=SIZE
    )
    response = render(request, "frontend/releases/public.html", {"page": page})
    return response if request.user.is_authenticated else for_strangers(request, response)


def _with_questions(rows: Any) -> QuerySet[Any]:
    """Add the number of questions in train, dev and test to releases, as ``n_questions``."""
    names = [parquet(stem) for stem in (FULL, DEV, BLIND)]
    files = ReleaseFile.objects.filter(release=OuterRef("pk"), name__in=names).order_by()
    counts = files.values("release").annotate(n=Sum("rows")).values("n")
    annotated: QuerySet[Any] = rows.select_related("snapshot__campaign").annotate(
        n_questions=Subquery(counts)
    )
    return annotated


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines which pages they may read."""
    text = ROBOTS if settings.PUBLIC_PAGES else CLOSED
    return HttpResponse(text, content_type="text/plain")
