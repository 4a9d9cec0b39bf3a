"""The pages for people."""

from django.urls import path

from frontend.views import account, author, campaigns, home, judge, my_work, releases, runs

urlpatterns = [
    path("", home.home, name="home"),
    path("sign-in/", account.sign_in, name="sign-in"),
    path("sign-out/", account.sign_out, name="sign-out"),
    path("tokens/", account.tokens, name="tokens"),
    path("tokens/<slug:token_key>/revoke/", account.revoke_token, name="revoke-token"),
    path("my-work/", my_work.my_work, name="my-work"),
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/status/", campaigns.change_status, name="change-status"),
    path("campaigns/<slug:slug>/pipeline/", campaigns.start_pipeline, name="start-pipeline"),
    path("campaigns/<slug:slug>/write/", author.author, name="author"),
    path("write/<uuid:assignment_id>/", author.submit_twin, name="submit-twin"),
    path("write/<uuid:assignment_id>/check/", author.check_twin, name="check-twin"),
    path("write/<uuid:assignment_id>/return/", author.return_assignment, name="return-assignment"),
    path("twins/<uuid:twin_id>/", author.receipt, name="receipt"),
    path("campaigns/<slug:slug>/judge/", judge.judge, name="judge"),
    path(
        "campaigns/<slug:slug>/judge/<uuid:seat_id>/part/", judge.answer_local, name="answer-local"
    ),
    path("campaigns/<slug:slug>/judge/<uuid:seat_id>/vote/", judge.cast_vote, name="cast-vote"),
    path(
        "campaigns/<slug:slug>/judge/<uuid:seat_id>/return/", judge.return_seat, name="return-seat"
    ),
    path("runs/filter/<uuid:public_id>/", runs.filter_run, name="filter-run"),
    path("runs/<slug:kind>/<uuid:public_id>/cancel/", runs.cancel_run, name="cancel-run"),
    path("releases/<slug:name>/", releases.release, name="release"),
    path("releases/<slug:name>/files/<str:file_name>", releases.release_file, name="release-file"),
]
