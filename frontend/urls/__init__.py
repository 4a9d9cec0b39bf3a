"""Addresses of the pages; each module has those of the features that it imports."""

from frontend.urls import (
    account,
    campaigns,
    evaluations,
    help,
    knowledge,
    panels,
    pay,
    releases,
    review,
    runs,
    work,
)

urlpatterns = [
    *account.urlpatterns,
    *work.urlpatterns,
    *pay.urlpatterns,
    *campaigns.urlpatterns,
    *review.urlpatterns,
    *runs.urlpatterns,
    *releases.urlpatterns,
    *evaluations.urlpatterns,
    *panels.urlpatterns,
    *knowledge.urlpatterns,
    *help.urlpatterns,
]
