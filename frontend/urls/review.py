"""Addresses of the pages of the review queue, control questions and appeals."""

from django.urls import path

from frontend.review import appeals, golds
from frontend.review import views as adjudication

urlpatterns = [
    path("campaigns/<slug:slug>/review/", adjudication.review_queue, name="review-queue"),
    path(
        "campaigns/<slug:slug>/review/<slug:question_id>/",
        adjudication.question,
        name="review-question",
    ),
    path(
        "campaigns/<slug:slug>/votes/<uuid:vote_id>/exclude/",
        adjudication.exclude_vote,
        name="exclude-vote",
    ),
    path(
        "campaigns/<slug:slug>/votes/<uuid:vote_id>/restore/",
        adjudication.restore_vote,
        name="restore-vote",
    ),
    path(
        "campaigns/<slug:slug>/people/<slug:public_id>/exclude/",
        adjudication.exclude_work,
        name="exclude-work",
    ),
    path("campaigns/<slug:slug>/golds/", golds.golds, name="golds"),
    path("campaigns/<slug:slug>/golds/<uuid:gold_id>/retire/", golds.retire, name="retire-gold"),
    path("appeals/", appeals.appeals, name="appeals"),
    path("appeals/<uuid:appeal_id>/answer/", appeals.answer, name="answer-appeal"),
    path("my-work/appeals/", appeals.my_appeals, name="my-appeals"),
    path("appeal/<slug:subject>/<slug:unit>/", appeals.make_appeal, name="make-appeal"),
]
