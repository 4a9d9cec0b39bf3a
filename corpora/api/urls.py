from django.urls import path

from corpora.api import views
from winoplatform.api import converters  # noqa: F401  (registers <file:…> for the paths below)

urlpatterns = [
    path("reference-sets/", views.ReferenceSets.as_view()),
    path("reference-sets/<slug:name>/", views.OneReferenceSet.as_view()),
    path("reference-sets/<slug:name>/splits/<slug:split>/", views.ReferenceItems.as_view()),
    path("releases/<uuid:id>/files/", views.ReleaseFiles.as_view()),
    path("releases/<uuid:id>/files/<file:name>", views.OneReleaseFile.as_view()),
]
