"""Addresses of the pages; each module has those of the features that it imports."""

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

import frontend
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


def load_words() -> None:
    """Import ``words`` of each feature that has it: some register texts about a kind of run.

    Only processes with pages need them, so it is not done when Django starts.
    """
    for feature in iter_modules(frontend.__path__, "frontend."):
        if feature.ispkg and find_spec(f"{feature.name}.words"):
            import_module(f"{feature.name}.words")


load_words()

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
