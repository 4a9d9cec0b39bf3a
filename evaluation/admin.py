from evaluation.models import (
    ArtifactDetection,
    AuditedKey,
    Evaluation,
    FineTuning,
    Grid,
    KeyAudit,
    KeyPanel,
    Leaderboard,
    StarterLoad,
    Submission,
)
from workers.admin import read_only

read_only(
    Evaluation, "public_id", "release", "reference_set", "knowledge_release", "reasons", "method",
    "variant", "model", "split", "status", "created_at",
    list_filter=("status", "method", "split"),
)  # fmt: skip
read_only(StarterLoad, "public_id", "campaign", "status", "created_at")
read_only(
    ArtifactDetection, "public_id", "release", "reference_set", "split", "status", "created_at",
    list_filter=("status",),
)  # fmt: skip
read_only(
    KeyAudit, "public_id", "release", "reference_set", "split", "status", "created_at",
    list_filter=("status",),
)  # fmt: skip
read_only(AuditedKey, "run", "source_id", "probability", "finding", list_filter=("finding",))
read_only(KeyPanel, "panel", "audit", "revised_at", "revised_by", "reference_set")
read_only(Leaderboard, "campaign", "per_year", "is_open", "created_at")
read_only(Submission, "public_id", "system", "release", "submitter", "accuracy", "created_at")
read_only(
    FineTuning, "public_id", "release", "reference_set", "train_split", "model", "status",
    "created_at", list_filter=("status",),
)  # fmt: skip
read_only(
    Grid, "public_id", "kind", "preset", "model", "status", "created_at",
    list_filter=("status", "kind", "preset"),
)  # fmt: skip
