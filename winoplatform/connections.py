"""The settings that a database session gets once, when its connection is opened.

A statement sets them: connection poolers refuse what is asked for in the connection's
``options``. What the operator has set there, for the role or for the database stands.
"""

from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

# Statements of `winoplatform.prepared` are planned once per connection, whatever their values. The
# ORM binds values on its own side and is not concerned.
SESSION_SETTINGS = {"plan_cache_mode": "force_generic_plan"}
CONFIGURE = """
SELECT set_config(name, wanted, false)
FROM pg_settings JOIN unnest(%s::text[], %s::text[]) AS given (name, wanted) USING (name)
WHERE setting = boot_val
"""


def limit() -> None:
    """Let the database break off what holds a web request's place, or its locks, for too long.

    For web processes: runs, imports and migrations may take as long as they need. Called before
    the first connection.
    """
    SESSION_SETTINGS["statement_timeout"] = f"{settings.DATABASE_STATEMENT_SECONDS}s"
    SESSION_SETTINGS["idle_in_transaction_session_timeout"] = f"{settings.DATABASE_IDLE_SECONDS}s"


@receiver(connection_created)
def configure_session(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Configure a new session; Django sends this for each from the pool, new or not."""
    session = connection.connection
    if not getattr(session, "is_configured", False):
        with connection.cursor() as cursor:
            cursor.execute(CONFIGURE, [list(SESSION_SETTINGS), list(SESSION_SETTINGS.values())])
        session.is_configured = True
