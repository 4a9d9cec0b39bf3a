"""Where everything answers."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from winoplatform.api.system import LiveWorkers, Nothing
from winoplatform.health import health

api: list[URLPattern | URLResolver] = [
    path("", include("workers.api.urls")),
    path("", include("collection.api.urls")),
    path("", include("validation.api.urls")),
    path("", include("filtering.api.urls")),
    path("", include("evaluation.api.urls")),
    path("system/workers/", LiveWorkers.as_view()),
    path("<path:rest>", Nothing.as_view()),
]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include(api)),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerView.as_view(url_name="schema"), name="api-docs"),
    path("health/", health),
    path("", include("frontend.urls")),
]

handler400 = "frontend.views.errors.bad_request"
handler404 = "frontend.views.errors.not_found"
handler500 = "frontend.views.errors.server_error"
