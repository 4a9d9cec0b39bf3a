"""Who may open the pages of `frontend/urls/panels.py`."""

from tests.frontend.roles.answers import BAD, HIDDEN, NO, OK, SIGN_IN, TO

GETS = {
    "human-evaluations": (SIGN_IN, NO, NO, OK),
    "new-human-evaluation": (SIGN_IN, NO, NO, OK),
    "human-evaluation": (SIGN_IN, NO, NO, OK),
    "human-evaluation-status": (SIGN_IN, NO, NO, 405),
    "human-votes-file": (SIGN_IN, NO, NO, OK),
    "human-evaluation-person": (SIGN_IN, NO, NO, OK),
    "exclude-human-vote": (SIGN_IN, NO, NO, 405),
    "restore-human-vote": (SIGN_IN, NO, NO, 405),
    "answer-human": (SIGN_IN, OK, OK, NO),
    "cast-human-vote": (SIGN_IN, 405, 405, NO),
    "beat-human": (SIGN_IN, 405, 405, NO),
    "return-human": (SIGN_IN, 405, 405, NO),
    "enrol-human": (SIGN_IN, 405, 405, NO),
    "end-enrolment": (SIGN_IN, NO, NO, 405),
}
POSTS = {
    "human-evaluations": (SIGN_IN, NO, NO, 405),
    "new-human-evaluation": (SIGN_IN, NO, NO, BAD),
    "human-evaluation": (SIGN_IN, NO, NO, 405),
    "human-evaluation-status": (SIGN_IN, NO, NO, BAD),
    "human-votes-file": (SIGN_IN, NO, NO, 405),
    "human-evaluation-person": (SIGN_IN, NO, NO, BAD),
    "exclude-human-vote": (SIGN_IN, NO, NO, TO),
    "restore-human-vote": (SIGN_IN, NO, NO, TO),
    "answer-human": (SIGN_IN, TO, TO, NO),
    "cast-human-vote": (SIGN_IN, BAD, BAD, NO),
    "beat-human": (SIGN_IN, OK, HIDDEN, NO),
    "return-human": (SIGN_IN, TO, TO, NO),
    "enrol-human": (SIGN_IN, TO, TO, NO),
    "end-enrolment": (SIGN_IN, NO, NO, TO),
}
