from django.urls import path

from evaluation.api import key_revisions, leaderboard, questions, tables, training, views

urlpatterns = [
    path("questions/", questions.Questions.as_view()),
    path("campaigns/<slug:slug>/pipeline/", views.StartPipeline.as_view()),
    path("evaluations/ensembles/", views.Ensembles.as_view()),
    path("evaluations/uploads/", views.Uploads.as_view()),
    path("comparisons/<slug:kind>/<slug:name>/<slug:split>/", tables.Comparison.as_view()),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/comparison.<slug:ending>",
        tables.ComparisonFile.as_view(),
    ),
    path(
        "comparisons/<slug:kind>/<slug:name>/<slug:split>/versions/",
        key_revisions.Versions.as_view(),
    ),
    path("key-audits/<uuid:id>/panels/", key_revisions.KeyPanels.as_view()),
    path("key-audits/<uuid:id>/panels/cost/", key_revisions.KeyPanelCost.as_view()),
    path("human-evaluations/<uuid:id>/keys/", key_revisions.KeyVotes.as_view()),
    path("human-evaluations/<uuid:id>/keys/revise/", key_revisions.ReviseKeys.as_view()),
    path("human-evaluations/<uuid:id>/keys/erratum/", key_revisions.TellCorrection.as_view()),
    path("paper-tables/<slug:name>/attach/", tables.AttachPaperTable.as_view()),
    path(
        "evaluations/<uuid:id>/predictions/",
        views.Predictions.as_view(),
        name="evaluation-predictions",
    ),
    path("campaigns/<slug:slug>/leaderboard/", leaderboard.CampaignLeaderboard.as_view()),
    path("releases/<uuid:id>/paper-kit/", tables.PaperKit.as_view()),
    path("releases/<uuid:id>/leaderboard/", leaderboard.ReleaseLeaderboard.as_view()),
    path("grids/cost/", training.GridCost.as_view()),
    path("grids/<uuid:id>/cells/", training.GridCells.as_view()),
    path("knowledge-tables/<uuid:id>/", tables.KnowledgeTables.as_view()),
    path(
        "knowledge-tables/<uuid:id>/tables/<slug:table>.<slug:ending>",
        tables.KnowledgeTableFile.as_view(),
    ),
    path("reason-tables/<slug:reasons>/", tables.ReasonTable.as_view()),
    path("reason-tables/<slug:reasons>/table.<slug:ending>", tables.ReasonTableFile.as_view()),
]
