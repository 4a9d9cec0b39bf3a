"""Tables for evaluations, fine-tuned models, artifacts, audits, leaderboards and the starter."""

from evaluation.models.detections import ArtifactDetection
from evaluation.models.evaluations import Evaluation, EvaluationBlock, ServerAnswer
from evaluation.models.fine_tunings import FineTuning, FineTuningStep, Grid, GridTarget
from evaluation.models.key_audits import AuditedKey, KeyAudit
from evaluation.models.key_panels import KeyPanel
from evaluation.models.leaderboards import Leaderboard, Submission
from evaluation.models.scorings import known_method
from evaluation.models.starter_loads import StarterLoad
