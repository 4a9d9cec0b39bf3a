"""Freezing, encoding, filtering and releasing: each a run, immutable once done."""

from filtering.models.assessments import Assessment, AssessmentPart
from filtering.models.draws import Draw
from filtering.models.encodings import Encoding, EncodingShard
from filtering.models.filter_runs import AFLITE_SETTINGS, CONTROL_SETTINGS, FilterRun, Phase
from filtering.models.frozen import Snapshot
from filtering.models.releases import Release, ReleaseFile, ReleaseQuerySet, new_key
from filtering.models.tunings import Tuning, TuningEpoch

__all__ = [
    "AFLITE_SETTINGS",
    "CONTROL_SETTINGS",
    "Assessment",
    "AssessmentPart",
    "Draw",
    "Encoding",
    "EncodingShard",
    "FilterRun",
    "Phase",
    "Release",
    "ReleaseFile",
    "ReleaseQuerySet",
    "Snapshot",
    "Tuning",
    "TuningEpoch",
    "new_key",
]
