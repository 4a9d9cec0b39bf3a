"""Crowd platforms, one adapter each: how participants arrive, and how their sessions end.

Adapters are pure functions of plain values: no database, no clock, no network. ``docs/crowd.md``
describes for curators what each platform verifies and what it does not.
"""

from collection.crowd.base import Arrival, Ending, Event, Provider, Requirement, Setup, StudyFacts
from collection.crowd.generic import Generic
from collection.crowd.mturk import MechanicalTurk
from collection.crowd.prolific import Prolific

PROVIDERS: dict[str, Provider] = {
    provider.name: provider for provider in (Prolific(), MechanicalTurk(), Generic())
}
