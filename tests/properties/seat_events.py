"""Which events happen to seats in a run, how often, and what all runs must have come to."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from tests.properties.seat_model import Rules
from tests.properties.seat_world import VALIDATORS
from validation.core.verdicts import Policy

WHO = st.integers(0, VALIDATORS - 1)
NTH = st.sampled_from([0, 0, 0, 0, 1, 1, 2, 3])
"""Which seat an event happens to: the newest claimed most often."""
LOCAL = st.sampled_from([None, None, None, 1, 2])
GOOD = st.sampled_from([True, True, True, False])
TURNS = st.sampled_from(
    [
        [True, True, True],
        [True, True, False],
        [True, False, True, False, True],
        [True, False, False, True],
    ]
)
"""What validators say in turn: agreed, or so that every extra vote is asked for."""
UNSURE = st.sampled_from([False, False, False, True])
COIN = st.sampled_from([False, False, True])
RULES = st.builds(
    Rules,
    minutes=st.sampled_from([3, 3, 20]),
    votes=st.sampled_from([3, 3, 1]),
    extra=st.sampled_from([2, 1, 0]),
    policy=st.sampled_from(Policy),
    most=st.sampled_from([None, None, None, None, 3]),
)

EVENTS: list[tuple[str, st.SearchStrategy[dict[str, Any]]]] = []


def often(weight: int, **arguments: st.SearchStrategy[Any]) -> Callable[[Any], Any]:
    """Let an event happen so often, in every run: rules of their own are left out of many."""

    def note(event: Any) -> Any:
        EVENTS.extend([(event.__name__, st.fixed_dictionaries(arguments))] * weight)
        return event

    return note


def event() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    drawn = st.sampled_from(EVENTS)
    return drawn.flatmap(lambda event: st.tuples(st.just(event[0]), event[1]))


ENOUGH = {
    "claim": 150,
    "vote given": 100,
    "verdict": 15,
    "extra seat": 8,
    "split to the end": 3,
    "seat taken away": 3,
    "lapse": 5,
    "all_leased": 3,
    "reclaim": 15,
    "gold": 15,
    "gold vote": 8,
    "gold decided again": 1,
    "gold left": 1,
    "gold again": 1,
    "second seat": 10,
    "amended": 8,
    "amend undo_over": 5,
    "amended after a return": 1,
    "given back": 5,
    "withdrawn": 1,
    "campaign_not_open": 1,
    "worker_paused": 1,
    "vote_limit": 1,
    "excluded": 5,
    "restored": 1,
    "sat too long": 2,
    "vote lease_expired": 1,
    "curator more": 1,
    "decided, then more": 1,
    "decided, then undo": 1,
    "curator valid": 1,
}
"""What a machine that proves something comes to, by far; else its events need other weights."""
