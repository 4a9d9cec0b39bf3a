"""Sessions of one account. They are found by reading them: the table has no column for it."""

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session


def delete_sessions(account: int) -> int:
    """Delete the sessions in which an account has signed in; return their number."""
    keys = [
        session.session_key
        for session in Session.objects.iterator(chunk_size=2_000)
        if str(session.get_decoded().get(SESSION_KEY, "")) == str(account)
    ]
    return Session.objects.filter(session_key__in=keys).delete()[0]
