from django.urls import path

from filtering.api.views import (
    assessments,
    comparisons,
    encodings,
    filter_runs,
    funnel,
    tunings,
)

urlpatterns = [
    path("campaigns/<slug:slug>/funnel/", funnel.CampaignFunnel.as_view()),
    path("tunings/", tunings.Tunings.as_view()),
    path("tunings/<uuid:id>/", tunings.OneTuning.as_view()),
    path("tunings/<uuid:id>/cancel/", tunings.CancelTuning.as_view()),
    path("tunings/<uuid:id>/resume/", tunings.ResumeTuning.as_view()),
    path("encodings/", encodings.Encodings.as_view()),
    path("encodings/<uuid:id>/", encodings.OneEncoding.as_view()),
    path("encodings/<uuid:id>/cancel/", encodings.CancelEncoding.as_view()),
    path("encodings/<uuid:id>/resume/", encodings.ResumeEncoding.as_view()),
    path("filter-runs/", filter_runs.FilterRuns.as_view()),
    path("filter-runs/compare/", comparisons.CompareFilterRuns.as_view()),
    path("filter-runs/<uuid:id>/", filter_runs.OneFilterRun.as_view()),
    path("filter-runs/<uuid:id>/cancel/", filter_runs.CancelFilterRun.as_view()),
    path("filter-runs/<uuid:id>/resume/", filter_runs.ResumeFilterRun.as_view()),
    path("filter-runs/<uuid:id>/clone/", comparisons.CloneFilterRun.as_view()),
    path("filter-runs/<uuid:id>/seeds/", comparisons.FilterRunSeeds.as_view()),
    path("filter-runs/<uuid:id>/kept/", filter_runs.KeptQuestions.as_view()),
    path("filter-runs/<uuid:id>/controls/", filter_runs.FilterRunControls.as_view()),
    path("assessments/", assessments.Assessments.as_view()),
    path("assessments/<uuid:id>/", assessments.OneAssessment.as_view()),
    path("assessments/<uuid:id>/cancel/", assessments.CancelAssessment.as_view()),
    path("assessments/<uuid:id>/resume/", assessments.ResumeAssessment.as_view()),
    path("assessments/<uuid:id>/report/", assessments.AssessmentReport.as_view()),
]
