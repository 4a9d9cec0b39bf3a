"""Addresses of the pages of a campaign, its data, its people and its recruitment."""

from django.urls import path

from frontend.campaigns import reads
from frontend.campaigns import views as campaigns
from frontend.consents import background
from frontend.data import question as data_questions
from frontend.data import views as data
from frontend.invitations import members
from frontend.quality import people
from frontend.quality import views as quality
from frontend.recruitment import arrivals as crowd
from frontend.recruitment import views as studies
from frontend.setup import articles as setup_articles
from frontend.setup import settings
from frontend.setup import views as setup
from frontend.writing import preview as setup_preview

urlpatterns = [
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("new-campaign/", setup.new_campaign, name="new-campaign"),
    path("campaigns/<slug:slug>/setup/", setup.checklist_page, name="campaign-setup"),
    path("campaigns/<slug:slug>/articles/", setup_articles.articles, name="campaign-articles"),
    path(
        "campaigns/<slug:slug>/articles/<uuid:id>/", setup_articles.article, name="campaign-article"
    ),
    path(
        "campaigns/<slug:slug>/articles/<uuid:id>/withdraw/",
        setup_articles.withdraw_article,
        name="withdraw-article",
    ),
    path(
        "campaigns/<slug:slug>/articles/import/",
        setup_articles.import_articles,
        name="import-articles",
    ),
    path("campaigns/<slug:slug>/preview/", setup_preview.preview, name="campaign-preview"),
    path("campaigns/<slug:slug>/settings/", settings.campaign_settings, name="campaign-settings"),
    path("campaigns/<slug:slug>/guidelines/", settings.guidelines, name="campaign-guidelines"),
    path(
        "campaigns/<slug:slug>/background/",
        background.campaign_background,
        name="campaign-background",
    ),
    path("campaigns/<slug:slug>/exercise/", settings.exercise, name="campaign-exercise"),
    path("campaigns/<slug:slug>/attributes/", settings.attributes, name="campaign-attributes"),
    path("campaigns/<slug:slug>/members/", members.members, name="campaign-members"),
    path("campaigns/<slug:slug>/members/add/", members.add_member, name="add-member"),
    path("campaigns/<slug:slug>/members/invite/", members.invite_member, name="invite-member"),
    path(
        "campaigns/<slug:slug>/members/<slug:public_id>/remove/",
        members.remove_member,
        name="remove-member",
    ),
    path("campaigns/<slug:slug>/progress/", reads.progress, name="progress"),
    path("campaigns/<slug:slug>/quality/", quality.quality, name="quality"),
    path("campaigns/<slug:slug>/quality/renew/", quality.renew_quality, name="renew-quality"),
    path(
        "campaigns/<slug:slug>/quality/votes.<slug:kind>", quality.votes_export, name="votes-file"
    ),
    path("people/", people.people, name="people"),
    path("people/<slug:public_id>/", people.person, name="person"),
    path("people/<slug:public_id>/label/", people.label_person, name="label-person"),
    path("people/<slug:public_id>/pause/", people.pause_worker, name="pause-worker"),
    path("people/<slug:public_id>/resume/", people.resume_worker, name="resume-worker"),
    path("campaigns/<slug:slug>/status/", campaigns.change_status, name="change-status"),
    path("campaigns/<slug:slug>/pipeline/", campaigns.pipeline_page, name="pipeline"),
    path("campaigns/<slug:slug>/snapshots/", campaigns.take_snapshot, name="take-snapshot"),
    path("campaigns/<slug:slug>/data/", data.data, name="data"),
    path("campaigns/<slug:slug>/data/actions/", data.new_data_action, name="new-data-action"),
    path(
        "campaigns/<slug:slug>/data/actions/<uuid:action_id>/", data.data_action, name="data-action"
    ),
    path(
        "campaigns/<slug:slug>/data/actions/<uuid:action_id>/undo/",
        data.undo_data_action,
        name="undo-data-action",
    ),
    path("campaigns/<slug:slug>/data/sentences/", data.encode_data, name="encode-data"),
    path("campaigns/<slug:slug>/data/views/", data.new_data_view, name="new-data-view"),
    path(
        "campaigns/<slug:slug>/data/views/<uuid:view_id>/delete/",
        data.delete_data_view,
        name="delete-data-view",
    ),
    path("campaigns/<slug:slug>/data/questions.<slug:kind>", data.data_file, name="data-file"),
    path(
        "campaigns/<slug:slug>/data/comments/<uuid:comment_id>/delete/",
        data_questions.delete_own_comment,
        name="delete-data-comment",
    ),
    path(
        "campaigns/<slug:slug>/data/<slug:question_id>/comments/",
        data_questions.comment,
        name="comment-question",
    ),
    path(
        "campaigns/<slug:slug>/data/<slug:question_id>/",
        data_questions.question,
        name="data-question",
    ),
    path("arrive/<uuid:study_id>/", crowd.arrive, name="arrive"),
    path("sessions/<uuid:session_id>/", crowd.session, name="crowd-session"),
    path("sessions/<uuid:session_id>/finish/", crowd.finish_session, name="finish-session"),
    path("sessions/<uuid:session_id>/stop/", crowd.stop_session, name="stop-session"),
    path("campaigns/<slug:slug>/studies/", studies.studies, name="studies"),
    path("studies/<uuid:study_id>/", studies.study, name="study"),
    path("studies/<uuid:study_id>/links/", studies.links, name="study-links"),
    path("studies/<uuid:study_id>/change/", studies.change, name="change-study"),
    path("studies/<uuid:study_id>/close/", studies.close, name="close-study"),
    path("studies/<uuid:study_id>/reopen/", studies.reopen, name="reopen-study"),
    path("studies/<uuid:study_id>/sessions.csv", studies.sessions_file, name="sessions-file"),
]
