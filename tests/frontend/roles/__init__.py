"""Who may open each page, decided page by page; the modules are those of `frontend/urls/`.

GETS: GET by nobody, by the worker it is about, by another worker, by a curator.
POSTS: POST without any field, by the same.
"""

from tests.frontend.roles import (
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

AREAS = (
    account,
    work,
    pay,
    campaigns,
    review,
    runs,
    releases,
    evaluations,
    panels,
    knowledge,
    help,
)
GETS = {name: decided for area in AREAS for name, decided in area.GETS.items()}
POSTS = {name: decided for area in AREAS for name, decided in area.POSTS.items()}
