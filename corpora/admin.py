from corpora.models import (
    BlindSentence,
    Draw,
    DrawTable,
    ReferenceSet,
    ReferenceSplit,
    Release,
    ReleaseFile,
    ReleasePreview,
    ReleaseReport,
    Selection,
    Snapshot,
)
from workers.admin import read_only

read_only(Snapshot, "public_id", "campaign", "status", "n_questions", "n_pairs", "created_at")
read_only(
    Draw, "twin", "split", "origin", "is_pair", "created_at",
    list_filter=("split", "origin", "twin__campaign"),
)  # fmt: skip
# With the salt, the hash could be tried out on guessed splits.
read_only(DrawTable, "sha256", "n_twins", "created_at", hidden=("salt",))
read_only(Selection, "public_id", "snapshot", "made_by", "status", "n_kept", "created_at")
read_only(ReferenceSet, "name", "title", "licence", "is_public", "created_at")
read_only(ReferenceSplit, "reference_set", "name", "n_items", "n_groups", "n_labelled")
# The key can be used to undo the shuffling of ids and options.
read_only(Release, "name", "status", "content_hash", "created_at", hidden=("key",))
read_only(ReleaseFile, "release", "name", "rows", "restricted")
read_only(ReleasePreview, "public_id", "snapshot", "status", "created_at")
read_only(ReleaseReport, "release", "name", "created_by", "created_at")
read_only(BlindSentence, "key", "is_published", "release")
