from django.urls import path

from workers.api import audit, invitations, views

urlpatterns = [
    path("tokens/", views.Tokens.as_view()),
    path("tokens/end/", views.EndTokens.as_view()),
    path("tokens/<slug:token_key>/", views.OneToken.as_view()),
    path("invitations/", invitations.Invitations.as_view()),
    path("invitations/<uuid:id>/revoke/", invitations.RevokeInvitation.as_view()),
    path("audit-log/", audit.AuditLog.as_view()),
    path("me/", views.Me.as_view()),
    path("ledger/", views.Ledger.as_view()),
    path("ledger/summary/", views.LedgerSummary.as_view()),
    path("me/statement/", views.MyStatement.as_view()),
    path("me/statement.csv", views.MyStatementFile.as_view()),
    path("me/data.zip", views.MyData.as_view()),
]
