"""The clock of leases: the database's, so that all processes agree on which of them have ended.

The clock of a machine may be wrong: to a worker that is a minute ahead, every lease of half a
minute has ended. Django's ``Now()`` will not do: it is the start of the statement, too early for a
lease that is written after a wait for the row. A value that was read before a wait may be compared:
a lease that ended meanwhile then counts as alive, which takes nothing from its holder.
"""

from datetime import datetime

from django.db.models import DateTimeField, Func

from winoplatform.prepared import rows


class Now(Func):
    """The time at which a row is written, for an update that may wait for the row."""

    template = "clock_timestamp()"
    output_field = DateTimeField()


def now() -> datetime:
    """Ask the database for the time, once for an operation; a round trip."""
    [(moment,)] = rows("SELECT clock_timestamp()", {})
    return moment  # type: ignore[no-any-return]
