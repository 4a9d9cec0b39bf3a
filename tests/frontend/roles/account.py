"""Who may open the pages of `frontend/urls/account.py`."""

from tests.frontend.roles.answers import BAD, HIDDEN, NO, OK, SIGN_IN, TO

GETS = {
    "home": (SIGN_IN, OK, OK, OK),
    "starter": (OK, OK, OK, OK),  # the sign-in page shows it too
    "sign-in": (OK, TO, TO, TO),
    "sign-out": (405, 405, 405, 405),
    # Alice comes from a crowd platform: her link is no way to a token.
    "account": (SIGN_IN, NO, OK, OK),
    "revoke-token": (SIGN_IN, 405, 405, 405),
    "revoke-all-tokens": (SIGN_IN, 405, 405, 405),
    "audit-log": (SIGN_IN, NO, NO, NO),  # admins alone: tests/frontend/test_audit_log.py
    "audit-file": (SIGN_IN, NO, NO, NO),
    "change-password": (SIGN_IN, NO, OK, OK),
    "new-password": (OK, OK, OK, OK),  # who forgot the password cannot sign in
    "password-links": (SIGN_IN, NO, NO, OK),
    "revoke-password-link": (SIGN_IN, NO, NO, 405),
    "invitation": (OK, OK, OK, OK),  # an invited person has no account yet
    "invitations": (SIGN_IN, NO, NO, OK),
    "invite-list": (SIGN_IN, NO, NO, OK),
    "revoke-invitation": (SIGN_IN, NO, NO, 405),
    "see-news": (SIGN_IN, 405, 405, 405),
}
POSTS = {
    "home": (SIGN_IN, 405, 405, 405),
    "starter": (405, 405, 405, 405),
    "sign-in": (OK, TO, TO, TO),
    "sign-out": (TO, TO, TO, TO),
    "account": (SIGN_IN, NO, BAD, BAD),
    "revoke-token": (SIGN_IN, TO, HIDDEN, HIDDEN),
    "revoke-all-tokens": (SIGN_IN, TO, TO, TO),
    "audit-log": (SIGN_IN, NO, NO, NO),
    "audit-file": (SIGN_IN, NO, NO, NO),
    "change-password": (SIGN_IN, NO, BAD, BAD),
    "new-password": (BAD, OK, OK, OK),
    "password-links": (SIGN_IN, NO, NO, BAD),
    "revoke-password-link": (SIGN_IN, NO, NO, TO),
    "invitation": (BAD, OK, OK, OK),
    "invitations": (SIGN_IN, NO, NO, BAD),
    "invite-list": (SIGN_IN, NO, NO, BAD),
    "revoke-invitation": (SIGN_IN, NO, NO, TO),
    "see-news": (SIGN_IN, TO, TO, TO),
}
