"""Django's sessions in the database, read by a prepared query: most requests of a page read one."""

from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from winoplatform.db.prepared import Placeholder, Prepared, once


@once
def _current() -> Prepared[Session]:
    key, now = Placeholder("key"), Placeholder("now")
    return Prepared(Session.objects.filter(session_key=key, expire_date__gt=now))


class SessionStore(DatabaseStore):
    """As Django's."""

    def _get_session_from_db(self) -> Session | None:
        session = _current().first(key=self.session_key, now=timezone.now())
        if session is None:
            self._session_key = None
        return session
