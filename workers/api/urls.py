from django.urls import path

from workers.api import views

urlpatterns = [
    path("tokens/", views.Tokens.as_view()),
    path("tokens/<slug:token_key>/", views.OneToken.as_view()),
    path("me/", views.Me.as_view()),
    path("ledger/", views.Ledger.as_view()),
    path("ledger/summary/", views.LedgerSummary.as_view()),
]
