"""Crowd platforms, one adapter each: how people arrive from them, and how their sessions end.

Plain values in, plain values out: no tables, no clock, no network. ``docs/crowd.md`` says for
curators what each platform verifies and what it does not.
"""

from collection.crowd.base import Arrival, Ending, Event, Provider, Requirement, Setup, StudyFacts
from collection.crowd.generic import Generic
from collection.crowd.mturk import MechanicalTurk
from collection.crowd.prolific import Prolific

PROVIDERS: dict[str, Provider] = {
    provider.name: provider for provider in (Prolific(), MechanicalTurk(), Generic())
}
