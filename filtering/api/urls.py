from django.urls import path

from filtering.api.views import guesses, human, releases, runs
from winoplatform.api import converters  # noqa: F401  (registers <file:…> for the paths below)

urlpatterns = [
    path("campaigns/<slug:slug>/funnel/", runs.CampaignFunnel.as_view()),
    path("campaigns/<slug:slug>/guess/", guesses.GuessTwin.as_view()),
    path("snapshots/", runs.Snapshots.as_view()),
    path("snapshots/<uuid:id>/", runs.OneSnapshot.as_view()),
    path("snapshots/<uuid:id>/cancel/", runs.CancelSnapshot.as_view()),
    path("snapshots/<uuid:id>/human/", human.HumanOnSnapshot.as_view()),
    path("encodings/", runs.Encodings.as_view()),
    path("encodings/<uuid:id>/", runs.OneEncoding.as_view()),
    path("encodings/<uuid:id>/cancel/", runs.CancelEncoding.as_view()),
    path("filter-runs/", runs.FilterRuns.as_view()),
    path("filter-runs/<uuid:id>/", runs.OneFilterRun.as_view()),
    path("filter-runs/<uuid:id>/cancel/", runs.CancelFilterRun.as_view()),
    path("filter-runs/<uuid:id>/kept/", runs.KeptQuestions.as_view()),
    path("releases/", releases.Releases.as_view()),
    path("releases/<uuid:id>/", releases.OneRelease.as_view()),
    path("releases/<uuid:id>/cancel/", releases.CancelRelease.as_view()),
    path("releases/<uuid:id>/human/", human.HumanOnRelease.as_view()),
    path("releases/<uuid:id>/files/", releases.ReleaseFiles.as_view()),
    path("releases/<uuid:id>/files/<file:name>", releases.OneReleaseFile.as_view()),
]
