"""What a database session is told once, when its connection is opened.

It is told by a statement: connection poolers refuse what is asked for in the connection's
``options``. What the operator has set there, for the role or for the database stands.
"""

from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

# Statements of `winoplatform.prepared` are planned once per connection, whatever their values. The
# ORM binds values on its own side and is not concerned.
TOLD = {"plan_cache_mode": "force_generic_plan"}
TELL = """
SELECT set_config(name, wanted, false)
FROM pg_settings JOIN unnest(%s::text[], %s::text[]) AS told (name, wanted) USING (name)
WHERE setting = boot_val
"""


def limit() -> None:
    """Let the database break off what holds a web request's place, or its locks, for too long.

    For web processes: runs, imports and migrations may take as long as they need. Called before
    the first connection.
    """
    TOLD["statement_timeout"] = f"{settings.DATABASE_STATEMENT_SECONDS}s"
    TOLD["idle_in_transaction_session_timeout"] = f"{settings.DATABASE_IDLE_SECONDS}s"


@receiver(connection_created)
def tell(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Tell a new session; Django says so of each that comes out of the pool, new or not."""
    session = connection.connection
    if not getattr(session, "is_told", False):
        with connection.cursor() as cursor:
            cursor.execute(TELL, [list(TOLD), list(TOLD.values())])
        session.is_told = True
