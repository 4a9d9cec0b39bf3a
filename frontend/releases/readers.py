"""Who reads releases: members, and of public ones everyone, also without an account."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.translation import gettext as _

from corpora.models import Release

RELEASES = Release.objects.select_related("snapshot__campaign", "selection", "previous")
_packer = GZipMiddleware(lambda request: HttpResponse())


def open_to_readers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the release that has the name in its address, if the visitor may see it.

    Strangers are asked to sign in, whether there is such a release or not. Their pages have no
    secret, so they are sent compressed: a phone on a slow network gets them in a third of the
    time.
    """

    @wraps(view)
    def opened(request: HttpRequest, name: str, **more: Any) -> HttpResponse:
        release = visible_release(request, name)
        if release is None:
            return refused(request)
        response = view(request, release, **more)
        if request.user.is_authenticated or request.method == "POST":
            return response
        return packed(request, response)

    return opened


def visible_release(request: HttpRequest, name: str) -> Release | None:
    """Return the release that has the name, if the visitor may see it."""
    return RELEASES.visible_to(request.user).named(name)


def refused(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        raise Http404(_("There is no such release."))
    return redirect_to_login(request.get_full_path())


def packed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Compress an answer in which nothing is secret, if the visitor's browser can read that."""
    return cast(HttpResponse, _packer.process_response(request, response))
