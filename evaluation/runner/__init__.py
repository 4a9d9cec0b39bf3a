"""Executes the runs of this app, starting after their last recorded step."""

from evaluation.models import (
    ArtifactDetection,
    Evaluation,
    FineTuning,
    Grid,
    KeyAudit,
    StarterLoad,
)
from evaluation.runner.detections import detection
from evaluation.runner.evaluations import blocks_of_evaluation, evaluation
from evaluation.runner.fine_tunings import fine_tuning
from evaluation.runner.grids import grid
from evaluation.runner.key_audits import key_audit
from evaluation.runner.starter_loads import starter_load
from winoplatform.runs import kinds

kinds.register(Evaluation, evaluation, help=blocks_of_evaluation)
kinds.register(StarterLoad, starter_load)
kinds.register(ArtifactDetection, detection)
kinds.register(KeyAudit, key_audit)
kinds.register(FineTuning, fine_tuning)
kinds.register(Grid, grid)
