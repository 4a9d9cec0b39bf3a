"""The clock of leases: the database's, so that all processes agree on which leases have ended.

A machine's own clock may be wrong: on a worker that is a minute fast, every lease of half a minute
has ended. Django's ``Now()`` returns the start of the statement, which is too early for a lease
that is written after waiting for the row. Comparing with a value read before such a wait is safe:
a lease that ended during the wait counts as alive, which takes nothing from its holder.
"""

from datetime import datetime

from django.db.models import DateTimeField, Func

from winoplatform.db.prepared import rows


class Now(Func):
    """The time at which a row is written, for an update that may wait for the row's lock."""

    template = "clock_timestamp()"
    output_field = DateTimeField()


def now() -> datetime:
    """Return the database's time; one round trip, so call it once per operation."""
    [(moment,)] = rows("SELECT clock_timestamp()", {})
    return moment  # type: ignore[no-any-return]
