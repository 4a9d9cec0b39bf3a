from filtering.models import (
    Assessment,
    AssessmentPart,
    Encoding,
    FilterRun,
    Phase,
    SentenceEncoding,
    Tuning,
    TuningEpoch,
)
from workers.admin import read_only

read_only(Encoding, "public_id", "snapshot", "encoder", "features", "status", "created_at")
read_only(SentenceEncoding, "public_id", "campaign", "encoder", "status", "created_at")
read_only(Tuning, "public_id", "snapshot", "encoder", "status", "accuracy", "created_at")
read_only(TuningEpoch, "run", "number", "loss", "accuracy", "seconds")
read_only(FilterRun, "public_id", "method", "n", "m", "k", "tau", "status", "created_at")
read_only(Phase, "run", "number", "n_before", "n_removed", "accuracy", "seconds")
read_only(Assessment, "public_id", "filter_run", "status", "seed", "created_at")
read_only(AssessmentPart, "run", "number", "name", "seconds")
