"""Tunings, encodings, filter runs and assessments: runs that are immutable once done."""

from filtering.models.assessments import Assessment, AssessmentPart
from filtering.models.encodings import Encoding, EncodingShard
from filtering.models.filter_runs import (
    AFLITE_SETTINGS,
    CONTROL_SETTINGS,
    FilterRun,
    Phase,
    RunChoice,
)
from filtering.models.tunings import Tuning, TuningEpoch
