"""Who may open the pages of `frontend/urls/pay.py`."""

from tests.frontend.roles.answers import BAD, HIDDEN, NO, OK, SIGN_IN, TO

GETS = {
    "my-pay": (SIGN_IN, OK, OK, OK),
    "my-pay-file": (SIGN_IN, OK, OK, OK),
    "campaign-pay": (SIGN_IN, NO, NO, OK),
    "pay-check": (SIGN_IN, NO, NO, OK),
    "approve-pay": (SIGN_IN, NO, NO, 405),
    "new-payout": (SIGN_IN, NO, NO, 405),
    "worker-pay": (SIGN_IN, NO, NO, OK),
    "give-extra": (SIGN_IN, NO, NO, 405),
    "void-entry": (SIGN_IN, NO, NO, 405),
    "payout": (SIGN_IN, NO, NO, OK),
    "approve-extra": (SIGN_IN, NO, NO, 405),
    "approve-payout": (SIGN_IN, NO, NO, 405),
    "payout-paid": (SIGN_IN, NO, NO, 405),
    "cancel-payout": (SIGN_IN, NO, NO, 405),
    "payout-file": (SIGN_IN, NO, NO, OK),
}
POSTS = {
    "my-pay": (SIGN_IN, 405, 405, 405),
    "my-pay-file": (SIGN_IN, 405, 405, 405),
    "campaign-pay": (SIGN_IN, NO, NO, 405),
    "pay-check": (SIGN_IN, NO, NO, 405),
    "approve-pay": (SIGN_IN, NO, NO, TO),
    "new-payout": (SIGN_IN, NO, NO, BAD),
    "worker-pay": (SIGN_IN, NO, NO, 405),
    "give-extra": (SIGN_IN, NO, NO, BAD),
    "void-entry": (SIGN_IN, NO, NO, BAD),
    "payout": (SIGN_IN, NO, NO, 405),
    "approve-extra": (SIGN_IN, NO, NO, HIDDEN),
    "approve-payout": (SIGN_IN, NO, NO, 409),
    "payout-paid": (SIGN_IN, NO, NO, TO),
    "cancel-payout": (SIGN_IN, NO, NO, TO),
    "payout-file": (SIGN_IN, NO, NO, 405),
}
