"""What a page answers: a status, or that it leads to the sign-in page."""

SIGN_IN, OK, TO, NO, HIDDEN, BAD = "in", 200, 302, 403, 404, 400
