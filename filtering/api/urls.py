from django.urls import path

from filtering.api.views import comparisons

urlpatterns = [
    path("campaigns/<slug:slug>/funnel/", comparisons.CampaignFunnel.as_view()),
    path("campaigns/<slug:slug>/chosen-run/", comparisons.ChosenRun.as_view()),
    path("filter-runs/compare/", comparisons.CompareFilterRuns.as_view()),
    path("filter-runs/<uuid:id>/clone/", comparisons.CloneFilterRun.as_view()),
    path("filter-runs/<uuid:id>/choose/", comparisons.ChooseFilterRun.as_view()),
    path("filter-runs/<uuid:id>/seeds/", comparisons.FilterRunSeeds.as_view()),
    path("filter-runs/<uuid:id>/controls/", comparisons.FilterRunControls.as_view()),
    path("filter-runs/<uuid:id>/kept/", comparisons.KeptQuestions.as_view()),
    path("assessments/<uuid:id>/report/", comparisons.AssessmentReport.as_view()),
]
