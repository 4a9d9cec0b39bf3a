"""Sessions whose owner has proved lately who it is, without the sign-in page."""

import time

from django.test import Client

from workers.models import User


def prove(client: Client, user: User, *, ago: float = 0, method: str = "password") -> None:
    """Let the session of *client* have a proof of *user*, some seconds old."""
    session = client.session
    proof = {"method": method, "at": time.time() - ago}
    session["account_authentication_methods"] = [proof]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
