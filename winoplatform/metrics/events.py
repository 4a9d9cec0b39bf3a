"""The events that processes count. No label names a person, a campaign or a question."""

from dataclasses import dataclass

SHORT = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
LONG = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0)


@dataclass(frozen=True, slots=True)
class Event:
    """What happens again and again: a counter, or a histogram of seconds.

    Parameters
    ----------
    label, known
        The name of its label, if it has one, and those values whose count is 0 before the first
        event: a series that begins with 1 is no increase for Prometheus.
    buckets
        The upper bounds of a histogram's buckets, in seconds; none for a counter.
    """

    name: str
    help: str
    label: str = ""
    known: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


REQUESTS = Event(
    "wino_requests", "Requests answered.", "status", ("200", "404", "500", "503", "507")
)
REQUEST_SECONDS = Event(
    "wino_request_seconds",
    "From a request until all of its answer was sent, by the pattern of its address.",
    "route",
    (),
    SHORT,
)
CLAIM_SECONDS = Event(
    "wino_claim_seconds",
    "How long a claim of a seat or an article took, whether or not there was one.",
    "work",
    ("seat", "panelseat", "assignment"),
    SHORT,
)
RUN_WAIT_SECONDS = Event(
    "wino_run_wait_seconds",
    "From when a run could start until a worker claimed it first.",
    "queue",
    ("light", "heavy"),
    LONG,
)
LEASES_EXPIRED = Event(
    "wino_leases_expired",
    "Leases that had ended when another claim took the work over.",
    "work",
    ("run", "seat", "panelseat", "assignment"),
)
STORE_ERRORS = Event(
    "wino_store_errors",
    "Reads and writes of artifacts that failed.",
    "error",
    ("away", "missing", "full", "other"),
)
SLOW_STATEMENTS = Event("wino_slow_statements", "Statements longer than SLOW_STATEMENT_SECONDS.")
EVENTS = (
    REQUESTS,
    REQUEST_SECONDS,
    CLAIM_SECONDS,
    RUN_WAIT_SECONDS,
    LEASES_EXPIRED,
    STORE_ERRORS,
    SLOW_STATEMENTS,
)
