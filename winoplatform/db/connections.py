"""Settings of a database session, applied once when its connection is opened.

They are set by a statement, because connection poolers reject parameters in the connection's
``options``. Values that the operator set there, for the role or for the database are kept, but
for the name of a session, by which `winoplatform.db.budget` counts.
"""

from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

from winoplatform.db import slow, versions

# Statements of `winoplatform.db.prepared` are planned once per connection, whatever their values.
# The ORM binds values on the client, so this does not affect it.
SESSION_SETTINGS = {"plan_cache_mode": "force_generic_plan"}
CONFIGURE = """
SELECT set_config(name, wanted, false)
FROM pg_settings JOIN unnest(%s::text[], %s::text[]) AS given (name, wanted) USING (name)
WHERE setting = boot_val OR name = 'application_name'
"""


def limit() -> None:
    """Let the database cancel statements and transactions that hold a web request for too long.

    For web processes only: runs, imports and migrations may take as long as they need. Call this
    before the first connection is opened.
    """
    SESSION_SETTINGS["statement_timeout"] = f"{settings.DATABASE_STATEMENT_SECONDS}s"
    SESSION_SETTINGS["idle_in_transaction_session_timeout"] = f"{settings.DATABASE_IDLE_SECONDS}s"


@receiver(connection_created)
def configure_session(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Configure a new session; Django sends this signal for every connection from the pool."""
    session = connection.connection
    if not getattr(session, "is_configured", False):
        with connection.cursor() as cursor:
            cursor.execute(CONFIGURE, [list(SESSION_SETTINGS), list(SESSION_SETTINGS.values())])
        versions.check_new(connection)
        session.is_configured = True
    if slow.watch not in connection.execute_wrappers:
        # First: a block that adds one removes the last.
        connection.execute_wrappers.insert(0, slow.watch)
