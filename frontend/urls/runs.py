"""Addresses of the pages of runs, from encodings over filter runs to their evidence."""

from django.urls import path

from frontend.detections import views as detections
from frontend.encodings import views as encodings
from frontend.evidence import views as evidence
from frontend.filter_runs import views
from frontend.filter_runs import views as filter_runs
from frontend.runs import views as runs

urlpatterns = [
    path("runs/filter/<uuid:public_id>/", views.filter_run, name="filter-run"),
    path(
        "runs/filter/<uuid:public_id>/clone/", filter_runs.clone_filter_run, name="clone-filter-run"
    ),
    path("runs/filter/<uuid:public_id>/removed/", filter_runs.removed, name="removed-questions"),
    path("runs/filter/<uuid:public_id>/seeds/", filter_runs.start_seeds, name="start-seeds"),
    path("runs/filter/<uuid:public_id>/evidence/", evidence.evidence, name="evidence"),
    path("runs/filter/<uuid:public_id>/evidence.json", evidence.report, name="evidence-report"),
    path("runs/filter/<uuid:public_id>/points.json", evidence.points, name="evidence-points"),
    path("runs/filter/<uuid:public_id>/evidence/assess/", evidence.assess, name="assess"),
    path(
        "runs/filter/<uuid:public_id>/evidence/controls/",
        evidence.start_controls,
        name="start-controls",
    ),
    path("runs/", runs.job_list, name="jobs"),
    path("runs/filter/<uuid:public_id>/choose/", views.choose_run, name="choose-run"),
    path("runs/<slug:kind>/<uuid:public_id>/keep/", runs.keep_run, name="keep-run"),
    path("runs/<slug:kind>/<uuid:public_id>/delete/", runs.remove_run, name="delete-run"),
    path(
        "campaigns/<slug:slug>/latest-release/",
        views.show_latest_release,
        name="show-latest-release",
    ),
    path("runs/<slug:kind>/<uuid:public_id>/cancel/", runs.cancel_run, name="cancel-run"),
    path("runs/<slug:kind>/<uuid:public_id>/resume/", runs.resume_run, name="resume-run"),
    path("runs/tuning/<uuid:public_id>/", encodings.tuning, name="tuning"),
    path("runs/tuning/<uuid:public_id>/encode/", encodings.encode_tuned, name="encode-tuned"),
    path("runs/detection/<uuid:public_id>/", detections.detection, name="detection"),
    path("releases/<slug:name>/artifacts/", detections.in_release, name="detect-in-release"),
    path(
        "reference-sets/<slug:name>/artifacts/",
        detections.in_reference_set,
        name="detect-in-reference-set",
    ),
    path(
        "snapshots/<uuid:public_id>/artifacts/", detections.in_snapshot, name="detect-in-snapshot"
    ),
    path("snapshots/<uuid:public_id>/tune/", encodings.new_tuning, name="new-tuning"),
    path("snapshots/<uuid:public_id>/encode/", encodings.new_encoding, name="new-encoding"),
    path("encodings/<uuid:public_id>/filter/", filter_runs.new_filter_run, name="new-filter-run"),
    path("encodings/<uuid:public_id>/compare/", filter_runs.compare, name="compare-runs"),
]
