from django.urls import path

from collection.api.views import articles, assignments, campaigns

urlpatterns = [
    path("rules/", campaigns.Rules.as_view()),
    path("campaigns/", campaigns.Campaigns.as_view()),
    path("campaigns/<slug:slug>/", campaigns.OneCampaign.as_view()),
    path("campaigns/<slug:slug>/status/", campaigns.CampaignStatus.as_view()),
    path("campaigns/<slug:slug>/check/", campaigns.CheckTwin.as_view()),
    path("campaigns/<slug:slug>/articles/", articles.Articles.as_view()),
    path("campaigns/<slug:slug>/assignments/", assignments.RequestAssignment.as_view()),
    path("assignments/", assignments.Assignments.as_view()),
    path("assignments/<uuid:id>/", assignments.OneAssignment.as_view()),
    path("assignments/<uuid:id>/return/", assignments.ReturnAssignment.as_view()),
    path("assignments/<uuid:id>/renew/", assignments.RenewAssignment.as_view()),
    path("assignments/<uuid:id>/twin/", assignments.SubmitTwin.as_view()),
]
