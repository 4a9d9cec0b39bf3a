from django.urls import path

from filtering.api.views import comparisons, funnel, results

urlpatterns = [
    path("campaigns/<slug:slug>/funnel/", funnel.CampaignFunnel.as_view()),
    path("campaigns/<slug:slug>/chosen-run/", funnel.ChosenRun.as_view()),
    path("filter-runs/compare/", comparisons.CompareFilterRuns.as_view()),
    path("filter-runs/<uuid:id>/clone/", comparisons.CloneFilterRun.as_view()),
    path("filter-runs/<uuid:id>/choose/", comparisons.ChooseFilterRun.as_view()),
    path("filter-runs/<uuid:id>/seeds/", comparisons.FilterRunSeeds.as_view()),
    path("filter-runs/<uuid:id>/controls/", comparisons.FilterRunControls.as_view()),
    path("filter-runs/<uuid:id>/kept/", results.KeptQuestions.as_view()),
    path("assessments/<uuid:id>/report/", results.AssessmentReport.as_view()),
]
