from django.urls import path

from corpora.api import proposals, releases, splits, views
from winoplatform.api import converters  # noqa: F401  (registers <file:…> for the paths below)

urlpatterns = [
    path("proposals/", proposals.Proposals.as_view()),
    path("proposals/<uuid:id>/confirm/", proposals.Confirm.as_view()),
    path("proposals/<uuid:id>/decline/", proposals.Decline.as_view()),
    path("proposals/<uuid:id>/withdraw/", proposals.Withdraw.as_view()),
    path("proposals/<uuid:id>/ask-again/", proposals.AskAgain.as_view()),
    path("reference-sets/", views.ReferenceSets.as_view()),
    path("reference-sets/<slug:name>/", views.OneReferenceSet.as_view()),
    path("reference-sets/<slug:name>/splits/<slug:split>/", views.ReferenceItems.as_view()),
    path("releases/by-name/<slug:name>/", releases.ReleaseByName.as_view()),
    path("releases/<uuid:id>/retract/", releases.Retract.as_view()),
    path("releases/<uuid:id>/errata/", releases.Errata.as_view()),
    path("releases/<uuid:id>/reports/", releases.Reports.as_view()),
    path("releases/<uuid:id>/reports/<file:name>", releases.OneReport.as_view()),
    path("draw-tables/", releases.DrawTables.as_view()),
    path("draw-tables/<uuid:id>/lines/", releases.DrawTableLines.as_view()),
    path("releases/<uuid:id>/files/", releases.ReleaseFiles.as_view()),
    path("releases/<uuid:id>/files/<file:name>", releases.OneReleaseFile.as_view()),
    path("releases/<slug:name>/splits/<slug:split>", splits.ReleaseSplit.as_view()),
]
