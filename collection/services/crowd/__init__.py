"""How people from crowd platforms come in, what counts for their session, and how it ends."""

from collection.services.crowd.arrivals import arrive, read_arrival, session_for
from collection.services.crowd.sessions import (
    credit_unit,
    end_by_event,
    ending_of,
    ending_unbegun,
    finish_session,
    own_session,
    stop_session,
)
