"""Who may open the pages of `frontend/urls/evaluations.py`."""

from tests.frontend.roles.answers import BAD, NO, OK, SIGN_IN, TO

GETS = {
    "evaluations": (SIGN_IN, OK, OK, OK),
    "fine-tunings": (SIGN_IN, OK, OK, OK),
    "new-grid": (SIGN_IN, NO, NO, OK),
    # Of a public set; see test_fine_tunings.py for the others.
    "grid": (SIGN_IN, OK, OK, OK),
    "curve-file": (SIGN_IN, OK, OK, OK),
    "fine-tuning": (SIGN_IN, OK, OK, OK),
    "map-file": (SIGN_IN, OK, OK, OK),
    "offer-label-errors": (SIGN_IN, NO, NO, 405),
    "paper-tables": (SIGN_IN, OK, OK, OK),
    "paper-table": (SIGN_IN, OK, OK, OK),
    "paper-table-file": (SIGN_IN, OK, OK, OK),
    "attach-paper-table": (SIGN_IN, NO, NO, 405),
    "new-evaluations": (SIGN_IN, NO, NO, OK),
    "new-predictions": (SIGN_IN, NO, NO, OK),
    "store-predictions": (SIGN_IN, NO, NO, 405),
    "new-ensemble": (SIGN_IN, NO, NO, OK),
    # Of a public set; see test_evaluations.py for the others.
    "evaluation": (SIGN_IN, OK, OK, OK),
    "comparison": (SIGN_IN, OK, OK, OK),
    "comparison-file": (SIGN_IN, OK, OK, OK),
}
POSTS = {
    # Alice comes from a crowd platform for writing; Carol is given the next question.
    "evaluations": (SIGN_IN, 405, 405, 405),
    "fine-tunings": (SIGN_IN, 405, 405, 405),
    "new-grid": (SIGN_IN, NO, NO, BAD),
    "grid": (SIGN_IN, 405, 405, 405),
    "curve-file": (SIGN_IN, 405, 405, 405),
    "fine-tuning": (SIGN_IN, 405, 405, 405),
    "map-file": (SIGN_IN, 405, 405, 405),
    "offer-label-errors": (SIGN_IN, NO, NO, TO),
    "paper-tables": (SIGN_IN, 405, 405, 405),
    "paper-table": (SIGN_IN, 405, 405, 405),
    "paper-table-file": (SIGN_IN, 405, 405, 405),
    "attach-paper-table": (SIGN_IN, NO, NO, BAD),
    "new-evaluations": (SIGN_IN, NO, NO, BAD),
    "new-predictions": (SIGN_IN, NO, NO, BAD),
    "store-predictions": (SIGN_IN, NO, NO, TO),
    "new-ensemble": (SIGN_IN, NO, NO, BAD),
    "evaluation": (SIGN_IN, 405, 405, 405),
    "comparison": (SIGN_IN, 405, 405, 405),
    "comparison-file": (SIGN_IN, 405, 405, 405),
}
