"""Participants from crowd platforms: arrival, credits of their sessions, and endings."""

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
