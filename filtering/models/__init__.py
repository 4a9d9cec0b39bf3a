"""Freezing, encoding, filtering and releasing: each a run, immutable once done."""

from filtering.models.filter_runs import AFLITE_SETTINGS, FilterRun, Phase
from filtering.models.frozen import Encoding, EncodingShard, Snapshot
from filtering.models.guesses import Guess, Guesser
from filtering.models.releases import Release, ReleaseFile, ReleaseQuerySet, new_key

__all__ = [
    "AFLITE_SETTINGS",
    "Encoding",
    "EncodingShard",
    "FilterRun",
    "Guess",
    "Guesser",
    "Phase",
    "Release",
    "ReleaseFile",
    "ReleaseQuerySet",
    "Snapshot",
    "new_key",
]
