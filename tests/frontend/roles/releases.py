"""Who may open the pages of `frontend/urls/releases.py`."""

from tests.frontend.roles.answers import BAD, HIDDEN, NO, OK, SIGN_IN, TO

GETS = {
    "new-release": (SIGN_IN, NO, NO, OK),
    "release-preview": (SIGN_IN, NO, NO, OK),
    "release": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "retract-release": (SIGN_IN, NO, NO, 405),
    "release-report": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "leaderboard": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "change-leaderboard": (SIGN_IN, NO, NO, 405),
    "release-file": (SIGN_IN, HIDDEN, HIDDEN, OK),
    "reference-sets": (SIGN_IN, OK, OK, OK),
    "new-reference-set": (SIGN_IN, NO, NO, OK),
    "reference-set": (SIGN_IN, OK, OK, OK),  # it is public; see test_reference_sets.py
    "change-reference-set": (SIGN_IN, NO, NO, 405),
    "delete-reference-set": (SIGN_IN, NO, NO, 405),
}
POSTS = {
    "new-release": (SIGN_IN, NO, NO, BAD),
    "release-preview": (SIGN_IN, NO, NO, BAD),
    "release": (405, 405, 405, 405),
    "retract-release": (SIGN_IN, NO, NO, BAD),
    "release-report": (405, 405, 405, 405),
    "leaderboard": (SIGN_IN, HIDDEN, HIDDEN, BAD),
    "change-leaderboard": (SIGN_IN, NO, NO, BAD),
    "release-file": (405, 405, 405, 405),
    "reference-sets": (SIGN_IN, 405, 405, 405),
    "new-reference-set": (SIGN_IN, NO, NO, BAD),
    "reference-set": (SIGN_IN, 405, 405, 405),
    "change-reference-set": (SIGN_IN, NO, NO, BAD),
    "delete-reference-set": (SIGN_IN, NO, NO, TO),
}
