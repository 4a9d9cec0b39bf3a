"""Who may open the pages of `frontend/urls/review.py`."""

from tests.frontend.roles.answers import BAD, HIDDEN, NO, OK, SIGN_IN, TO

GETS = {
    "review-queue": (SIGN_IN, NO, NO, OK),
    "review-question": (SIGN_IN, NO, NO, OK),
    "exclude-vote": (SIGN_IN, NO, NO, 405),
    "restore-vote": (SIGN_IN, NO, NO, 405),
    "exclude-work": (SIGN_IN, NO, NO, OK),
    "golds": (SIGN_IN, NO, NO, OK),
    "retire-gold": (SIGN_IN, NO, NO, 405),
    "appeals": (SIGN_IN, NO, NO, OK),
    "answer-appeal": (SIGN_IN, NO, NO, 405),
    "my-appeals": (SIGN_IN, OK, OK, OK),
    "make-appeal": (SIGN_IN, OK, HIDDEN, HIDDEN),
}
POSTS = {
    "review-queue": (SIGN_IN, NO, NO, TO),
    "review-question": (SIGN_IN, NO, NO, BAD),
    "exclude-vote": (SIGN_IN, NO, NO, TO),
    "restore-vote": (SIGN_IN, NO, NO, TO),
    "exclude-work": (SIGN_IN, NO, NO, BAD),
    "golds": (SIGN_IN, NO, NO, BAD),
    "retire-gold": (SIGN_IN, NO, NO, TO),
    "appeals": (SIGN_IN, NO, NO, 405),
    "answer-appeal": (SIGN_IN, NO, NO, TO),
    "my-appeals": (SIGN_IN, 405, 405, 405),
    "make-appeal": (SIGN_IN, BAD, HIDDEN, HIDDEN),
}
