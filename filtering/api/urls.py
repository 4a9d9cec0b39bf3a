from django.urls import path

from filtering.api import views

urlpatterns = [
    path("campaigns/<slug:slug>/funnel/", views.CampaignFunnel.as_view()),
    path("campaigns/<slug:slug>/chosen-run/", views.ChosenRun.as_view()),
    path("filter-runs/compare/", views.CompareFilterRuns.as_view()),
    path("filter-runs/<uuid:id>/clone/", views.CloneFilterRun.as_view()),
    path("filter-runs/<uuid:id>/choose/", views.ChooseFilterRun.as_view()),
    path("filter-runs/<uuid:id>/seeds/", views.FilterRunSeeds.as_view()),
    path("filter-runs/<uuid:id>/controls/", views.FilterRunControls.as_view()),
    path("filter-runs/<uuid:id>/kept/", views.KeptQuestions.as_view()),
    path("assessments/<uuid:id>/report/", views.AssessmentReport.as_view()),
]
