"""Who reads releases: members, and of public ones everyone, also without an account."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from corpora.models import Release
from frontend.http import PageRequest, answered

RELEASES = Release.objects.select_related("snapshot__campaign")
KEPT_SECONDS = 10
"""So long a reader may see a public page as it was, for example without a retraction."""
_packer = GZipMiddleware(lambda request: HttpResponse())


def open_to_readers(
    *, packs: bool = True
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Give a view the release that has the name in its address, if the visitor may see it.

    Strangers are asked to sign in, whether there is such a release or not. Their pages have no
    secret, so they are sent compressed unless *packs* is false: a phone on a slow network gets
    them in a third of the time; and the proxy may keep them for `KEPT_SECONDS`. Refusals are shown
    as pages.
    """

    def guard(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def opened(request: PageRequest, name: str, **more: Any) -> HttpResponse:
            response = answered(request, lambda: _answer(view, request, name, more))
            if not packs or request.user.is_authenticated or request.method == "POST":
                return response
            return for_strangers(request, response)

        return opened

    return guard


def _answer(
    view: Callable[..., HttpResponse], request: HttpRequest, name: str, more: Mapping[str, Any]
) -> HttpResponse:
    release = RELEASES.visible_to(request.user).named(name)
    if release is not None:
        return view(request, release, **more)
    if request.user.is_authenticated:
        raise Http404(_("There is no such release."))
    return redirect_to_login(request.get_full_path())


def for_strangers(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Compress an answer in which nothing is secret, and let the proxy keep it for others.

    A page with a form is not kept: its token and its key belong to one visitor.
    """
    has_form = "CSRF_COOKIE" in request.META
    if response.status_code == 200 and not (has_form or response.cookies):
        patch_cache_control(response, public=True, max_age=KEPT_SECONDS)
    return cast(HttpResponse, _packer.process_response(request, response))
