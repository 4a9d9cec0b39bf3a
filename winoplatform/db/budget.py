"""How many sessions of the database all processes of an installation may open together.

Each process states in the name of its sessions how many it may open. So the database knows the sum
over all machines, and a process that does not fit into what is left is refused when it starts, not
when the first request finds no session.
"""

import logging
import os
import socket

from django.conf import settings
from django.db import OperationalError, connection

from winoplatform.db import connections

log = logging.getLogger(__name__)
OF_A_WORKER = 4  # of each process of a worker's pool: its task, its heartbeat, and what they copy
SPARE = 8  # for beat, commands, migrations, backups, and a person who looks
STATED = r"^wino (\d+) "
LIMITS = """
WITH processes AS (
    SELECT DISTINCT ON (application_name) usename, datname,
        substring(application_name FROM %(stated)s)::int AS sessions
    FROM pg_stat_activity
    WHERE application_name ~ %(stated)s AND application_name <> current_setting('application_name')
), limits AS (
    SELECT 'PostgreSQL (max_connections, without those reserved)' AS name,
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0) AS permitted,
        true AS any_role, true AS any_database
    UNION ALL SELECT 'the role ' || rolname, rolconnlimit, false, true
    FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0
    UNION ALL SELECT 'the database ' || datname, datconnlimit, true, false
    FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
    UNION ALL SELECT 'DATABASE_CONNECTIONS', %(budget)s, true, false WHERE %(budget)s > 0
)
SELECT name, permitted, coalesce((
    SELECT sum(sessions) FROM processes
    WHERE (any_role OR usename = current_user) AND (any_database OR datname = current_database())
), 0)::int FROM limits
"""


def reserve(sessions: int) -> None:
    """Let this process open at most so many sessions, and state it in their names.

    Call this before the first one is opened, and in a forked process again.
    """
    connection.settings_dict["OPTIONS"]["pool"]["max_size"] = sessions
    own = f"wino {sessions} {socket.gethostname()[:30]}:{os.getpid()}"
    connections.SESSION_SETTINGS["application_name"] = own


def refuse_excess(sessions: int) -> None:
    """End this process if the sessions that it may open are more than are left.

    A database that is away is no reason: requests and tasks say so.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute(LIMITS, {"stated": STATED, "budget": settings.DATABASE_CONNECTIONS})
            limits = cursor.fetchall()
    except OperationalError as error:
        log.warning("the database was not asked how many sessions it permits: %s", error)
        return
    finally:
        connection.close()
    for name, permitted, stated in limits:
        if stated + sessions + SPARE > permitted:
            raise SystemExit(_refusal(name, permitted, stated, sessions))
    name, permitted, stated = min(limits, key=lambda limit: limit[1] - limit[2])
    facts = {"own": sessions, "all": stated + sessions, "permitted": permitted, "name": name}
    log.info(
        "may open %(own)d sessions of the database; all processes %(all)d of the %(permitted)d "
        "that %(name)s permits",
        facts,
    )


def _refusal(name: str, permitted: int, stated: int, sessions: int) -> str:
    return (
        f"{name} permits {permitted} sessions of the database. Other processes may open {stated} "
        f"of them, this one needs {sessions}, and {SPARE} are kept for beat and commands. Raise "
        "that limit, lower DATABASE_POOL_SIZE, or start fewer processes: see “Connections” in "
        "docs/operations.md."
    )
