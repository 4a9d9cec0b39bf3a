from django.urls import path

from validation.api.views import judged, people, seats

urlpatterns = [
    path("campaigns/<slug:slug>/seats/", seats.ClaimSeat.as_view()),
    path("seats/<uuid:id>/", seats.OneSeat.as_view()),
    path("seats/<uuid:id>/local/", seats.AnswerLocal.as_view()),
    path("seats/<uuid:id>/vote/", seats.CastVote.as_view()),
    path("seats/<uuid:id>/return/", seats.ReturnSeat.as_view()),
    path("votes/", judged.Votes.as_view()),
    path("twins/", judged.Twins.as_view()),
    path("twins/<uuid:id>/", judged.OneTwin.as_view()),
    path("workers/", people.Workers.as_view()),
    path("workers/<slug:id>/", people.OneWorker.as_view()),
    path("questions/", judged.Questions.as_view()),
]
