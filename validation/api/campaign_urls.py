"""The URLs of validating, kept apart so that they are resolved first."""

from django.urls import path

from validation.api.views import seats

urlpatterns = [
    path("campaigns/<slug:slug>/seats/", seats.ClaimSeat.as_view()),
    path("seats/<uuid:id>/", seats.OneSeat.as_view()),
    path("seats/<uuid:id>/beat/", seats.Beat.as_view()),
    path("seats/<uuid:id>/local/", seats.AnswerLocal.as_view()),
    path("seats/<uuid:id>/vote/", seats.CastVote.as_view()),
    path("seats/<uuid:id>/amend/", seats.AmendVote.as_view()),
    path("seats/<uuid:id>/return/", seats.ReturnSeat.as_view()),
]
