"""Tunings, encodings, filter runs and assessments: runs that are immutable once done."""

from filtering.models.encodings import Encoding, EncodingShard, Tuning, TuningEpoch
from filtering.models.filter_runs import (
    AFLITE_SETTINGS,
    CONTROL_SETTINGS,
    Assessment,
    AssessmentPart,
    FilterRun,
    Phase,
    RunChoice,
)
from filtering.models.sentences import SentenceEncoding, SentenceShard
