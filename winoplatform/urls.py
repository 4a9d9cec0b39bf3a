"""The URLs of the whole platform."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import URLPattern, URLResolver, include, path
from django.utils.functional import lazy
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerView

from winoplatform.api import runs
from winoplatform.api.description import description
from winoplatform.api.system import LiveWorkers, Nothing
from winoplatform.http.health import health, live

api: list[URLPattern | URLResolver] = [
    path("", include("validation.api.campaign_urls")),
    path("", include("workers.api.urls")),
    path("", include("collection.api.urls")),
    path("", include("validation.api.urls")),
    path("", include("corpora.api.urls")),
    path("", include("publishing.api.urls")),
    path("", include("panels.api.urls")),
    path("", include("filtering.api.urls")),
    path("", include("knowledge.api.urls")),
    path("", include("knowledge.api.release_urls")),
    path("", include("evaluation.api.urls")),
    *runs.urls(),
    path("system/workers/", LiveWorkers.as_view()),
    path("<path:rest>", Nothing.as_view()),
]

docs = SpectacularSwaggerView.as_view(url_name="schema", template_name="frontend/api_docs.html")
urlpatterns = [
    # In this order: URLs are matched one after the other, and most requests are for the API.
    path("api/v1/", include(api)),
    path("admin/", admin.site.urls),
    path("api/schema/", description, name="schema"),
    path("api/docs/", docs, name="api-docs"),
    path("health/", health),
    path("live/", live),
    path("metrics/", include("validation.api.metrics_urls")),
    # Pages link to their icon; for the admin site browsers request it here.
    path("favicon.ico", RedirectView.as_view(url=lazy(static, str)("frontend/icon.svg"))),
    path("", include("frontend.urls")),
]

handler400 = "frontend.errors.bad_request"
handler404 = "frontend.errors.not_found"
handler500 = "frontend.errors.server_error"
