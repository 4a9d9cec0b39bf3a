from django.urls import path

from corpora.api.views import releases, snapshots
from winoplatform.api import converters  # noqa: F401  (registers <file:…> for the paths below)

urlpatterns = [
    path("snapshots/", snapshots.Snapshots.as_view()),
    path("snapshots/<uuid:id>/", snapshots.OneSnapshot.as_view()),
    path("snapshots/<uuid:id>/cancel/", snapshots.CancelSnapshot.as_view()),
    path("snapshots/<uuid:id>/resume/", snapshots.ResumeSnapshot.as_view()),
    path("releases/", releases.Releases.as_view()),
    path("releases/<uuid:id>/", releases.OneRelease.as_view()),
    path("releases/<uuid:id>/cancel/", releases.CancelRelease.as_view()),
    path("releases/<uuid:id>/resume/", releases.ResumeRelease.as_view()),
    path("releases/<uuid:id>/files/", releases.ReleaseFiles.as_view()),
    path("releases/<uuid:id>/files/<file:name>", releases.OneReleaseFile.as_view()),
]
