"""Addresses of the pages where people join a campaign, write, validate and see their work."""

from django.urls import path

from frontend.consents import background
from frontend.consents import views as consents
from frontend.joining import views as join
from frontend.my_work import views as my_work
from frontend.validating import views as validate
from frontend.writing import advice, drafts, receipts
from frontend.writing import views as author

urlpatterns = [
    path("my-work/", my_work.my_work, name="my-work"),
    path("my-work/consents/", consents.my_consents, name="my-consents"),
    path("my-work/consents/<uuid:consent_id>/", consents.my_consent, name="my-consent"),
    path("campaigns/<slug:slug>/withdraw/", consents.withdraw_consent, name="withdraw-consent"),
    path("campaigns/<slug:slug>/about-me/", background.my_background, name="my-background"),
    path("campaigns/<slug:slug>/join/", join.join, name="join"),
    path("campaigns/<slug:slug>/join/validate/", join.join_validate, name="join-validate"),
    path("campaigns/<slug:slug>/join/formalise/", join.join_formalise, name="join-formalise"),
    path("campaigns/<slug:slug>/join/training/", join.train, name="train"),
    path("campaigns/<slug:slug>/join/accept/", join.accept_guidelines, name="accept-guidelines"),
    path("campaigns/<slug:slug>/join/exercise/", join.submit_exercise, name="submit-exercise"),
    path("campaigns/<slug:slug>/write/", author.author, name="author"),
    path("write/<uuid:assignment_id>/", author.submit_twin, name="submit-twin"),
    path("write/<uuid:assignment_id>/check/", author.check_twin, name="check-twin"),
    path("write/<uuid:assignment_id>/return/", author.return_assignment, name="return-assignment"),
    path("write/<uuid:assignment_id>/draft/", drafts.draft, name="draft"),
    path("write/<uuid:assignment_id>/advice/", advice.advise_twin, name="advise-twin"),
    path("twins/<uuid:twin_id>/", receipts.receipt, name="receipt"),
    path("twins/<uuid:twin_id>/withdraw/", receipts.withdraw_twin, name="withdraw-twin"),
    path("twins/<uuid:twin_id>/revise/", receipts.revise_twin, name="revise-twin"),
    path("campaigns/<slug:slug>/validate/", validate.validate, name="validate"),
    path("campaigns/<slug:slug>/validate/ahead/", validate.ahead, name="validate-ahead"),
    path("campaigns/<slug:slug>/validate/undo/", validate.undo, name="validate-undo"),
    path("campaigns/<slug:slug>/validate/notice/", validate.see_notice, name="see-notice"),
    path("campaigns/<slug:slug>/validate/<uuid:seat_id>/beat/", validate.beat, name="beat"),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/amend/",
        validate.amend_vote,
        name="amend-vote",
    ),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/part/",
        validate.answer_local,
        name="answer-local",
    ),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/vote/", validate.cast_vote, name="cast-vote"
    ),
    path(
        "campaigns/<slug:slug>/validate/<uuid:seat_id>/return/",
        validate.return_seat,
        name="return-seat",
    ),
]
