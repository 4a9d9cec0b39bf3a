"""Tables for evaluations, fine-tuned models, artifacts, leaderboards and the starter."""

from evaluation.models.blocks import EvaluationBlock, ServerAnswer
from evaluation.models.detections import ArtifactDetection
from evaluation.models.evaluations import Evaluation
from evaluation.models.fine_tunings import FineTuning, FineTuningStep
from evaluation.models.grids import Grid, GridTarget
from evaluation.models.leaderboards import Leaderboard, Submission
from evaluation.models.scorings import Scoring, known_method
from evaluation.models.starter_loads import StarterLoad
