"""Addresses of the pages of releases, leaderboards and reference sets."""

from django.urls import path

from frontend.leaderboard import views as leaderboard
from frontend.reference_sets import views as references
from frontend.releases import browsing, copies, front
from frontend.releases import starting as new_releases
from frontend.releases import views as releases
from frontend.shell import proposals

urlpatterns = [
    path("proposals/<uuid:public_id>/", proposals.decide_proposal, name="decide-proposal"),
    path("snapshots/<uuid:public_id>/release/", new_releases.new_release, name="new-release"),
    path("release-previews/<uuid:public_id>/", new_releases.preview, name="release-preview"),
    path("robots.txt", front.robots, name="robots"),
    path("releases/", front.public_releases, name="public-releases"),
    path("releases/<slug:name>/", releases.release_page, name="release"),
    path("releases/<slug:name>/rows/", browsing.release_rows, name="release-rows"),
    path(
        "releases/<slug:name>/questions/<slug:qid>/",
        browsing.release_question,
        name="release-question",
    ),
    path("releases/<slug:name>/retract/", releases.retract_release, name="retract-release"),
    path("releases/<slug:name>/croissant.json", releases.release_metadata, name="release-metadata"),
    path("releases/<slug:name>/croissant-tasks.json", releases.release_tasks, name="release-tasks"),
    path("releases/<slug:name>/errata/", copies.add_erratum, name="add-erratum"),
    path("releases/<slug:name>/publish/", copies.publish_release, name="publish-release"),
    path(
        "releases/<slug:name>/reports/<path:file_name>",
        releases.release_report,
        name="release-report",
    ),
    path(
        "releases/<slug:name>/paper-kit.zip", releases.release_paper_kit, name="release-paper-kit"
    ),
    path("releases/<slug:name>/leaderboard/", leaderboard.leaderboard, name="leaderboard"),
    path(
        "releases/<slug:name>/leaderboard/settings/",
        leaderboard.change_leaderboard,
        name="change-leaderboard",
    ),
    path("releases/<slug:name>/files/<path:file_name>", releases.release_file, name="release-file"),
    path("reference-sets/", references.reference_sets, name="reference-sets"),
    path("new-reference-set/", references.new_reference_set, name="new-reference-set"),
    path("reference-sets/<slug:name>/", references.reference_set, name="reference-set"),
    path(
        "reference-sets/<slug:name>/change/",
        references.change_reference_set,
        name="change-reference-set",
    ),
    path(
        "reference-sets/<slug:name>/delete/",
        references.delete_reference_set,
        name="delete-reference-set",
    ),
]
