"""Addresses of the pages of human evaluations and other panels."""

from django.urls import path

from frontend.panels import answering, keys, views, votes

urlpatterns = [
    path("human-evaluations/", views.human_evaluations, name="human-evaluations"),
    path("human-evaluations/new/", views.new, name="new-human-evaluation"),
    path("human-evaluations/<uuid:public_id>/", views.human_evaluation, name="human-evaluation"),
    path("runs/key-audit/<uuid:public_id>/people/", keys.new_key_panel, name="new-key-panel"),
    path("human-evaluations/<uuid:public_id>/keys/", keys.key_votes, name="key-votes"),
    path("human-evaluations/<uuid:public_id>/keys/revise/", keys.revise_keys, name="revise-keys"),
    path(
        "human-evaluations/<uuid:public_id>/keys/erratum/",
        keys.tell_correction,
        name="tell-correction",
    ),
    path(
        "human-evaluations/<uuid:public_id>/status/",
        views.change_status,
        name="human-evaluation-status",
    ),
    path(
        "human-evaluations/<uuid:public_id>/votes.csv",
        views.votes_file,
        name="human-votes-file",
    ),
    path(
        "human-evaluations/<uuid:public_id>/people/<slug:worker>/",
        votes.person,
        name="human-evaluation-person",
    ),
    path(
        "human-evaluations/<uuid:public_id>/votes/<uuid:vote_id>/exclude/",
        votes.exclude_vote,
        name="exclude-human-vote",
    ),
    path(
        "human-evaluations/<uuid:public_id>/votes/<uuid:vote_id>/restore/",
        votes.restore_vote,
        name="restore-human-vote",
    ),
    path("human-evaluations/<uuid:public_id>/answer/", answering.answer, name="answer-human"),
    path(
        "human-evaluations/<uuid:public_id>/answer/<uuid:seat_id>/vote/",
        answering.vote,
        name="cast-human-vote",
    ),
    path(
        "human-evaluations/<uuid:public_id>/answer/<uuid:seat_id>/amend/",
        answering.amend,
        name="amend-human-vote",
    ),
    path(
        "human-evaluations/<uuid:public_id>/answer/<uuid:seat_id>/beat/",
        answering.beat,
        name="beat-human",
    ),
    path(
        "human-evaluations/<uuid:public_id>/answer/<uuid:seat_id>/return/",
        answering.give_back,
        name="return-human",
    ),
    path(
        "human-evaluations/<uuid:public_id>/enrolments/<uuid:enrolment_id>/end/",
        views.end_enrolment,
        name="end-enrolment",
    ),
    path("human-evaluations/<uuid:public_id>/enrol/", answering.enrol, name="enrol-human"),
]
