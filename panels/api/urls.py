from django.urls import path

from panels.api import appeals, panels, work

ONE = "human-evaluations/<uuid:id>"

urlpatterns = [
    path("appeals/", appeals.Appeals.as_view()),
    path("appeals/<uuid:id>/answer/", appeals.AnswerAppeal.as_view()),
    path("human-evaluations/", panels.Panels.as_view()),
    path("human-evaluations/open/", work.OpenPanels.as_view()),
    path(f"{ONE}/", panels.OnePanel.as_view()),
    path(f"{ONE}/status/", panels.ChangeStatus.as_view()),
    path(f"{ONE}/exclude/", panels.ExcludeVotes.as_view()),
    path(f"{ONE}/votes.csv", panels.Votes.as_view()),
    path(f"{ONE}/enrol/", work.Enrol.as_view()),
    path(f"{ONE}/claim/", work.Claim.as_view()),
    path("human-votes/<uuid:id>/exclude/", panels.ExcludeVote.as_view()),
    path("human-votes/<uuid:id>/restore/", panels.RestoreVote.as_view()),
    path("human-seats/<uuid:id>/beat/", work.Beat.as_view()),
    path("human-seats/<uuid:id>/answer/", work.Answer.as_view()),
    path("human-seats/<uuid:id>/amend/", work.Amend.as_view()),
    path("human-seats/<uuid:id>/return/", work.Return.as_view()),
    path("enrolments/<uuid:id>/end/", panels.EndEnrolment.as_view()),
]
