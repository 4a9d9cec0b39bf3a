"""Evaluations of models, leaderboards, and the pipeline."""

from evaluation.services.detections import detect
from evaluation.services.ensembles import combine
from evaluation.services.evaluations import SCORED_SPLITS, evaluate
from evaluation.services.fine_tunings import (
    SplitOf,
    fine_tune,
    plan_fine_tuning,
    usual_dev,
)
from evaluation.services.grids import (
    Plan,
    plan_artifacts,
    plan_curve,
    plan_grid,
    start_grid,
)
from evaluation.services.key_audits import audit_keys
from evaluation.services.pipeline import (
    STARTING_METHODS,
    Pipeline,
    attach_paper_table,
    build_previewed,
    build_release,
    n_dev,
    prepare_release,
    preview_release,
    refuse_few_pairs,
    start_pipeline,
)
from evaluation.services.submissions import (
    close_leaderboard,
    open_leaderboard,
    submit,
    too_small,
    why_refused,
)
from evaluation.services.systems import examine_predictions, store_predictions
from evaluation.services.transfers import plan, plan_transfer, start_planned
