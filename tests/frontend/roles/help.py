"""Who may open the pages of `frontend/urls/help.py`."""

from tests.frontend.roles.answers import OK, SIGN_IN

GETS = {
    "help": (SIGN_IN, OK, OK, OK),
    "glossary": (SIGN_IN, OK, OK, OK),
    "help-document": (SIGN_IN, OK, OK, OK),  # of those for everybody: tests/frontend/test_help.py
}
POSTS = dict.fromkeys(GETS, (SIGN_IN, 405, 405, 405))
